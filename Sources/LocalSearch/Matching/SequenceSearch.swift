/// Finds documents in which words follow one another.
enum SequenceSearch {
  /// Returns the places of the first word of `sequence` where the others follow, as the postings of one term;
  /// `nil` when there are none.
  ///
  /// - Complexity: O(r log p) for r documents with the rarest word, and p with the most frequent.
  static func postings(
    of sequence: WordSequence, in index: TextIndex, fields: Bitmap?,
    checkCancellation: () throws -> Void
  ) rethrows -> PostingLists? {
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
    var steps = 0
    driver: for posting in ranges[rarest] {
      steps += 1
      if steps & 0xFFF == 0 { try checkCancellation() }
      let document = lists.documents[posting]
      for word in ranges.indices {
        let next = lists.firstPosting(
          in: cursors[word]..<ranges[word].upperBound, notBefore: document)
        cursors[word] = next
        guard next < ranges[word].upperBound else { break driver }
        guard lists.documents[next] == document else { continue driver }
      }
      found.removeAll(keepingCapacity: true)
      lists.forEachOccurrence(ofPlace: lists.places[cursors[0]]) { first in
        if let fields, !fields[first.field] { return }
        let isFollowed = ranges.indices.dropFirst().allSatisfy { word in
          lists.contains(
            place: lists.places[cursors[word]], field: first.field,
            position: first.position + sequence.offsets[word])
        }
        if isFollowed { found.append(first.packed) }
      }
      builder.append(document: document, occurrences: found[...])
    }
    guard !builder.isCurrentTermEmpty else { return nil }
    builder.endTerm()
    return builder.build()
  }
}

extension PostingLists {
  /// Whether a posting has an occurrence in this field at this position.
  func contains(place: UInt32, field: Int, position: Int) -> Bool {
    var isFound = false
    forEachOccurrence(ofPlace: place) {
      if $0.field == field, $0.position == position { isFound = true }
    }
    return isFound
  }
}
