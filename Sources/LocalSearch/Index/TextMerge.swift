extension TextIndex {
  /// Merges indices into one.
  ///
  /// Words without remaining documents are removed.
  ///
  /// - Complexity: O(size of the sources), times the number of sources for comparing words.
  static func merging(
    _ sources: [MergeSource<TextIndex>], _ cancellation: CancellationCheck
  ) throws -> TextIndex {
    var fields: [IndexedField] = []
    let registered = sources.map { source in
      source.content.fields.map { register($0, in: &fields) }
    }
    let newField: [Int]
    (fields, newField) = sorted(fields)
    let newFields = registered.map { numbers in numbers.map { newField[$0] } }
    var cursors = [Int](repeating: 0, count: sources.count)
    var (bytes, offsets) = ([UInt8](), [0])
    var postings = PostingLists.Builder(
      terms: sources.map(\.content.terms.count).max() ?? 0,
      postings: sources.reduce(0) { $0 + $1.content.postings.documents.count })
    while let lowest = lowestSource(sources, cursors) {
      let word = sources[lowest].content.terms.bytes(of: cursors[lowest])
      try cancellation.count(bytes: word.count)
      for source in lowest..<sources.count {
        let terms = sources[source].content.terms
        guard cursors[source] < terms.count, terms.bytes(of: cursors[source]).elementsEqual(word)
        else { continue }
        try postings.append(
          cursors[source], of: sources[source], newFields[source], cancellation)
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

  /// Returns the first source with the lowest next word, or `nil` when all are exhausted.
  private static func lowestSource(_ sources: [MergeSource<TextIndex>], _ cursors: [Int]) -> Int? {
    var lowest: Int?
    for source in sources.indices where cursors[source] < sources[source].content.terms.count {
      guard let current = lowest else {
        lowest = source
        continue
      }
      let candidate = sources[source].content.terms.bytes(of: cursors[source])
      if candidate.lexicographicallyPrecedes(
        sources[current].content.terms.bytes(of: cursors[current]))
      {
        lowest = source
      }
    }
    return lowest
  }
}

extension PostingLists.Builder {
  /// Adds the remaining postings of a term of another index to the current term.
  ///
  /// - Parameter newFields: The new number of each field of that index.
  fileprivate mutating func append(
    _ term: Int, of source: MergeSource<TextIndex>, _ newFields: [Int],
    _ cancellation: CancellationCheck
  ) throws {
    let lists = source.content.postings
    for posting in lists.postings(of: term) {
      try cancellation.count(element: posting)
      let document = source.newDocuments[Int(lists.documents[posting])]
      guard document != .deleted else { continue }
      let encoded = lists.encodedOccurrences[posting]
      if encoded & PostingLists.overflowFlag == 0 {
        let old = Occurrence(packed: encoded)
        append(document: document, occurrence: old.inField(newFields[old.field]))
        continue
      }
      var occurrences: [UInt32] = []
      var isAscending = true
      lists.forEachOccurrence(in: encoded) { old in
        let new = old.inField(newFields[old.field]).packed
        if let last = occurrences.last, last > new { isAscending = false }
        occurrences.append(new)
      }
      try cancellation.count(occurrences.count &>> 3)
      if !isAscending { try cancellation.sort(&occurrences, by: <) }
      append(document: document, occurrences: occurrences[...])
    }
  }
}
