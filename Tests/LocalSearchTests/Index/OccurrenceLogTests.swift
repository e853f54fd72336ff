import AsyncInstantSearchTesting
import TestSupport
import Testing

@testable import LocalSearch

struct OccurrenceLogTests {
  /// The lists are those of a dictionary, wherever the pieces of the log end.
  @Test(arguments: [1, 7, 64, 1 << 20], Seed.all(20))
  func listsAgreeWithADictionary(pieceLength: Int, seed: Seed) throws {
    var generator = SeededGenerator(seed: seed.value)
    let termCount = Int.random(in: 1...300, using: &generator)
    let order = Array(0..<UInt32(termCount)).shuffled(using: &generator)
    let newField = Array(0...Occurrence.maximumField).shuffled(using: &generator)
    var log = OccurrenceLog(pieceLength: pieceLength)
    var expected = [[UInt32: [Occurrence]]](repeating: [:], count: termCount)
    for document in 0..<UInt32.random(in: 0...12, using: &generator) {
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        let field = Int.random(in: 0...Occurrence.maximumField, using: &generator)
        let end = Bool.random(using: &generator) ? 60 : Occurrence.maximumPosition
        for step in 0..<Int.random(in: 0...40, using: &generator) {
          // Mostly few terms, so that some are several times in a document.
          let term = Int.random(
            in: 0..<(Bool.random(using: &generator) ? min(4, termCount) : termCount),
            using: &generator)
          let occurrence = Occurrence(
            field: field, position: end - 20 + step,
            isWholeValue: Int.random(in: 0..<9, using: &generator) == 0)
          log.append(term: term, occurrence)
          expected[term][document, default: []].append(occurrence.inField(newField[field]))
        }
      }
      log.endDocument()
    }
    let lists = try log.lists(order: order, newField: newField, CancellationCheck())
    for (number, term) in order.enumerated() {
      let postings = lists.postings(of: number)
      var found: [UInt32: [Occurrence]] = [:]
      for posting in postings {
        lists.forEachOccurrence(in: lists.encodedOccurrences[posting]) {
          found[lists.documents[posting], default: []].append($0)
        }
      }
      expectEqual(found, expected[Int(term)].mapValues { $0.sorted() })
      #expect(lists.documents[postings].elementsEqual(found.keys.sorted()))
    }
  }

  @Test func tooManyWordsAreAnError() throws {
    var log = OccurrenceLog(maximumWordCount: 2)
    for count in 1...3 {
      log.append(term: 0, Occurrence(field: 0, position: count, isWholeValue: false))
      if count == 2 { _ = try log.lists(order: [0], newField: [0], CancellationCheck()) }
    }
    #expect(throws: APIError.self) {
      try log.lists(order: [0], newField: [0], CancellationCheck())
    }
  }
}
