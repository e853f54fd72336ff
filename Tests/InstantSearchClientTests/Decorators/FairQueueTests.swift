import InstantSearchClient
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// Which calls are evicted when the queue is full.
struct FairQueueTests {
  private let harness = RateLimitHarness()

  @Test func fullQueueEvictsCallsOfTheLongestLane() {
    let transport = harness.transport(waiting: 100)
    for number in 0..<150 { harness.begin(.search("flood \(number)", in: "flood"), on: transport) }
    #expect(transport.waitingCalls == 100 && harness.outcomes.value["flood 100"] == nil)
    for (text, lane) in [("b 0", "b"), ("b 1", "b"), ("c 0", "c")] {
      harness.begin(.search(text, in: lane), on: transport)
      #expect(harness.outcomes.value[text] == nil && transport.waitingCalls == 100)
    }
    // The newest calls of the flood were evicted.
    let refused = harness.outcomes.value.filter { $0.value == "rateLimited" }.keys
    expectEqual(Set(refused), Set((98..<150).map { "flood \($0)" }))
    for _ in 0..<5 {
      harness.begin(.search("more", in: "flood"), on: transport)
      harness.advance(by: .milliseconds(100))
    }
    #expect(
      harness.texts.prefix(6).elementsEqual(["flood 0", "flood 1", "b 0", "c 0", "flood 2", "b 1"]))
    for _ in 0..<100 { harness.advance(by: .milliseconds(100)) }
    #expect(transport.waitingCalls == 0 && !transport.hasTimer && harness.clock.sleeperCount == 0)
  }

  @Test func laneOfEqualLengthEvictsNoCall() {
    let transport = harness.transport(waiting: 4)
    for text in ["a 0", "a 1", "a 2", "b 0", "b 1", "b 2", "c 0", "a 3", "c 1"] {
      harness.begin(.search(text, in: String(text.prefix(1))), on: transport)
    }
    let refused = harness.outcomes.value.filter { $0.value == "rateLimited" }.keys.sorted()
    #expect(refused.count == 4 && transport.waitingCalls == 4)
    #expect(refused.contains("b 2") && refused.contains("a 3") && refused.contains("c 1"))
  }

  /// Calls that arrive, are admitted and leave in 200 orders, against lanes in plain arrays.
  @Test(arguments: Seed.all(200))
  func theQueueKnowsItsLongestLane(seed: Seed) {
    var generator = SeededGenerator(seed: seed.value)
    var queue = FairQueue()
    var lanes: [String: [UInt64]] = [:]
    var held: Set<String> = []
    for number in 0..<UInt64(300) {
      let lane = "\(Int.random(in: 0..<5, using: &generator))"
      switch Int.random(in: 0..<8, using: &generator) {
      case 6:
        queue.hold(lane)
        held.insert(lane)
      case 7:
        queue.release(lane)
        held.remove(lane)
      case 0:
        let last = lanes[lane]?.randomElement(using: &generator) ?? number
        expectEqual(queue.remove(last, in: lane) != nil, lanes[lane]?.contains(last) ?? false)
        lanes[lane]?.removeAll { $0 == last }
      case 1:
        let next = queue.dequeue()?.number
        let owner = next.flatMap { next in lanes.first { $0.value.first == next }?.key }
        let isServed = lanes.contains { !held.contains($0.key) && !$0.value.isEmpty }
        expectEqual(next == nil, !isServed, "seed \(seed.value)")
        #expect(owner.map(held.contains) != true, "seed \(seed.value): a lane on hold")
        expectEqual(next == nil, owner == nil, "seed \(seed.value): not the first of a lane")
        if let owner { lanes[owner]?.removeFirst() }
      case 2:
        let longest = lanes.values.map(\.count).max() ?? 0
        let previous = queue.count
        expectEqual(queue.evictNewest(favoring: lane) == nil, longest == 0)
        // The evicted call is determined by checking which ones remain.
        let owner = lanes.filter { $0.value.count == longest && longest > 0 }
          .first { lane, numbers in
            var copy = queue
            return numbers.last.flatMap { copy.remove($0, in: lane) } == nil
          }?.key
        expectEqual(
          owner == nil, longest == 0, "seed \(seed.value): not the newest of a longest lane")
        if lanes[lane]?.count == longest, longest > 0 {
          expectEqual(owner, lane, "seed \(seed.value)")
        }
        if let owner { lanes[owner]?.removeLast() }
        expectEqual(queue.count, max(0, previous - 1))
      default:
        expectEqual(queue.hasCalls(in: lane), lanes[lane]?.isEmpty == false)
        expectEqual(Set(queue.heldLanes), held)
        queue.enqueue(number, in: lane, FairQueue.Caller())
        lanes[lane, default: []].append(number)
      }
      expectEqual(queue.count, lanes.values.reduce(0) { $0 + $1.count }, "seed \(seed.value)")
    }
  }
}
