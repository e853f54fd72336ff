import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct BitCountsTests {
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
    expectEqual((0..<count).map { counts[$0] }, expected)
    var set = Bitmap(count: count)
    for document in 0..<count where Bool.random(using: &random) { set[document] = true }
    for isDescending in [false, true] {
      let limit = Int.random(in: 1...8, using: &random)
      var groups: [Int: [UInt32]] = [:]
      var order: [Int] = []
      try counts.forEachGroup(of: set, descending: isDescending, CancellationCheck()) {
        number, documents in
        groups[number] = documents.members
        order.append(number)
        return order.count < limit
      }
      let all = Dictionary(grouping: set.members) { expected[Int($0)] }
      let numbers = all.keys.sorted { isDescending ? $0 > $1 : $0 < $1 }.prefix(limit)
      expectEqual(order, Array(numbers))
      for number in numbers { expectEqual(groups[number], all[number]) }
    }
  }
}
