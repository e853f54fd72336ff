import AsyncInstantSearch

extension BenchmarkCase {
  /// Answers to several searches in one call, read at the same time against one after the other.
  static var parallel: [BenchmarkCase] {
    [
      parallel("parallel2x5", queries: 2, hits: 5),
      parallel("parallel3x20", queries: 3, hits: 20),
      parallel("parallel10x20", queries: 10, hits: 20),
      parallel("parallel4x200", queries: 4, hits: 200),
    ]
  }

  private static func parallel(_ name: String, queries: Int, hits: Int) -> BenchmarkCase {
    BenchmarkCase(name: name, baseline: "one after the other") {
      let bytes = SampleResponse.multi(queries: queries, hits: hits)
      let requests = (0..<queries).map { _ in SearchRequest("products", of: Hit<Product>.self) }
      var client = SearchClient(transport: FixedAnswer(body: bytes))
      client.bytesToReadInParallel = 0
      var serial = client
      serial.bytesToReadInParallel = .max
      guard try await client.search(requests) == serial.search(requests) else {
        throw Mismatch(description: "\(name): the pages differ")
      }
      let calls = max(1, 4_000_000 / bytes.count)
      var times: [Double] = []
      var baselineTimes: [Double] = []
      for _ in 0..<40 {
        times.append(try await time(of: calls) { try await client.search(requests) })
        baselineTimes.append(try await time(of: calls) { try await serial.search(requests) })
      }
      return .times(Paired(times: times, baselineTimes: baselineTimes), bytes: bytes.count)
    }
  }

  /// The time of one of some calls, in microseconds.
  private static func time<Value>(
    of calls: Int, _ body: () async throws -> Value
  ) async rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    for _ in 0..<calls { _ = try await body() }
    return start.duration(to: clock.now).microseconds / Double(calls)
  }
}

/// Gives the same answer to every call.
private struct FixedAnswer: SearchTransport {
  let body: [UInt8]

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    TransportResponse(status: 200, body: body)
  }
}
