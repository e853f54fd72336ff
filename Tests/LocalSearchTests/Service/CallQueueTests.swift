import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import Testing

struct CallQueueTests {
  private typealias Kind = TransportRequest.CallType

  /// A queue of calls that are their numbers, from 1.
  private struct Fixture {
    var queue: CallQueue<Int>
    private var count = 0

    init(limit: Int) { queue = CallQueue(limit: limit) }

    /// Adds a call; whether it begins at once.
    mutating func add(_ kind: Kind) -> Bool {
      count += 1
      _ = queue.append(kind, count)
      let beginning = queue.begin()
      #expect(beginning == nil || beginning?.call == count && beginning?.kind == kind)
      return beginning != nil
    }
  }

  @Test func asManyBeginAsTheLimitAllows() {
    var fixture = Fixture(limit: 2)
    let begins = [Kind.write, .read, .write, .read].map { fixture.add($0) }
    #expect(begins == [true, true, false, false])
    #expect(fixture.queue.workingCount == 2 && fixture.queue.waitingCount == 2)
    fixture.queue.end(.read)
    // The write came first, but the read is the one that works beside writes.
    #expect(fixture.queue.begin()?.call == 3)
    #expect(fixture.queue.begin()?.call == 4)
    #expect(fixture.queue.begin() == nil)
  }

  @Test func oneReadBeginsBesideWrites() {
    var fixture = Fixture(limit: 2)
    let begins = [Kind.write, .write, .write, .read, .read].map { fixture.add($0) }
    #expect(begins == [true, true, false, true, false])
    fixture.queue.end(.read)
    #expect(fixture.queue.begin()?.call == 5)
    #expect(fixture.queue.workingCount == 3 && fixture.queue.waitingCount == 1)
  }

  @Test(arguments: [TransportRequest.CallType.read, .write])
  func callsBeginInTheOrderInWhichTheyCame(kind: TransportRequest.CallType) {
    var queue = CallQueue<Int>(limit: 1)
    for number in 0..<40 { _ = queue.append(kind, number) }
    var order: [Int] = []
    while let beginning = queue.begin() {
      order.append(beginning.call)
      queue.end(beginning.kind)
    }
    #expect(order == Array(0..<40))
  }

  @Test func aCallThatWasRemovedDoesNotBegin() {
    var queue = CallQueue<Int>(limit: 1)
    let numbers = (0..<4).map { queue.append($0 == 1 ? .read : .write, $0) }
    #expect(queue.begin()?.call == 0)
    let removed = [0, 1, 1, 2].map { queue.remove(numbers[$0]) }
    #expect(removed == [nil, 1, nil, 2])
    #expect(queue.begin() == nil)
    queue.end(.write)
    #expect(queue.begin()?.call == 3)
    #expect(queue.waitingCount == 0)
  }

  /// Calls come, go and are removed at random: never more work than may, and none waits for a place
  /// that is free.
  @Test(arguments: 0..<UInt64(50)) func noPlaceIsFreeWhileACallWaits(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let limit = Int.random(in: 1...4, using: &generator)
    var queue = CallQueue<Int>(limit: limit)
    var working: [CallQueue<Int>.Beginning] = []
    /// The numbers to remove the waiting calls by.
    var waiting: [Int: UInt64] = [:]
    for call in 0..<300 {
      switch Int.random(in: 0..<5, using: &generator) {
      case 0..<3:
        waiting[call] = queue.append(Bool.random(using: &generator) ? .read : .write, call)
      case 3 where !working.isEmpty:
        queue.end(working.remove(at: Int.random(in: working.indices, using: &generator)).kind)
      default:
        guard let call = waiting.keys.sorted().randomElement(using: &generator) else { break }
        #expect(waiting.removeValue(forKey: call).flatMap { queue.remove($0) } == call)
      }
      while let beginning = queue.begin() {
        #expect(waiting.removeValue(forKey: beginning.call) != nil)
        working.append(beginning)
      }
      #expect(working.count <= limit + 1)
      #expect(working.count >= min(limit, working.count + waiting.count))
      #expect(queue.workingCount == working.count && queue.waitingCount == waiting.count)
    }
  }
}
