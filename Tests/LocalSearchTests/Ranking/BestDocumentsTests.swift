import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct BestDocumentsTests {
  /// Whatever is added, the best that are not behind the bound remain, in order, each in the slot
  /// that was returned for it.
  @Test(arguments: Seed.all(200, quick: 20))
  func bestAreTheFirstOfTheSorted(seed: Seed) throws {
    var random = SeededGenerator(seed: seed.value)
    let width = Int.random(in: 1...4, using: &random)
    let limit = Int.random(in: 1...30, using: &random)
    let count = UInt32.random(in: 0...200, using: &random)
    let bound = (0..<Int.random(in: 0..<width, using: &random)).map { _ in
      Int.random(in: -2...2, using: &random)
    }
    var best = BestDocuments(limit: limit, of: Int(count), width: width, bound: bound[...])
    var all: [(document: UInt32, values: [Int])] = []
    var inSlot: [Int: UInt32] = [:]
    for document in 0..<count {
      // The last value differs, so that the order is total.
      let values =
        (0..<width - 1).map { _ in Int.random(in: -2...2, using: &random) }
        + [Int(document) &* 7919 % 1009]
      all.append((document, values))
      if best.isFull {
        let last = (0..<width).map { best.lastValue($0) }
        guard values.lexicographicallyPrecedes(last) else { continue }
      }
      inSlot[best.add(document, values)] = document
    }
    let expected = all.filter { !bound.lexicographicallyPrecedes($0.values.prefix(bound.count)) }
      .sorted { $0.values.lexicographicallyPrecedes($1.values) }.prefix(limit)
    let sorted = try best.sorted(CancellationCheck())
    expectEqual(sorted.map(\.document), expected.map(\.document))
    #expect(sorted.allSatisfy { inSlot[$0.slot] == $0.document })
  }
}
