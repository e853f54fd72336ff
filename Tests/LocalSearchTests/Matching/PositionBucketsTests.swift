import InstantSearchAPI
import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct PositionBucketsTests {
  /// A permutation of all numbers below a power of two.
  private static func scattered(_ number: Int, below count: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: number) &* 2_654_435_761 & (count - 1)
  }

  private static func oneDocument(_ count: UInt32) -> PositionBuckets {
    var buckets = PositionBuckets(documentCount: 1)
    for number in 0..<Int(count) {
      buckets.add(index: 0, start: scattered(number, below: count), span: 0)
    }
    return buckets
  }

  @Test(arguments: Seed.all(8))
  func positionsAreSortedAndUniquePerDocument(seed: Seed) throws {
    var random = SeededGenerator(seed: seed.value)
    let documents = Int.random(in: 1...6, using: &random)
    var buckets = PositionBuckets(documentCount: documents)
    var expected = [Set<[Int]>](repeating: [], count: documents)
    for _ in 0..<Int.random(in: 0...80, using: &random) {
      let index = Int.random(in: 0..<documents, using: &random)
      let start = UInt32.random(in: 0...20, using: &random) << 20
      let span = UInt16.random(in: 0...3, using: &random)
      buckets.add(index: index, start: start, span: span)
      expected[index].insert([Int(start), Int(span)])
    }
    var starts: [UInt32] = [7]
    var spans: [UInt16] = [7]
    var offsets: [Int32] = [0]
    try buckets.append(to: &starts, &spans, offsets: &offsets, CancellationCheck())
    let sorted = expected.map { $0.sorted { $0.lexicographicallyPrecedes($1) } }
    #expect(zip(starts, spans).map { [Int($0), Int($1)] } == [[7, 7]] + sorted.flatMap(\.self))
    var offset: Int32 = 1
    for (index, list) in sorted.enumerated() {
      #expect(offsets[index + 1] == offset)
      offset += Int32(list.count)
    }
  }

  @Test func manyUnorderedPositionsTakeFewSteps() throws {
    let count: UInt32 = 1 << 17
    let clock = CountingClock()
    let cancellation = CancellationCheck(deadline: clock.deadline(atCheck: nil))
    var (starts, spans, offsets): ([UInt32], [UInt16], [Int32]) = ([], [], [])
    try Self.oneDocument(count).append(to: &starts, &spans, offsets: &offsets, cancellation)
    #expect(starts == Array(0..<count))
    // n log n comparisons are 34 checks; n squared would be 262,144.
    #expect((8...100).contains(clock.reads), "\(clock.reads)")
  }

  @Test func sortingStopsOnCancellation() {
    let clock = CountingClock()
    let cancellation = CancellationCheck(deadline: clock.deadline(atCheck: 10))
    var (starts, spans, offsets): ([UInt32], [UInt16], [Int32]) = ([], [], [])
    #expect(throws: SearchError.self) {
      try Self.oneDocument(1 << 17).append(to: &starts, &spans, offsets: &offsets, cancellation)
    }
    #expect(clock.reads == 10)
    #expect(starts.isEmpty)
  }

  @Test func aRecordWithVeryManyWordsIsScored() async throws {
    let count: UInt32 = 1 << 17
    let words = (0..<Int(count)).map { "a" + String(Self.scattered($0, below: count), radix: 36) }
    let fixture = try await EngineFixture([
      ["objectID": "long", "text": .string(words.joined(separator: " ") + " foo")],
      ["objectID": "short", "text": "foo abc"],
    ])
    #expect(try await fixture.ids(["query": "foo a"]) == ["short", "long"])
  }
}
