import AsyncInstantSearch
import AsyncInstantSearchTesting

/// How many executor jobs a keystroke takes: every step of every task that a searcher and its list
/// make, from `setQuery` to the rows.
///
/// A job is a task's start or its return from a suspension. The jobs run on the calling thread, one
/// after another, and the clock is moved by hand, so the numbers are the same in each run.
enum KeystrokeJobs {
  /// One way to type.
  private struct Typing {
    let name: String
    var debounce: Duration = .zero
    /// How many keystrokes come within one debounce.
    var burst = 1
    /// How long the typist pauses after a burst.
    var pause: Duration
    /// How often the transport suspends before it answers.
    var suspensions = 0
    /// The largest number of jobs of a burst that is accepted, on average.
    let limit: Double
  }

  private static let typings: [Typing] = [
    Typing(name: "no debounce", pause: .milliseconds(200), limit: 4),
    Typing(
      name: "no debounce, an answer later", pause: .milliseconds(200), suspensions: 1, limit: 4),
    Typing(name: "debounce", debounce: .milliseconds(150), pause: .milliseconds(200), limit: 4),
    Typing(
      name: "debounce, an answer later", debounce: .milliseconds(150), pause: .milliseconds(200),
      suspensions: 1, limit: 4),
    Typing(
      name: "no debounce, an answer later 2", pause: .milliseconds(200), suspensions: 2, limit: 4),
    Typing(
      name: "no debounce, an answer later 3", pause: .milliseconds(200), suspensions: 3, limit: 4),
    Typing(
      name: "debounce, slow", debounce: .milliseconds(150), pause: .milliseconds(1000), limit: 4),
    Typing(
      name: "debounce, an answer later, slow", debounce: .milliseconds(150),
      pause: .milliseconds(1000), suspensions: 1, limit: 4),
    Typing(
      name: "10 in one debounce", debounce: .milliseconds(150), burst: 10,
      pause: .milliseconds(200), limit: 8),
    Typing(
      name: "10 in one debounce, an answer later", debounce: .milliseconds(150), burst: 10,
      pause: .milliseconds(200), suspensions: 1, limit: 8),
  ]

  static func report(asJSON: Bool) throws {
    for typing in typings {
      let count = try jobs(typing)
      print("keystroke.jobs \(typing.name): \(count)")
    }
  }

  private static let answer = TransportResponse(
    status: 200,
    body: Array(#"{"hits":[{"objectID":"1","name":"a"}],"nbHits":1,"nbPages":1,"page":0}"#.utf8))

  private static let bursts = 20

  /// The number of jobs of a burst, on average.
  private static func jobs(_ typing: Typing) throws -> Double {
    let executor = CountingExecutor()
    let clock = ManualClock()
    let transport = ScriptedTransport { _, _ in
      for _ in 0..<typing.suspensions {
        try await clock.sleep(until: clock.now.advanced(by: .milliseconds(20)), tolerance: nil)
      }
      return answer
    }
    let searcher = HitsSearcher(
      client: SearchClient(transport: transport), indexName: "products",
      debounce: typing.debounce, clock: clock, executor: executor)
    let list = HitsInteractor<JSON>(executor: executor)
    list.connectSearcher(searcher)
    let step = Duration.milliseconds(10)
    var text = 0
    func type(_ bursts: Int) throws {
      for _ in 0..<bursts {
        for _ in 0..<typing.burst {
          text += 1
          searcher.setQuery("\(text)")
          executor.runUntilIdle()
          if typing.burst > 1 {
            clock.advance(by: step)
            executor.runUntilIdle()
          }
        }
        var left = typing.pause
        while left > .zero {
          clock.advance(by: step)
          executor.runUntilIdle()
          left -= step
        }
        guard list.snapshot.query == "\(text)", !list.snapshot.isLoading else {
          throw Mismatch(
            description: "The list does not show \(text) but \(list.snapshot.query ?? "").")
        }
      }
    }
    try type(2)
    let before = executor.count
    try type(bursts)
    return Double(executor.count - before) / Double(bursts)
  }
}

/// Counts the jobs that it is given, and runs them on the calling thread.
private final class CountingExecutor: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var count = 0
  }

  private let state = Lock(State())

  var count: Int { state.withLock { $0.count } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { state in
      state.jobs.append(job)
      state.count += 1
    }
  }

  func runUntilIdle() {
    while let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
      // Safe: the unowned reference is to `self`, which outlives this call; each job runs once.
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
