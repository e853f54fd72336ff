/// Finds documents in which words follow each other.
enum SequenceSearch {
  /// Returns the occurrences of the first word of `sequence` that the others follow, as the
  /// postings of one term, or `nil` if nothing matches.
  ///
  /// - Complexity: O(r log p + n) for r documents with the rarest word, p with the most frequent,
  ///   and n occurrences of the words in documents that have all of them. A word that the sequence
  ///   repeats k times costs O(n + k m) for a text of m words, with 64 words of the text in a step,
  ///   as long as something is left to keep.
  static func postings(
    of sequence: WordSequence, in index: TextIndex, fields: Bitmap?,
    _ cancellation: CancellationCheck
  ) throws -> PostingLists? {
    // The distances of each different word from the first one.
    var distances: [[Int]] = []
    var ranges: [Range<Int>] = []
    var numbers: [Int: Int] = [:]
    let lists = index.postings
    for (word, offset) in zip(sequence.words, sequence.offsets) {
      guard let term = index.terms.term(Array(word.utf8)) else { return nil }
      if let number = numbers[term] {
        distances[number].append(offset)
      } else {
        numbers[term] = ranges.count
        ranges.append(lists.postings(of: term))
        // The first word is found at its own place.
        distances.append(ranges.count == 1 ? [] : [offset])
      }
    }
    guard let rarest = ranges.indices.min(by: { ranges[$0].count < ranges[$1].count }) else {
      return nil
    }
    var cursors = ranges.map(\.lowerBound)
    var builder = PostingLists.Builder(terms: 1, postings: 0)
    var found: [UInt32] = []
    driver: for posting in ranges[rarest] {
      try cancellation.count()
      let document = lists.documents[posting]
      for word in ranges.indices {
        let next = lists.firstPosting(
          in: cursors[word]..<ranges[word].upperBound, notBefore: document)
        cursors[word] = next
        guard next < ranges[word].upperBound else { break driver }
        guard lists.documents[next] == document else { continue driver }
      }
      found.removeAll(keepingCapacity: true)
      let first = lists.encodedOccurrences[cursors[0]]
      try cancellation.count(lists.occurrenceCount(in: first) &>> PostingLists.stepShift)
      lists.forEachOccurrence(in: first) {
        if fields?[$0.field] ?? true { found.append($0.packed) }
      }
      for word in ranges.indices where !found.isEmpty && !distances[word].isEmpty {
        try lists.keep(
          &found, followedBy: lists.encodedOccurrences[cursors[word]], after: distances[word],
          cancellation)
      }
      builder.append(document: document, occurrences: found[...])
    }
    guard !builder.isCurrentTermEmpty else { return nil }
    builder.endTerm()
    return builder.build()
  }
}

extension PostingLists {
  /// The number of occurrences that count as one step, as a shift.
  fileprivate static let stepShift = 3

  /// Keeps the ascending occurrences that an occurrence of a posting follows at each of some
  /// distances, in the same field.
  fileprivate func keep(
    _ occurrences: inout [UInt32], followedBy encoded: UInt32, after distances: [Int],
    _ cancellation: CancellationCheck
  ) throws {
    try cancellation.count((occurrences.count + occurrenceCount(in: encoded)) &>> Self.stepShift)
    if distances.count == 1 {
      keep(&occurrences, followedBy: encoded, after: distances[0])
    } else {
      try keepInFields(&occurrences, followedBy: encoded, after: distances, cancellation)
    }
  }

