/// Finds documents with all of some words in one attribute, in any order.
enum ConjunctionSearch {
  /// Returns the occurrences of the words in attributes that have all of them, as the postings of
  /// one term, or `nil` if nothing matches.
  ///
  /// - Complexity: O(r log p + n) for r documents with the rarest word, p with the most frequent,
  ///   and n occurrences of the words in documents that have all of them.
  static func postings(
    of words: [String], in index: TextIndex, fields: Bitmap?, _ cancellation: CancellationCheck
  ) throws -> PostingLists? {
    let lists = index.postings
    var ranges: [Range<Int>] = []
    for word in Set(words).sorted() {
      guard let term = index.terms.term(Array(word.utf8)) else { return nil }
      ranges.append(lists.postings(of: term))
    }
    guard let rarest = ranges.indices.min(by: { ranges[$0].count < ranges[$1].count }) else {
      return nil
    }
    var cursors = ranges.map(\.lowerBound)
    var builder = PostingLists.Builder(terms: 1, postings: 0)
    driver: for posting in ranges[rarest] {
      try cancellation.count()
      let document = lists.documents[posting]
      for word in ranges.indices {
        cursors[word] = lists.firstPosting(
          in: cursors[word]..<ranges[word].upperBound, notBefore: document)
        guard cursors[word] < ranges[word].upperBound else { break driver }
        guard lists.documents[cursors[word]] == document else { continue driver }
      }
      var common: Set<Int>?
      for cursor in cursors {
        let encoded = lists.encodedOccurrences[cursor]
        try cancellation.count(lists.occurrenceCount(in: encoded) &>> 3)
        var found: Set<Int> = []
        lists.forEachOccurrence(in: encoded) { occurrence in
          if fields?[occurrence.field] ?? true { found.insert(occurrence.field) }
        }
        common = common.map { $0.intersection(found) } ?? found
      }
      guard let common, !common.isEmpty else { continue }
      var occurrences: [UInt32] = []
      for cursor in cursors {
        lists.forEachOccurrence(in: lists.encodedOccurrences[cursor]) { occurrence in
          if common.contains(occurrence.field) { occurrences.append(occurrence.packed & ~1) }
        }
      }
      try cancellation.sort(&occurrences, by: <)
      builder.append(document: document, occurrences: occurrences[...])
    }
    guard !builder.isCurrentTermEmpty else { return nil }
    builder.endTerm()
    return builder.build()
  }
}
