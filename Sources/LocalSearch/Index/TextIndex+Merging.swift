extension TextIndex {
  /// An index to be merged, and the new number of each of its documents.
  struct MergeSource {
    let index: TextIndex
    /// The new document of each old one, or ``deleted``.
    let newDocument: [UInt32]

    /// The mark of a document that is not taken over.
    static let deleted = UInt32.max
  }

  /// Merges indices into one.
  ///
  /// New document numbers must ascend within a source and from source to source. Words that no
  /// remaining document contains are dropped.
  ///
  /// - Complexity: O(size of the sources), times the number of sources for the comparison of words.
  static func merging(_ sources: [MergeSource], _ checkpoint: Checkpoint) throws -> TextIndex {
    var fields: [TextField] = []
    let fieldMaps = sources.map { source in
      source.index.fields.map { register($0, in: &fields) }
    }
    var cursors = [Int](repeating: 0, count: sources.count)
    var bytes: [UInt8] = []
    var offsets = [0]
    var postings = PostingLists.Builder(
      terms: sources.map(\.index.terms.count).max() ?? 0,
      postings: sources.reduce(0) { $0 + $1.index.postings.documents.count })
    var occurrences: [UInt32] = []
    while let lowest = lowestSource(sources, cursors) {
      let word = sources[lowest].index.terms.bytes(of: cursors[lowest])
      try checkpoint.count(bytes: word.count)
      for source in sources.indices where cursors[source] < sources[source].index.terms.count {
        let index = sources[source].index
        guard source >= lowest,
          index.terms.bytes(of: cursors[source]).elementsEqual(word)
        else { continue }
        for posting in index.postings.postings(of: cursors[source]) {
          let document = sources[source].newDocument[Int(index.postings.documents[posting])]
          if posting & 7 == 0 { try checkpoint.count() }
          guard document != MergeSource.deleted else { continue }
          occurrences.removeAll(keepingCapacity: true)
          var isAscending = true
          index.postings.forEachOccurrence(ofPlace: index.postings.places[posting]) { old in
            let new = Occurrence(
              field: fieldMaps[source][old.field], position: old.position,
              isWholeValue: old.isWholeValue
            ).packed
            if let last = occurrences.last, last > new { isAscending = false }
            occurrences.append(new)
          }
          try checkpoint.count(occurrences.count &>> 3)
          if !isAscending { try checkpoint.sort(&occurrences, by: <) }
          postings.append(document: document, occurrences: occurrences[...])
        }
        cursors[source] += 1
      }
      if !postings.isCurrentTermEmpty {
        bytes.append(contentsOf: word)
        offsets.append(bytes.count)
        postings.endTerm()
      }
    }
    return TextIndex(
      fields: fields, terms: TermDictionary(bytes: bytes, offsets: offsets),
      postings: postings.build())
  }

  /// Returns the first of the sources whose next word is the lowest, or `nil` when all are
  /// exhausted.
  private static func lowestSource(_ sources: [MergeSource], _ cursors: [Int]) -> Int? {
    var lowest: Int?
    for source in sources.indices where cursors[source] < sources[source].index.terms.count {
      guard let current = lowest else {
        lowest = source
        continue
      }
      let candidate = sources[source].index.terms.bytes(of: cursors[source])
      if candidate.lexicographicallyPrecedes(
        sources[current].index.terms.bytes(of: cursors[current]))
      {
        lowest = source
      }
    }
    return lowest
  }
}
