import InstantSearchAPI
import AsyncInstantSearchTesting
import TestSupport
import Testing

struct StreamHubTests {
  @Test func aNewSubscriberReceivesTheCurrentValueFirst() async {
    let hub = StreamHub<Int>(initial: 1, replaysCurrent: true)
    var iterator = hub.stream().makeAsyncIterator()
    await expectEqual(iterator.next(), 1)
  }

  @Test func eventsAreNotReplayed() async {
    let hub = StreamHub<Int>(initial: 1, replaysCurrent: false)
    var iterator = hub.stream().makeAsyncIterator()
    hub.send(2)
    await expectEqual(iterator.next(), 2)
  }

  @Test func everySubscriberReceivesTheNewestValue() async {
    let hub = StreamHub<Int>(replaysCurrent: true)
    var first = hub.stream().makeAsyncIterator()
    var second = hub.stream().makeAsyncIterator()
    for value in 1...100 { hub.send(value) }
    await expectEqual(first.next(), 100)
    await expectEqual(second.next(), 100)
  }

  @Test func aSlowSubscriberKeepsOneValue() async {
    let hub = StreamHub<Int>(replaysCurrent: true)
    var iterator = hub.stream().makeAsyncIterator()
    for value in 1...100 { hub.send(value) }
    hub.finish()
    await expectEqual(iterator.next(), 100)
    #expect(await iterator.next() == nil)
  }

  @Test(arguments: [(StreamBuffering.newest(3), [98, 99, 100]), (.unbounded, Array(1...100))])
  func subscriberChoosesTheBuffering(buffering: StreamBuffering, expected: [Int]) async {
    let hub = StreamHub<Int>(replaysCurrent: true)
    let stream = hub.stream(buffering: buffering)
    for value in 1...100 { hub.send(value) }
    hub.finish()
    var received: [Int] = []
    for await value in stream { received.append(value) }
    expectEqual(received, expected)
  }

  @Test func equalValuesAreNotRepeated() async {
    let hub = StreamHub<Int>(initial: 0, replaysCurrent: true, areEqual: ==)
    let stream = hub.stream(buffering: .unbounded)
    for value in [0, 1, 1, 2, 2, 1] { hub.send(value) }
    hub.finish()
    var received: [Int] = []
    for await value in stream { received.append(value) }
    expectEqual(received, [0, 1, 2, 1])
  }

  @Test func leavingTheLoopReleasesTheSubscription() async {
    let hub = StreamHub<Int>(initial: 1, replaysCurrent: true)
    for await _ in hub.stream() {
      expectEqual(hub.subscriberCount, 1)
      break
    }
    expectEqual(hub.subscriberCount, 0)
  }

  @Test func deallocatingTheStreamReleasesTheSubscription() {
    let hub = StreamHub<Int>(initial: 1, replaysCurrent: true)
    do {
      let stream = hub.stream()
      expectEqual(hub.subscriberCount, 1)
      withExtendedLifetime(stream) {}
    }
    expectEqual(hub.subscriberCount, 0)
  }

  @Test func cancellationEndsTheLoopAndReleasesTheSubscription() async {
    let hub = StreamHub<Int>(initial: 1, replaysCurrent: true)
    let (started, startedContinuation) = AsyncStream.makeStream(of: Void.self)
    let consumer = Task {
      var count = 0
      for await _ in hub.stream() {
        count += 1
        startedContinuation.yield()
      }
      return count
    }
    for await _ in started { break }
    consumer.cancel()
    await expectEqual(consumer.value, 1)
    expectEqual(hub.subscriberCount, 0)
  }

  @Test func everySubscriberReceivesTheEndEvenLateOnes() async {
    let hub = StreamHub<Int>(replaysCurrent: true)
    let waiting = Task {
      var iterator = hub.stream().makeAsyncIterator()
      return await iterator.next()
    }
    hub.finish()
    #expect(await waiting.value == nil)
    var late = hub.stream().makeAsyncIterator()
    #expect(await late.next() == nil)
  }

