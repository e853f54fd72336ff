/// Finds documents in which words follow one another.
enum SequenceSearch {
  /// How many occurrences make one step of work, as a shift.
  private static let stepShift = 3

  /// Returns the places of the first word of `sequence` where the others follow, as the postings of
  /// one term; `nil` when there are none.
  ///
  /// - Complexity: O(r log p + n) for r documents with the rarest word, p with the most frequent,
  ///   and n occurrences of the words in documents that have all of them.
  static func postings(
    of sequence: WordSequence, in index: TextIndex, fields: Bitmap?, _ checkpoint: Checkpoint
  ) throws -> PostingLists? {
    var terms: [Int] = []
    for word in sequence.words {
      guard let term = index.terms.term(Array(word.utf8)) else { return nil }
      terms.append(term)
    }
    let lists = index.postings
    let ranges = terms.map { lists.postings(of: $0) }
    guard let rarest = ranges.indices.min(by: { ranges[$0].count < ranges[$1].count }) else {
      return nil
    }
    var cursors = ranges.map(\.lowerBound)
    var builder = PostingLists.Builder(terms: 1, postings: 0)
    var found: [UInt32] = []
    driver: for posting in ranges[rarest] {
      try checkpoint.count()
      let document = lists.documents[posting]
      for word in ranges.indices {
        let next = lists.firstPosting(
          in: cursors[word]..<ranges[word].upperBound, notBefore: document)
        cursors[word] = next
        guard next < ranges[word].upperBound else { break driver }
        guard lists.documents[next] == document else { continue driver }
      }
      found.removeAll(keepingCapacity: true)
      lists.forEachOccurrence(ofPlace: lists.places[cursors[0]]) {
        if fields?[$0.field] ?? true { found.append($0.packed) }
      }
      for word in ranges.indices.dropFirst() where !found.isEmpty {
        let place = lists.places[cursors[word]]
        try checkpoint.count((found.count + lists.occurrenceCount(ofPlace: place)) &>> stepShift)
        lists.keep(&found, followedBy: place, after: sequence.offsets[word])
      }
      builder.append(document: document, occurrences: found[...])
    }
    guard !builder.isCurrentTermEmpty else { return nil }
    builder.endTerm()
    return builder.build()
  }
}

extension PostingLists {
  /// Keeps those of some ascending occurrences that an occurrence of a posting follows at a
  /// distance, in the same field.
  fileprivate func keep(
    _ occurrences: inout [UInt32], followedBy place: UInt32, after distance: Int
  ) {
    let isSingle = place & Self.overflowFlag == 0
    let start = isSingle ? 0 : Int(place & ~Self.overflowFlag) + 1
    var index = 0
    var kept = 0
    for number in 0..<occurrenceCount(ofPlace: place) {
      let other = Occurrence(packed: isSingle ? place : overflow[start + number])
      let wanted = other.field << 32 | other.position
      while index < occurrences.count {
        let first = Occurrence(packed: occurrences[index])
        let found = first.field << 32 | (first.position + distance)
        if found > wanted { break }
        if found == wanted {
          occurrences[kept] = occurrences[index]
          kept += 1
        }
        index += 1
      }
    }
    occurrences.removeSubrange(kept...)
  }
}
