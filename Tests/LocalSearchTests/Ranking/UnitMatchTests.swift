import AsyncInstantSearchTesting
import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct UnitMatchTests {
  /// A permutation of all numbers below a power of two.
  private static func scattered(_ number: Int, below count: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: number) &* 2_654_435_761 & (count - 1)
  }

  private static func matches(_ count: UInt32) -> [UnitMatch] {
    (0..<Int(count)).map { UnitMatch(start: scattered($0, below: count), span: 0) }
  }

  @Test(arguments: Seed.all(8))
  func matchesAreSortedAndUnique(seed: Seed) throws {
    var random = SeededGenerator(seed: seed.value)
    for _ in 0..<20 {
      var matches = (0..<Int.random(in: 0...80, using: &random)).map { _ in
        UnitMatch(
          start: UInt32.random(in: 0...20, using: &random) << 20,
          span: UInt16.random(in: 0...3, using: &random))
      }
      if Bool.random(using: &random) { matches.sort() }
      let expected = Set(matches).sorted { ($0.start, $0.span) < ($1.start, $1.span) }
      try matches.makeAscending(CancellationCheck())
      expectEqual(matches, expected)
    }
  }

  @Test func manyUnorderedMatchesTakeFewSteps() throws {
    let count: UInt32 = 1 << 17
    let clock = CountingClock()
    let cancellation = CancellationCheck(deadline: clock.deadline(atCheck: nil))
    var matches = Self.matches(count)
    try matches.makeAscending(cancellation)
    expectEqual(matches.map(\.start), Array(0..<count))
    // n log n comparisons are 136 checks; n squared would be 1,048,576.
    #expect((32...400).contains(clock.reads), "\(clock.reads)")
  }

  @Test func sortingStopsOnCancellation() {
    let clock = CountingClock()
    let cancellation = CancellationCheck(deadline: clock.deadline(atCheck: 10))
    var matches = Self.matches(1 << 17)
    #expect(throws: SearchError.self) { try matches.makeAscending(cancellation) }
    expectEqual(clock.reads, 10)
  }

  @Test func aRecordWithVeryManyWordsIsScored() async throws {
    let count: UInt32 = 1 << 17
    let words = (0..<Int(count)).map { "a" + String(Self.scattered($0, below: count), radix: 36) }
    let fixture = try await EngineFixture([
      ["objectID": "long", "text": .string(words.joined(separator: " ") + " foo")],
      ["objectID": "short", "text": "foo abc"],
    ])
    try await expectEqual(fixture.ids(["query": "foo a"]), ["short", "long"])
  }
}
