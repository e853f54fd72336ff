import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct BestDocumentsTests {
  /// Whatever is added, the best remain, in order, each in the slot that was returned for it.
  @Test(arguments: Seed.all(200, quick: 20))
  func bestAreTheFirstOfTheSorted(seed: Seed) throws {
    var random = SeededGenerator(seed: seed.value)
    let width = Int.random(in: 1...4, using: &random)
    let limit = Int.random(in: 1...30, using: &random)
    var best = BestDocuments(limit: limit, width: width)
    var all: [(document: UInt32, values: [Int])] = []
    var inSlot: [Int: UInt32] = [:]
    for document in 0..<UInt32.random(in: 0...200, using: &random) {
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
    let expected = all.sorted { $0.values.lexicographicallyPrecedes($1.values) }.prefix(limit)
    let sorted = try best.sorted(CancellationCheck())
    #expect(sorted.map(\.document) == expected.map(\.document))
    #expect(sorted.allSatisfy { inSlot[$0.slot] == $0.document })
  }

  /// The sums of random additions, and the groups of equal sums, against a list of numbers.
  @Test(arguments: Seed.all(200, quick: 20))
  func countsAgreeWithAList(seed: Seed) throws {
    var random = SeededGenerator(seed: seed.value)
    let count = Int.random(in: 1...200, using: &random)
    var counts = BitCounts(count: count)
    var expected = [Int](repeating: 0, count: count)
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      var addend = [Bitmap](
        repeating: Bitmap(count: count), count: Int.random(in: 0...3, using: &random))
      let times = Int.random(in: 0...5, using: &random)
      for document in 0..<count {
        for plane in addend.indices where Bool.random(using: &random) {
          addend[plane][document] = true
          expected[document] += times << plane
        }
      }
      counts.add(addend, times: times)
    }
    for _ in 0..<10 {
      let document = Int.random(in: 0..<count, using: &random)
      expected[document] = Int.random(in: 0...40, using: &random)
      counts[document] = expected[document]
    }
    #expect((0..<count).map { counts[$0] } == expected)
    var set = Bitmap(count: count)
    for document in 0..<count where Bool.random(using: &random) { set[document] = true }
    for isDescending in [false, true] {
      let limit = Int.random(in: 1...8, using: &random)
      var groups: [Int: [UInt32]] = [:]
      var order: [Int] = []
      counts.forEachGroup(of: set, descending: isDescending) { number, documents in
        groups[number] = documents.members
        order.append(number)
        return order.count < limit
      }
      let all = Dictionary(grouping: set.members) { expected[Int($0)] }
      let numbers = all.keys.sorted { isDescending ? $0 > $1 : $0 < $1 }.prefix(limit)
      #expect(order == Array(numbers))
      for number in numbers { #expect(groups[number] == all[number]) }
    }
  }
}
