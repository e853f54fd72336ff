import AsyncInstantSearch
import Foundation
import LocalSearch

/// The cost and the benefit of the engine's own threads: the same calls there and on the pool of
/// Swift concurrency.
enum Responsiveness {
  private static let index = "items"
  private static let itemCount = 100_000

  /// Measures a search alone, and a timer and a search during as many loads as there are cores.
  static func report(asJSON: Bool) async throws {
    let items = EngineItem.items(itemCount)
    var onPool = LocalSearch.Configuration()
    onPool.executor = globalConcurrentExecutor
    let settings = IndexSettings(searchableAttributes: ["name"], customRanking: ["desc(price)"])
    let own = try await LocalSearch(indexName: index, records: items, settings: settings)
    let pool = try await LocalSearch(
      indexName: index, records: items, settings: settings, configuration: onPool)
    for (name, text) in [("rare", "word4999"), ("word", "word17"), ("twoWords", "word1 word2")] {
      try await reportSearch(name, text, own, pool, asJSON: asJSON)
    }
    for (name, engine) in [("own", own), ("pool", pool)] {
      try await reportTimer(name, Array(items.prefix(20_000)), engine, asJSON: asJSON)
    }
  }

  /// Makes the same search on both alternately.
  private static func reportSearch(
    _ name: String, _ text: String, _ own: LocalSearch, _ pool: LocalSearch, asJSON: Bool
  ) async throws {
    let request = search(text)
    var times: [Double] = []
    var poolTimes: [Double] = []
    for round in 0..<40 {
      let calls = 10
      let time = try await time(of: request, on: own, calls)
      let poolTime = try await self.time(of: request, on: pool, calls)
      // The first rounds are slow.
      if round >= 10 {
        times.append(time)
        poolTimes.append(poolTime)
      }
    }
    let paired = Paired(times: times, baselineTimes: poolTimes)
    let cost = (1 / paired.ratio).rounded(toPlaces: 3)
    let (time, poolTime) = (
      paired.time.rounded(toPlaces: 1), paired.baselineTime.rounded(toPlaces: 1)
    )
    print(
      asJSON
        ? #"{"name":"responsiveness.search.\#(name)","us":\#(time),"pool_us":\#(poolTime),"cost":\#(cost)}"#
        : "responsiveness.search.\(name): \(time) µs, on the pool \(poolTime) µs, ratio \(cost)")
  }

  private static func time(
    of request: TransportRequest, on engine: LocalSearch, _ calls: Int
  ) async throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    for _ in 0..<calls { _ = try await engine.send(request) }
    return start.duration(to: clock.now).microseconds / Double(calls)
  }

  /// Measures the delay of timers of 5 ms and the time of searches during loads on as many indices
  /// as there are cores.
  private static func reportTimer(
    _ name: String, _ items: [EngineItem], _ engine: LocalSearch, asJSON: Bool
  ) async throws {
    let encoder = JSONEncoder()
    let text = try items.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    let bytes = Array(text.joined(separator: "\n").utf8)
    let request = search("word1 word2")
    let (late, searches) = try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<ProcessInfo.processInfo.activeProcessorCount {
        group.addTask {
          // On the pool, nothing else can run before these end.
          for _ in 0..<10 where !Task.isCancelled {
            _ = try? await engine.load(bytes, into: "load\(number)")
          }
        }
      }
      var late: [Double] = []
      var searches: [Double] = []
      let clock = ContinuousClock()
      let end = clock.now + .seconds(3)
      while clock.now < end {
        let start = clock.now
        try await Task.sleep(for: .milliseconds(5))
        late.append(start.duration(to: clock.now).microseconds - 5000)
        let middle = clock.now
        _ = try await engine.send(request)
        searches.append(middle.duration(to: clock.now).microseconds)
      }
      group.cancelAll()
      try await group.waitForAll()
      return (late, searches)
    }
    for (what, times) in [("timerLate", late), ("searchBesideLoads", searches)] {
      let median = (times.percentile(50) / 1000).rounded(toPlaces: 2)
      let worst = ((times.max() ?? 0) / 1000).rounded(toPlaces: 2)
      print(
        asJSON
          ? #"{"name":"responsiveness.\#(what).\#(name)","count":\#(times.count),"median_ms":\#(median),"max_ms":\#(worst)}"#
          : "responsiveness.\(what).\(name): median \(median) ms, at most \(worst) ms over \(times.count)"
      )
    }
  }

  private static func search(_ text: String) -> TransportRequest {
    TransportRequest(
      .search(index: index), body: Array((["query": .string(text)] as JSON).text.utf8))
  }
}
