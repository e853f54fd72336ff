import AsyncInstantSearchTesting
import TestSupport
import Testing

struct CallGateTests {
  @Test func callsWaitForTheGateToOpen() {
    let gate = CallGate()
    let log = Log()
    let executor = QueueExecutor()
    for number in 1...3 {
      Task(executorPreference: executor) {
        await gate.pass()
        log.append(number)
      }
    }
    executor.runUntilIdle()
    expectEqual(gate.callCount, 3)
    expectEqual(log.values, [])
    gate.open()
    executor.runUntilIdle()
    expectEqual(log.values, [1, 2, 3])
  }

  @Test func aCancelledCallStaysAtTheGate() {
    let gate = CallGate()
    let log = Log()
    let executor = QueueExecutor()
    let call = Task(executorPreference: executor) {
      await gate.pass()
      log.append(1)
    }
    executor.runUntilIdle()
    call.cancel()
    executor.runUntilIdle()
    expectEqual(log.values, [])
    gate.open()
    executor.runUntilIdle()
    expectEqual(log.values, [1])
  }

  @Test func testWaitsForTheGivenNumberOfCalls() {
    let gate = CallGate()
    let log = Log()
    let executor = QueueExecutor()
    for count in 1...2 {
      Task(executorPreference: executor) {
        await gate.waitForCalls(count)
        log.append(count)
      }
    }
    for arrived in 1...2 {
      executor.runUntilIdle()
      expectEqual(log.values, Array(1..<arrived))
      Task(executorPreference: executor) { await gate.pass() }
    }
    executor.runUntilIdle()
    expectEqual(log.values, [1, 2])
    gate.open()
    executor.runUntilIdle()
  }

  @Test func openingTheGateAndCancellationEndTheWait() async {
    let gate = CallGate()
    let waiting = Task {
      await untilCancelled()
      await gate.waitForCalls()
    }
    waiting.cancel()
    await waiting.value
    gate.open()
    await gate.waitForCalls(7)
    await gate.pass()
    expectEqual(gate.callCount, 1)
  }
}
