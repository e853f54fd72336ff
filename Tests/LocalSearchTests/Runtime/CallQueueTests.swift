import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct CallQueueTests {
  @Test func callsBeginUpToTheLimit() {
    var queue = CallQueue<Int>(limit: 2)
    for call in 0..<4 { _ = queue.append(call) }
    let begun = (0..<3).map { _ in queue.begin() }
    expectEqual(begun, [0, 1, nil])
    #expect(queue.workingCount == 2 && queue.waitingCount == 2)
    queue.end()
    let later = (0..<2).map { _ in queue.begin() }
    expectEqual(later, [2, nil])
  }

  @Test func limitIsAtLeastOne() {
    var queue = CallQueue<Int>(limit: 0)
    _ = queue.append(1)
    expectEqual(queue.limit, 1)
    let begun = queue.begin()
    expectEqual(begun, 1)
  }

  @Test func aCallThatWasRemovedDoesNotBegin() {
    var queue = CallQueue<Int>(limit: 1)
    let numbers = (0..<4).map { queue.append($0) }
    let first = queue.begin()
    expectEqual(first, 0)
    let removed = [0, 1, 1, 2].map { queue.remove(numbers[$0]) }
    expectEqual(removed, [nil, 1, nil, 2])
    queue.end()
    let next = queue.begin()
    expectEqual(next, 3)
    expectEqual(queue.waitingCount, 0)
  }

  /// Calls arrive, leave and are removed at random, compared with a plain list.
  @Test(arguments: Seed.all(50)) func callsBeginInArrivalOrder(seed: Seed) {
    var generator = SeededGenerator(seed: seed.value)
    let limit = Int.random(in: 1...4, using: &generator)
    var queue = CallQueue<Int>(limit: limit)
    var waiting: [(call: Int, number: UInt64)] = []
    var workingCount = 0
    for call in 0..<500 {
      switch Int.random(in: 0..<7, using: &generator) {
      case 0..<3:
        waiting.append((call, queue.append(call)))
      case 3 where workingCount > 0:
        queue.end()
        workingCount -= 1
      case 4... where !waiting.isEmpty:
        let (call, number) = waiting.remove(
          at: Int.random(in: waiting.indices, using: &generator))
        let removed = queue.remove(number)
        expectEqual(removed, call)
      default: break
      }
      while let begun = queue.begin() {
        #expect(!waiting.isEmpty && begun == waiting.removeFirst().call)
        workingCount += 1
      }
      #expect(workingCount == limit || waiting.isEmpty)
      #expect(queue.workingCount == workingCount && queue.waitingCount == waiting.count)
    }
  }

  /// The owners of calls.
  private final class Owner: Sendable {}
  private let owners = (0..<3).map { _ in Owner() }
  private func id(_ owner: Int) -> CallOwner {
    CallOwner(engine: ObjectIdentifier(owners[owner]))
  }

  @Test func ownersTakeTurns() {
    var queue = CallQueue<String>(limit: 1)
    for call in ["a1", "a2", "a3", "a4"] { _ = queue.append(call, of: id(0)) }
    for call in ["b1", "b2"] { _ = queue.append(call, of: id(1)) }
    var begun: [String] = []
    while let call = queue.begin() {
      begun.append(call)
      queue.end(of: id(call.hasPrefix("a") ? 0 : 1))
    }
    expectEqual(begun, ["a1", "b1", "a2", "b2", "a3", "a4"])
  }

  @Test func aCallPausesForOthersBeforeItPausesForItsOwner() {
    var queue = CallQueue<String>(limit: 1)
    _ = queue.append("a1", of: id(0))
    _ = queue.begin()
    let own = queue.append("a2", of: id(0))
    let pausesForOwn = queue.pause(of: id(0), forOwn: false, "a1 again")
    #expect(!pausesForOwn)
    _ = queue.append("b1", of: id(1))
    _ = queue.remove(own)
    let pauses = queue.pause(of: id(0), forOwn: false, "a1 again")
    #expect(pauses)
    var next = queue.begin()
    expectEqual(next, "b1")
    _ = queue.pause(of: id(1), forOwn: false, "b1 again")
    next = queue.begin()
    expectEqual(next, "a1 again")
    _ = queue.append("a3", of: id(0))
    queue.end(of: id(0))
    next = queue.begin()
    expectEqual(next, "b1 again")
  }

  /// A call that paused waits for one of each line, however many wait in the others.
  @Test func callsThatPausedTakeTurnsWithNewOnes() {
    var queue = CallQueue<String>(limit: 1)
    _ = queue.append("a1", of: id(0))
    let first = queue.begin()
    expectEqual(first, "a1")
    let isAlone = queue.pause(of: id(0), "a1 again")
    #expect(!isAlone && queue.workingCount == 1)
    for call in ["a2", "a3"] { _ = queue.append(call, of: id(0)) }
    _ = queue.append("b1", of: id(1))
    let paused = queue.pause(of: id(0), "a1 again")
    #expect(paused && queue.workingCount == 0)
    var begun: [String] = []
    while let call = queue.begin() {
      begun.append(call)
      queue.end(of: id(call.hasPrefix("a") ? 0 : 1))
    }
    expectEqual(begun, ["b1", "a2", "a1 again", "a3"])
  }

  @Test func oneOwnerBeginsAsManyCallsAsItsLimit() {
    var queue = CallQueue<String>(limit: 1, ownerLimit: 2)
    for call in ["a1", "a2", "a3"] { _ = queue.append(call, of: id(0)) }
    _ = queue.append("b1", of: id(1))
    var begun: [String?] = []
    for resumption in ["a1'", "b1'", "a2'"] {
      begun.append(queue.begin())
      _ = queue.pause(of: id(resumption.hasPrefix("a") ? 0 : 1), resumption)
    }
    // The third call of the first owner waits until another one ends.
    for _ in 0..<3 {
      begun.append(queue.begin())
      queue.end(of: id(begun.last??.hasPrefix("a") == true ? 0 : 1))
    }
    expectEqual(begun, ["a1", "b1", "a2", "a1'", "b1'", "a3"])
  }

  /// Calls of several owners arrive, pause, end and are removed at random. No limit is exceeded,
  /// and each call begins after at most one of each other line for every one before it in its own.
  @Test(arguments: Seed.all(50)) func linesTakeTurns(seed: Seed) {
    struct Waiting: Equatable {
      var call: Int
      var owner: Int
      var isPaused: Bool
    }
    var generator = SeededGenerator(seed: seed.value)
    let limit = Int.random(in: 1...3, using: &generator)
    let ownerLimit = Int.random(in: 1...4, using: &generator)
    var queue = CallQueue<Int>(limit: limit, ownerLimit: ownerLimit)
    var (waiting, numbers): ([Waiting], [Int: UInt64]) = ([], [:])
    var running: [Waiting] = []
    /// The number of other calls that began since the call waits in its line's first place.
    var passed: [Int: Int] = [:]
    for call in 0..<400 {
      let owner = Int.random(in: 0..<owners.count, using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0..<3:
        numbers[call] = queue.append(call, of: id(owner))
        waiting.append(Waiting(call: call, owner: owner, isPaused: false))
      case 3..<5 where !running.isEmpty:
        let ended = running.remove(at: running.indices.randomElement(using: &generator) ?? 0)
        queue.end(of: id(ended.owner))
      case 5..<7 where !running.isEmpty:
        let index = running.indices.randomElement(using: &generator) ?? 0
        let paused = queue.pause(of: id(running[index].owner), running[index].call)
        expectEqual(paused, !waiting.isEmpty)
        if paused {
          var call = running.remove(at: index)
          call.isPaused = true
          waiting.append(call)
        }
      case 7:
        guard let index = waiting.indices.randomElement(using: &generator),
          !waiting[index].isPaused, let number = numbers[waiting[index].call]
        else { continue }
        let removed = queue.remove(number)
        expectEqual(removed, waiting.remove(at: index).call)
      default: continue
      }
      while let begun = queue.begin() {
        guard let index = waiting.firstIndex(where: { $0.call == begun }) else {
          Issue.record("\(begun) does not wait")
          return
        }
        let call = waiting[index]
        // The first of its line.
        expectEqual(
          waiting.firstIndex { $0.owner == call.owner && $0.isPaused == call.isPaused }, index)
        waiting.remove(at: index)
        running.append(call)
        passed[begun] = nil
        for line in waiting where passed[line.call, default: 0] >= 0 {
          let isFirst =
            waiting.first { $0.owner == line.owner && $0.isPaused == line.isPaused } == line
          if isFirst { passed[line.call, default: 0] += 1 }
        }
        for (call, count) in passed {
          guard let line = waiting.first(where: { $0.call == call }) else { continue }
          if line.isPaused { #expect(count <= 4 * owners.count, "\(line)") }
        }
      }
      #expect(running.count <= limit && queue.workingCount == running.count)
      expectEqual(queue.waitingCount, waiting.count)
      for owner in owners.indices {
        let begunCount =
          running.count { $0.owner == owner } + waiting.count { $0.owner == owner && $0.isPaused }
        #expect(begunCount <= ownerLimit)
        // A call waits only because of a limit.
        if running.count < limit {
          #expect(!waiting.contains { $0.owner == owner && $0.isPaused })
          #expect(
            begunCount == ownerLimit || !waiting.contains { $0.owner == owner && !$0.isPaused })
        }
      }
    }
  }

  /// Removed calls take no memory while the first call waits.
  @Test func removedCallsAreReleased() {
    var queue = CallQueue<Int>(limit: 1)
    _ = queue.append(0)
    _ = queue.begin()
    _ = queue.append(1)
    for call in 2..<Thoroughness.count(10_000, thorough: 100_000) {
      let number = queue.append(call)
      let removed = queue.remove(number)
      expectEqual(removed, call)
    }
    #expect(queue.keptCount < 100)
  }
}
