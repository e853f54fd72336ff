import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct PartitionedDictionaryTests {
  @Test(arguments: [10, 4096, Thoroughness.count(10_000, thorough: 50_000)])
  func contentsMatchADictionary(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    var plain: [String: Int] = [:]
    var parted = PartitionedDictionary<String, Int>()
    for number in 0..<2 * count {
      let key = "\(Int.random(in: 0..<count, using: &generator))"
      expectEqual(parted[key], plain[key])
      if number.isMultiple(of: 3) {
        expectEqual(parted.removeValue(forKey: key), plain.removeValue(forKey: key))
      } else {
        plain[key] = number
        try parted.set(number, for: key, CancellationCheck())
      }
    }
    for number in 0..<count { expectEqual(parted["\(number)"], plain["\(number)"]) }
  }

  /// No insertion moves more than a small share of the keys, and moves are counted.
  @Test func itGrowsInSmallSteps() throws {
    let clock = CountingClock()
    let cancellation = CancellationCheck(deadline: clock.deadline(atCheck: nil), interval: 128)
    var parted = PartitionedDictionary<Int, Int>()
    for key in 0..<100_000 { try parted.set(key, for: key, cancellation) }
    #expect(parted.largestPartCount < 2000)
    // Each key is moved when its part grows, about once.
    #expect(clock.reads > 100_000 / 128 / 2)
  }
}
