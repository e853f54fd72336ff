import AsyncInstantSearch
import Foundation
import LocalSearch

/// Searches an engine in this process, as many callers at once, and prints how many searches it
/// answers in a second, to compare it with a server over the same engine.
///
///     QueryLoad RECORDS SETTINGS QUERIES CALLERS SECONDS
@main
struct QueryLoad {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 6, let callers = Int(arguments[4]), let seconds = Double(arguments[5])
    else {
      print("usage: QueryLoad RECORDS SETTINGS QUERIES CALLERS SECONDS")
      return
    }
    func data(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }
    let engine = LocalSearch()
    try await SearchClient(transport: engine).setSettings(
      try JSONDecoder().decode(IndexSettings.self, from: try data(arguments[2])), of: "films")
    let records = try data(arguments[1]).split(separator: UInt8(ascii: "\n")).map {
      try JSON(parsing: Array($0))
    }
    _ = try await SearchClient(transport: engine).save(records, in: "films")
    let queries = String(decoding: try data(arguments[3]), as: UTF8.self).split(separator: "\n")
    let bodies = queries.map { #"{"query":"\#($0)","facets":["genres","year"]}"# }
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    let times = try await withThrowingTaskGroup(of: [Duration].self) { group in
      for caller in 0..<callers {
        group.addTask {
          var times: [Duration] = []
          var number = caller * 7
          while clock.now < end {
            let start = clock.now
            let response = try await engine.send(
              TransportRequest(
                method: .post, pathComponents: ["1", "indexes", "films", "query"],
                body: Array(bodies[number % bodies.count].utf8)))
            if response.status != 200 { throw SearchError(.server, "\(response.status)") }
            times.append(clock.now - start)
            number += 1
          }
          return times
        }
      }
      var all: [Duration] = []
      for try await times in group { all += times }
      return all
    }.sorted()
    let late = times[min(times.count * 99 / 100, times.count - 1)]
    print(
      "\(callers) callers: \(Int(Double(times.count) / seconds)) searches a second,",
      "median \(milliseconds(times[times.count / 2])), p99 \(milliseconds(late))")
  }

  private static func milliseconds(_ time: Duration) -> String {
    "\((time / .microseconds(10)).rounded() / 100) ms"
  }
}
