import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch

/// How many executor jobs a keystroke takes: the steps of all tasks that a searcher and its list
/// make from `setQuery` to the rows.
///
/// A job is a task's start or its return from a suspension. The jobs run on the calling thread, one
/// after another, and the clock is moved by hand, so the numbers are the same in each run. Those of
/// the engine, which has an executor of its own, are not counted.
enum KeystrokeJobs {
  /// A way to type.
  private struct Typing {
    let name: String
    var debounce: Duration = .milliseconds(150)
    /// How many keystrokes come within one debounce, 10 ms apart.
    var burst = 1
    /// How long the typist pauses after a burst; until the rows are there when `nil`.
    var pause: Duration?
    /// The largest number of jobs that is accepted.
    let limit: Double
  }

  private static let typings = [
    Typing(name: "as soon as the rows are there", limit: 4),
    Typing(name: "every 200 ms", pause: .milliseconds(200), limit: 4),
    Typing(
      name: "every 200 ms, without debounce", debounce: .zero, pause: .milliseconds(200), limit: 4),
    Typing(name: "every second", pause: .seconds(1), limit: 4),
    Typing(name: "ten within one debounce", burst: 10, pause: .milliseconds(200), limit: 8),
  ]

  private static let latency = Duration.milliseconds(20)

  private static let answer = TransportResponse(
    status: 200,
    body: Array(#"{"hits":[{"objectID":"1","name":"a"}],"nbHits":1,"nbPages":1,"page":0}"#.utf8))

  /// Prints the number of jobs for each way to type; throws when one is too large.
  static func report(asJSON: Bool) throws {
    for typing in typings {
      let count = try jobs(typing).rounded(toPlaces: 2)
      print(
        asJSON
          ? #"{"name":"keystroke.jobs","typing":"\#(typing.name)","jobs":\#(count)}"#
          : "keystroke.jobs, \(typing.name): \(count)")
      if count > typing.limit {
        throw Mismatch(description: "At most \(typing.limit) jobs were expected, not \(count).")
      }
    }
    let time = setting()
    print(
      asJSON
        ? #"{"name":"keystroke.set","us":\#(time.rounded(toPlaces: 2))}"#
        : "keystroke.set: \(time.rounded(toPlaces: 2)) µs for a call of setQuery")
  }

  /// The number of jobs of a burst, on average.
  private static func jobs(_ typing: Typing) throws -> Double {
    let executor = CallingThreadExecutor()
    let clock = ManualClock()
    let server = CallingThreadExecutor()
    var configuration = LocalSearch.Configuration()
    configuration.executor = server
    let engine = try server.value { [configuration] in
      try await LocalSearch(
        indexName: "products", records: [["name": "a"] as JSON], configuration: configuration)
    }
    let searcher = HitsSearcher(
      client: SearchClient(transport: engine), indexName: "products",
      debounce: typing.debounce, options: .init(clock: clock, executor: executor))
    let list = HitsInteractor<JSON>(executor: executor)
    list.connectSearcher(searcher)
    let step = Duration.milliseconds(10)
    var age = Duration.zero
    /// Moves the clock, runs what that makes ready, and lets the engine answer an old call.
    func run() {
      clock.advance(by: step)
      executor.runUntilIdle()
      age = server.isIdle ? .zero : age + step
      if age >= latency {
        server.runUntilIdle()
        executor.runUntilIdle()
      }
    }
    var text = 0
    var before = 0
    // The first bursts find no timer.
    let (first, count) = (2, 60)
    for burst in 0..<(first + count) {
      if burst == first { before = executor.count }
      for _ in 0..<typing.burst {
        text += 1
        searcher.setQuery("\(text)")
        executor.runUntilIdle()
        if typing.burst > 1 { run() }
      }
      let pause = typing.pause ?? typing.debounce + latency
      for _ in 0..<Int(pause / step) { run() }
      guard list.state.query == "\(text)", !list.state.isLoading else {
        throw Mismatch(description: "The list does not show the answer for \(text).")
      }
    }
    return Double(executor.count - before) / Double(count)
  }

  /// How long `setQuery` takes while a search is due, in microseconds.
  private static func setting() -> Double {
    let searcher = HitsSearcher(
      client: SearchClient(transport: ScriptedTransport { _, _ in answer }), indexName: "products",
      debounce: .seconds(60))
    let list = HitsInteractor<JSON>()
    list.connectSearcher(searcher)
    let texts = (0..<1_000).map { "text \($0)" }
    var times: [Double] = []
    let clock = ContinuousClock()
    for _ in 0..<40 {
      let start = clock.now
      for text in texts { searcher.setQuery(text) }
      times.append(start.duration(to: clock.now).microseconds / Double(texts.count))
    }
    return times.percentile(50)
  }
}