  private func keep(
    _ occurrences: inout [UInt32], followedBy encoded: UInt32, after distance: Int
  ) {
    var index = 0
    var kept = 0
    forEachOccurrence(in: encoded) { other in
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

  /// Keeps occurrences field by field, so that a text of one word is not read once for each
  /// repetition of the word in the query.
  private func keepInFields(
    _ occurrences: inout [UInt32], followedBy encoded: UInt32, after distances: [Int],
    _ cancellation: CancellationCheck
  ) throws {
    var others: [UInt32] = []
    forEachOccurrence(in: encoded) { others.append($0.packed) }
    var (kept, start, otherStart) = (0, 0, 0)
    while start < occurrences.count {
      let field = Occurrence(packed: occurrences[start]).field
      let first = start
      while start < occurrences.count, Occurrence(packed: occurrences[start]).field == field {
        start += 1
      }
      while otherStart < others.count, Occurrence(packed: others[otherStart]).field < field {
        otherStart += 1
      }
      let firstOther = otherStart
      while otherStart < others.count, Occurrence(packed: others[otherStart]).field == field {
        otherStart += 1
      }
      let found = try Self.kept(
        of: occurrences[first..<start], followedBy: others[firstOther..<otherStart],
        after: distances, cancellation)
      for occurrence in found {
        occurrences[kept] = occurrence
        kept += 1
      }
    }
    occurrences.removeSubrange(kept...)
  }

  /// Returns the ascending occurrences in a field that others follow at each of some distances.
  private static func kept(
    of occurrences: ArraySlice<UInt32>, followedBy others: ArraySlice<UInt32>,
    after distances: [Int], _ cancellation: CancellationCheck
  ) throws -> [UInt32] {
    guard let first = occurrences.first, let last = occurrences.last, !others.isEmpty,
      let longest = distances.max()
    else { return [] }
    let (base, end) = (Occurrence(packed: first).position, Occurrence(packed: last).position)
    var found = Array(occurrences)
    if (end - base) &>> 6 < occurrences.count + others.count {
      var set = PositionSet(occurrences, from: base, to: end)
      let following = PositionSet(others, from: base, to: end + longest)
      try cancellation.count((set.words.count + following.words.count) &>> stepShift)
      for distance in distances {
        try cancellation.count(1 + set.words.count &>> stepShift)
        guard set.keep(followedBy: following, after: distance) else { return [] }
      }
      found.removeAll { !set.contains(Occurrence(packed: $0).position) }
      return found
    }
    // Few occurrences in a long text.
    for distance in distances where !found.isEmpty {
      try cancellation.count(1 + (found.count + others.count) &>> stepShift)
      var rest = others
      found.removeAll { occurrence in
        let wanted = Occurrence(packed: occurrence).position + distance
        while let other = rest.first, Occurrence(packed: other).position < wanted {
          rest.removeFirst()
        }
        return rest.first.map { Occurrence(packed: $0).position } != wanted
      }
    }
    return found
  }
}

/// Positions of a field from a first one on, 64 in each word.
private struct PositionSet {
  private let base: Int
  private(set) var words: [UInt64]

  /// The positions from `base` up to `last` of ascending occurrences in one field.
  init(_ occurrences: ArraySlice<UInt32>, from base: Int, to last: Int) {
    self.base = base
    words = [UInt64](repeating: 0, count: (last - base) &>> 6 + 1)
    for occurrence in occurrences {
      let position = Occurrence(packed: occurrence).position
      if position < base { continue }
      if position > last { break }
      words[(position - base) &>> 6] |= 1 &<< UInt64((position - base) & 63)
    }
  }

  func contains(_ position: Int) -> Bool {
    let index = (position - base) &>> 6
    guard position >= base, index < words.count else { return false }
    return words[index] & 1 &<< UInt64((position - base) & 63) != 0
  }

  /// Keeps the positions that a position of another set follows at a distance. Both sets have the
  /// same base. Returns whether any position is left.
  mutating func keep(followedBy other: PositionSet, after distance: Int) -> Bool {
    let (skipped, shift) = (distance &>> 6, UInt64(distance & 63))
    var any: UInt64 = 0
    for word in words.indices {
      let source = word + skipped
      var bits = source < other.words.count ? other.words[source] &>> shift : 0
      if shift > 0, source + 1 < other.words.count {
        bits |= other.words[source + 1] &<< (64 - shift)
      }
      words[word] &= bits
      any |= words[word]
    }
    return any != 0
  }
}