  @Test func transformSkipsValuesItMapsToNil() async {
    let hub = StreamHub<Int>(replaysCurrent: true)
    let stream = hub.stream(buffering: .unbounded) { $0.isMultiple(of: 2) ? "\($0)" : nil }
    for value in 1...5 { hub.send(value) }
    hub.finish()
    var received: [String] = []
    for await value in stream { received.append(value) }
    expectEqual(received, ["2", "4"])
  }
}

/// What a hub buffers, and what it does while holding its lock.
struct StreamHubLifetimeTests {
  /// A value that counts its instances, and reads the hub when it is released.
  private final class Value: Sendable {
    let number: Int
    private let alive: Counter
    private let released: @Sendable () -> Void

    init(_ number: Int, alive: Counter, released: @escaping @Sendable () -> Void = {}) {
      self.number = number
      self.alive = alive
      self.released = released
      alive.add(1)
    }

    deinit {
      alive.add(-1)
      released()
    }
  }

  private final class Counter: Sendable {
    private let state = Lock(0)
    var value: Int { state.withLock { $0 } }
    func add(_ number: Int) { state.withLock { $0 += number } }
  }

  @Test func slowSubscriberBuffersOneValue() async {
    let alive = Counter()
    let hub = StreamHub<Value>(replaysCurrent: false)
    var iterator = hub.stream().makeAsyncIterator()
    for number in 0..<100 { hub.send(Value(number, alive: alive)) }
    expectEqual(alive.value, 1)
    await expectEqual(iterator.next()?.number, 99)
    expectEqual(alive.value, 1)
    hub.send(Value(100, alive: alive))
    expectEqual(alive.value, 1)
  }

  @Test func readValueIsReleased() async {
    let alive = Counter()
    let hub = StreamHub<Value>(replaysCurrent: false)
    var iterator = hub.stream(buffering: .unbounded).makeAsyncIterator()
    for number in 0..<1000 { hub.send(Value(number, alive: alive)) }
    for number in 0..<1000 { await expectEqual(iterator.next()?.number, number) }
    // The hub's current value is the last one.
    expectEqual(alive.value, 1)
  }

  @Test func releasedValueCanUseTheHub() async {
    let alive = Counter()
    let hub = StreamHub<Value>(replaysCurrent: true)
    let stream = hub.stream()
    for number in 0..<3 {
      hub.send(Value(number, alive: alive) { [weak hub] in _ = hub?.subscriberCount })
    }
    var iterator = stream.makeAsyncIterator()
    await expectEqual(iterator.next()?.number, 2)
    expectEqual(alive.value, 1)
  }

  @Test func aWaitingSubscriberReceivesTheEnd() async {
    let executor = SeededExecutor(seed: 1)
    let hub = StreamHub<Int>(replaysCurrent: true)
    let ended = Counter()
    let consumer = Task(executorPreference: executor) {
      for await _ in hub.stream() {}
      ended.add(1)
    }
    executor.runUntilIdle()
    expectEqual(hub.subscriberCount, 1)
    hub.finish()
    executor.runUntilIdle()
    expectEqual(ended.value, 1)
    consumer.cancel()
  }

  @Test func subscriberThatMissedAChangeAndItsReversalReceivesNothing() async {
    let hub = StreamHub<Int>(initial: 0, replaysCurrent: true, areEqual: ==)
    var iterator = hub.stream().makeAsyncIterator()
    await expectEqual(iterator.next(), 0)
    hub.send(1)
    hub.send(0)
    hub.finish()
    #expect(await iterator.next() == nil)
  }

  @Test func continuationsAreResumedOutsideTheLock() async {
    let hub = StreamHub<Int>(replaysCurrent: true)
    let executor = ProbingExecutor { [weak hub] in _ = hub?.subscriberCount }
    let consumer = Task(executorPreference: executor) {
      var values: [Int] = []
      for await value in hub.stream(buffering: .unbounded) { values.append(value) }
      return values
    }
    executor.runUntilIdle()
    hub.send(1)
    executor.runUntilIdle()
    hub.send(2)
    hub.finish()
    executor.runUntilIdle()
    await expectEqual(consumer.value, [1, 2])
  }
}
