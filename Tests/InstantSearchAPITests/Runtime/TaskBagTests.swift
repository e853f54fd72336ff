import InstantSearchAPI
import AsyncInstantSearchTesting
import TestSupport
import Testing

/// The tasks of one owner.
@Suite struct TaskBagTests {
  /// A bag whose tasks run when the test runs the executor.
  private func bag() -> (TaskBag<String>, SeededExecutor) {
    let executor = SeededExecutor(seed: 1)
    return (TaskBag(executor: executor), executor)
  }

  @Test func aReservedTaskRunsOnceStarted() {
    let (bag, executor) = bag()
    let log = SharedLog()
    bag.reserve("a")
    #expect(!bag.isEmpty)
    bag.start("a") { log.append("a ran") }
    bag.start("a") { log.append("a ran again") }
    executor.runUntilIdle()
    expectEqual(log.entries, ["a ran"])
    #expect(bag.isEmpty, "a task that ends leaves the bag")
  }

  @Test func cancelledReservationNeverStarts() {
    let (bag, executor) = bag()
    let log = SharedLog()
    bag.reserve("a")
    bag.cancel("a")
    bag.start("a") { log.append("a ran") }
    executor.runUntilIdle()
    #expect(log.entries.isEmpty)
    #expect(bag.isEmpty)
  }

  @Test func unreservedKeyNeverStarts() {
    let (bag, executor) = bag()
    let log = SharedLog()
    bag.start("a") { log.append("a ran") }
    executor.runUntilIdle()
    #expect(log.entries.isEmpty)
  }

  @Test func cancelAffectsOnlyTheTaskOfTheKey() {
    let (bag, executor) = bag()
    let log = SharedLog()
    for key in ["a", "b"] {
      bag.replace(key) { log.append("\(key) \(Task.isCancelled)") }
    }
    bag.cancel("a")
    bag.cancel("unknown")
    executor.runUntilIdle()
    expectEqual(log.entries.sorted(), ["a true", "b false"])
    #expect(bag.isEmpty)
  }

  @Test func replaceCancelsThePreviousTask() {
    let (bag, executor) = bag()
    let log = SharedLog()
    bag.replace("a") { log.append("first \(Task.isCancelled)") }
    bag.replace("a") { log.append("second \(Task.isCancelled)") }
    executor.runUntilIdle()
    expectEqual(log.entries.sorted(), ["first true", "second false"])
    #expect(bag.isEmpty, "the end of the first task does not remove the second")
  }

  @Test func aKeyCanBeReservedAgainInItsTask() {
    let (bag, executor) = bag()
    let log = SharedLog()
    bag.replace("a") {
      bag.replace("a") { log.append("second \(Task.isCancelled)") }
      log.append("first \(Task.isCancelled)")
    }
    executor.runUntilIdle()
    expectEqual(log.entries, ["first true", "second false"])
    #expect(bag.isEmpty)
  }

  @Test func cancelAllCancelsTasksAndReservations() {
    let (bag, executor) = bag()
    let log = SharedLog()
    bag.replace("a") { log.append("a \(Task.isCancelled)") }
    bag.reserve("b")
    bag.cancelAll()
    bag.start("b") { log.append("b ran") }
    executor.runUntilIdle()
    expectEqual(log.entries, ["a true"])
    #expect(bag.isEmpty)
  }

  @Test func deallocatingTheBagCancelsItsTasks() {
    let executor = SeededExecutor(seed: 1)
    let log = SharedLog()
    do {
      let bag = TaskBag<String>(executor: executor)
      bag.replace("a") { log.append("a \(Task.isCancelled)") }
    }
    executor.runUntilIdle()
    expectEqual(log.entries, ["a true"])
  }

  @Test func taskStartedWithoutABagIsNotCancelled() {
    let executor = SeededExecutor(seed: 1)
    let log = SharedLog()
    TaskBag.start(on: executor) { log.append("ran \(Task.isCancelled)") }
    executor.runUntilIdle()
    expectEqual(log.entries, ["ran false"])
  }

  /// Cancellation before, during or after the start ends the task.
  @Test(arguments: 0..<Thoroughness.count(5, thorough: 50))
  func cancellationFromAnotherThreadIsNeverLost(round: Int) async {
    let bag = TaskBag<Int>()
    let (begun, ended) = (SharedLog(), SharedLog())
    // Nothing is sent. Each task has its own stream, since a stream has one consumer.
    let streams = (0..<20).map { _ in AsyncStream<Void>.makeStream() }
    await withTaskGroup { group in
      for key in 0..<20 {
        bag.reserve(key)
        group.addTask {
          await withCheckedContinuation { continuation in
            let token = EndToken { continuation.resume() }
            let stream = streams[key].stream
            bag.start(key) {
              begun.append("\(key)")
              // The loop ends with the cancellation of the task.
              for await _ in stream {}
              ended.append("\(key)")
              withExtendedLifetime(token) {}
            }
          }
        }
        group.addTask { bag.cancel(key) }
      }
    }
    withExtendedLifetime(streams) {}
    expectEqual(begun.entries.sorted(), ended.entries.sorted())
    #expect(bag.isEmpty)
  }
}

/// Entries of several tasks.
private final class SharedLog: Sendable {
  private let state = Lock<[String]>([])

  var entries: [String] { state.withLock { $0 } }

  func append(_ entry: String) { state.withLock { $0.append(entry) } }
}

/// Calls a closure when it is released: when a task has ended or will never begin.
private final class EndToken: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit { end() }
}
