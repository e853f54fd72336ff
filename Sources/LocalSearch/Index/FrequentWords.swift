import Synchronization

/// The documents with a frequent word, or with the words of a frequent prefix, as bitmaps.
///
/// A letter matches a good part of all documents. With the bitmaps, neither matching nor ranking
/// reads the postings of all words that begin with it.
final class FrequentSets: Sendable {
  /// The documents with one of the words.
  let documents: Bitmap
  /// The documents with one of the words in an attribute of the first rank.
  let inFirstAttributes: Bitmap
  /// The documents with one of the words at the lowest key, 0.
  let atStart: Bitmap
  /// For a single word, the documents in which it is the whole value of an attribute.
  let asWholeValue: Bitmap?

  /// The maximum number of bytes of the sets of some words: four bits per document, and the
  /// overhead of the objects.
  static func size(documentCount: Int) -> Int { 4 * documentCount / 8 + 300 }

  /// Reads the postings of some words.
  fileprivate init(
    of terms: Range<Int>, in index: TextIndex, documentCount: Int,
    _ cancellation: CancellationCheck
  ) throws {
    let keys = index.keys
    let lists = index.postings
    var documents = Bitmap(count: documentCount)
    var (inFirstAttributes, atStart) = (documents, documents)
    var asWholeValue = terms.count == 1 ? documents : nil
    let firstRankEnd = UInt32(FieldKeys.first(ofRank: 1))
    for posting in lists.postings(of: terms) {
      try cancellation.count(element: posting)
      let encoded = lists.encodedOccurrences[posting]
      let document = Int(lists.documents[posting])
      documents.insert(document)
      if encoded & PostingLists.overflowFlag != 0 {
        try cancellation.count(lists.occurrenceCount(in: encoded) &>> 4)
      }
      let lowest = keys.lowestKey(in: encoded, of: lists)
      if lowest < firstRankEnd { inFirstAttributes.insert(document) }
      if lowest == 0 { atStart.insert(document) }
      if terms.count == 1, lists.containsOccurrence(in: encoded, where: \.isWholeValue) {
        asWholeValue?.insert(document)
      }
    }
    self.documents = documents
    self.inFirstAttributes = inFirstAttributes
    self.atStart = atStart
    self.asWholeValue = asWholeValue
  }
}

/// The sets of the most frequent words and prefixes of a text index, each made when it is first
/// needed.
final class FrequentWords: Sendable {
  private struct Entry {
    let sets: FrequentSets
    let postingCount: Int
  }

  private let entries = Mutex<[Range<Int>: Entry]>([:])

  /// Words are frequent if they have postings for this share of the documents.
  private static let share = 8
  /// The number of postings of the least frequent words.
  private static let minimumCount = 32
  /// The number of bytes that all sets may take for each posting of the index.
  private static let bytesOfPosting = 2

  /// Returns the sets of a word, or of the words with a prefix, or `nil` if they are not frequent.
  ///
  /// When the memory limit is reached, more frequent words evict less frequent ones.
  func sets(
    of terms: Range<Int>, in index: TextIndex, documentCount: Int,
    _ cancellation: CancellationCheck
  ) throws -> FrequentSets? {
    let count = index.postings.postings(of: terms).count
    guard count >= Self.minimumCount, count >= documentCount / Self.share else { return nil }
    let room =
      Self.bytesOfPosting * index.postings.documents.count
      / FrequentSets.size(documentCount: documentCount)
    let (known, isRoom) = entries.withLock { entries in
      if let known = entries[terms] { return (known.sets as FrequentSets?, true) }
      return (nil, entries.count < room || entries.values.contains { $0.postingCount < count })
    }
    if known != nil || !isRoom { return known }
    let sets = try FrequentSets(
      of: terms, in: index, documentCount: documentCount, cancellation)
    entries.withLock { entries in
      entries[terms] = Entry(sets: sets, postingCount: count)
      guard entries.count > room else { return }
      let least = entries.min { $0.value.postingCount < $1.value.postingCount }
      if let least { entries[least.key] = nil }
    }
    return sets
  }
}
