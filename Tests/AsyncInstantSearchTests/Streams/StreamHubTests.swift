import AsyncInstantSearch
import Testing

@Suite struct StreamHubTests {
  @Test func aNewSubscriberReceivesTheCurrentValueFirst() async {
    let hub = StreamHub<Int>(initial: 1, replaysCurrent: true)
    var iterator = hub.stream().makeAsyncIterator()
    #expect(await iterator.next() == 1)
  }

  @Test func eventsAreNotReplayed() async {
    let hub = StreamHub<Int>(initial: 1, replaysCurrent: false)
    var iterator = hub.stream().makeAsyncIterator()
    hub.send(2)
    #expect(await iterator.next() == 2)
  }

  @Test func everySubscriberReceivesTheNewestValue() async {
    let hub = StreamHub<Int>(replaysCurrent: true)
    var first = hub.stream().makeAsyncIterator()
    var second = hub.stream().makeAsyncIterator()
    for value in 1...100 { hub.send(value) }
    #expect(await first.next() == 100)
    #expect(await second.next() == 100)
  }

  @Test func aSlowSubscriberKeepsOneValue() async {
    let hub = StreamHub<Int>(replaysCurrent: true)
    var iterator = hub.stream().makeAsyncIterator()
    for value in 1...100 { hub.send(value) }
    hub.finish()
    #expect(await iterator.next() == 100)
    #expect(await iterator.next() == nil)
  }

  @Test(arguments: [(StreamBuffering.newest(3), [98, 99, 100]), (.unbounded, Array(1...100))])
  func theBufferingIsTheSubscribersChoice(buffering: StreamBuffering, expected: [Int]) async {
    let hub = StreamHub<Int>(replaysCurrent: true)
    let stream = hub.stream(buffering: buffering)
    for value in 1...100 { hub.send(value) }
    hub.finish()
    var received: [Int] = []
    for await value in stream { received.append(value) }
    #expect(received == expected)
  }

  @Test func equalValuesAreNotRepeated() async {
    let hub = StreamHub<Int>(initial: 0, replaysCurrent: true, areEqual: ==)
    let stream = hub.stream(buffering: .unbounded)
    for value in [0, 1, 1, 2, 2, 1] { hub.send(value) }
    hub.finish()
    var received: [Int] = []
    for await value in stream { received.append(value) }
    #expect(received == [0, 1, 2, 1])
  }

  @Test func leavingTheLoopReleasesTheSubscription() async {
    let hub = StreamHub<Int>(initial: 1, replaysCurrent: true)
    for await _ in hub.stream() {
      #expect(hub.subscriberCount == 1)
      break
    }
    #expect(hub.subscriberCount == 0)
  }

  @Test func droppingTheStreamReleasesTheSubscription() {
    let hub = StreamHub<Int>(initial: 1, replaysCurrent: true)
    do {
      let stream = hub.stream()
      #expect(hub.subscriberCount == 1)
      withExtendedLifetime(stream) {}
    }
    #expect(hub.subscriberCount == 0)
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
    #expect(await consumer.value == 1)
    #expect(hub.subscriberCount == 0)
  }

  @Test func theEndReachesEverySubscriberAlsoLateOnes() async {
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

  @Test func aTransformLeavesOutWhatItRefuses() async {
    let hub = StreamHub<Int>(replaysCurrent: true)
    let stream = hub.stream(buffering: .unbounded) { $0.isMultiple(of: 2) ? "\($0)" : nil }
    for value in 1...5 { hub.send(value) }
    hub.finish()
    var received: [String] = []
    for await value in stream { received.append(value) }
    #expect(received == ["2", "4"])
  }
}
