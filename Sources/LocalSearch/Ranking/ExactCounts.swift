extension BitCounts {
  /// Counts the exact words of documents.
  ///
  /// - Parameters:
  ///   - matcher: The words, looked up.
  ///   - documents: The documents that matter.
  init(
    exactWordsOf matcher: SegmentMatcher, in documents: Bitmap, wordCount: Int,
    _ options: RankingOptions, _ cancellation: CancellationCheck
  ) throws {
    self.init(count: documents.count)
    if wordCount == 1 {
      guard let exact = matcher.exactSources.first else { return }
      switch options.singleWordExactness {
      case .none: return
      case .word:
        guard matcher.isExactAsOnlyWord else { return }
        add([try exact.union { try $0.documents(among: documents, cancellation) }])
      case .attribute:
        add([try exact.union { try $0.documentsWithWholeValue(among: documents, cancellation) }])
      }
      return
    }
    for exact in matcher.exactSources {
      try cancellation.count(1 + documents.count &>> 6)
      let found = try exact.union { try $0.documents(among: documents, cancellation) }
      add([found], times: exact.wordCount)
    }
  }
}

extension ExactSource {
  /// Returns the documents of all sources.
  fileprivate func union(_ documents: (PostingSource) throws -> Bitmap) rethrows -> Bitmap {
    var result = try sources.first.map(documents) ?? Bitmap(count: 0)
    for source in sources.dropFirst() { result.formUnion(try documents(source)) }
    return result
  }
}

extension PostingSource {
  /// Returns a superset of the documents with a posting in the source.
  fileprivate func documents(
    among documents: Bitmap, _ cancellation: CancellationCheck
  ) throws -> Bitmap {
    if let sets { return sets.documents }
    var found = Bitmap(count: documents.count)
    let isLarger = isMuchLarger(than: documents.cardinality)
    try insertDocuments(
      into: &found, candidates: isLarger ? Selection(documents) : nil, cancellation)
    return found
  }

  /// Returns a superset of the documents in which the word is the whole value of an attribute.
  fileprivate func documentsWithWholeValue(
    among documents: Bitmap, _ cancellation: CancellationCheck
  ) throws -> Bitmap {
    if let known = sets?.asWholeValue { return known }
    var found = Bitmap(count: documents.count)
    func isExact(_ encoded: UInt32) throws -> Bool {
      try cancellation.count(lists.occurrenceCount(in: encoded) &>> 4)
      return lists.containsOccurrence(in: encoded) {
        $0.isWholeValue && (fields?[$0.field] ?? true)
      }
    }
    try cancellation.count(1 + documents.count &>> 8)
    if isMuchLarger(than: documents.cardinality) {
      let selection = Selection(documents)
      try forEachPosting(in: selection, cancellation) { ordinal, encoded in
        if try isExact(encoded) { found.insert(Int(selection.members[ordinal])) }
      }
    } else {
      try Self.forEachBlock(of: postings, cancellation) { block in
        for posting in block {
          let document = Int(lists.documents[posting])
          if documents[document], try isExact(lists.encodedOccurrences[posting]) {
            found.insert(document)
          }
        }
      }
    }
    return found
  }
}
