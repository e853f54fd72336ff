import AsyncInstantSearch
import Foundation
import LocalSearch
import Synchronization

/// Measures two readers at full speed, alone and beside a writer that replaces every record.
struct EngineWrites {
  /// What the readers and the writer took, in milliseconds.
  struct Figures {
    var alone: [Double] = []
    var beside: [Double] = []
    var writes: [Double] = []
    /// The number of searches that did not see every record.
    var tornCount = 0
  }

  let engine: LocalSearch
  let index: String
  /// The bodies of the queries.
  let queries: [[UInt8]]
  /// The records, one object each.
  let records: [String]

  private static let batchSize = 10
  private static let readerCount = 2

  /// Runs the readers for as long as the writer takes, and before it for a number of rounds.
  func run() async throws -> Figures {
    var figures = Figures()
    let isDone = Mutex(false)
    let alone = try await reading { $0 < 2 }
    figures.alone = alone.times
    let batches = stride(from: 0, to: records.count, by: Self.batchSize).map { start in
      let bodies = records[start..<min(start + Self.batchSize, records.count)].map {
        #"{"action":"addObject","body":\#($0)}"#
      }
      return Array(#"{"requests":[\#(bodies.joined(separator: ","))]}"#.utf8)
    }
    async let beside = reading { _ in !isDone.withLock { $0 } }
    for batch in batches {
      figures.writes.append(
        try await time { try await send(TransportRequest(.batch(index: index), body: batch)) })
    }
    isDone.withLock { $0 = true }
    let (times, tornCount) = try await beside
    figures.beside = times
    figures.tornCount = tornCount + alone.tornCount
    return figures
  }

  /// Searches on several tasks while a condition of the round holds.
  private func reading(
    _ goesOn: @escaping @Sendable (Int) -> Bool
  ) async throws -> (times: [Double], tornCount: Int) {
    try await withThrowingTaskGroup(of: (times: [Double], tornCount: Int).self) { group in
      for reader in 0..<Self.readerCount {
        group.addTask {
          var (times, tornCount, round, number) = ([Double](), 0, 0, reader)
          while goesOn(round) {
            let body = queries[number % queries.count]
            times.append(
              try await time { try await send(TransportRequest(.search(index: index), body: body)) }
            )
            if number % 16 < Self.readerCount {
              let all = try await send(
                TransportRequest(.search(index: index), body: Array(#"{"hitsPerPage":0}"#.utf8)))
              let count = try JSON(parsing: all.body)["nbHits"]?.intValue
              if count != records.count { tornCount += 1 }
            }
            number += Self.readerCount
            round = number / queries.count
          }
          return (times, tornCount)
        }
      }
      return try await group.reduce(into: ([], 0)) {
        $0.times += $1.times
        $0.tornCount += $1.tornCount
      }
    }
  }

  private func time(_ call: () async throws -> some Any) async throws -> Double {
    let (clock, start) = (ContinuousClock(), ContinuousClock.now)
    _ = try await call()
    return start.duration(to: clock.now).microseconds / 1000
  }

  private func send(_ request: TransportRequest) async throws -> TransportResponse {
    let response = try await engine.send(request)
    guard response.status == 200 else {
      throw Mismatch(description: String(decoding: response.body, as: UTF8.self))
    }
    return response
  }
}
