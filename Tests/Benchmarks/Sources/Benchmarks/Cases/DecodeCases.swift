import AsyncInstantSearch
import Foundation
import LocalSearch

extension BenchmarkCase {
  /// The cases for decoding responses, from bytes to values.
  static var decoding: [BenchmarkCase] {
    [
      hits("hits20", 20),
      hits("hits20.pretty", 20, SampleResponse.pretty),
      hits("hits20.reordered", 20, isReordered: true),
      lazyHits("hits20.lazy", 20),
      decodable("hits20.decodable", 20),
      nested("hits20.nested", 20),
      hits("hits1000", 1_000),
      hits("hits1000.pretty", 1_000, SampleResponse.pretty),
      hits("hits1000.reordered", 1_000, isReordered: true),
      lazyHits("hits1000.lazy", 1_000),
      multi("multi3x20"),
      multi("multi3x20.pretty", SampleResponse.pretty),
      members("multi3x20.members"),
      records("records20", 20),
      records("records1000", 1_000),
      json("json20", 20),
      json("json1000", 1_000),
      tape("tape20", 20),
      tape("tape1000", 1_000),
      films("films"),
      BenchmarkCase(name: "allocations20", baseline: "JSONDecoder") {
        try Allocations.decoding(SampleResponse.page(hits: 20))
      },
      BenchmarkCase(name: "cold20", baseline: "JSONDecoder") {
        try ColdStart.decoding(SampleResponse.page(hits: 20))
      },
    ]
  }

  /// Large pages take longer, so fewer blocks are enough.
  private static func blocks(_ hits: Int) -> Int { hits > 100 ? 20 : 60 }

  /// A page of hits of a search, with every highlight read.
  private static func hits(
    _ name: String, _ count: Int, _ transform: @escaping ([UInt8]) -> [UInt8] = { $0 },
    isReordered: Bool = false
  ) -> BenchmarkCase {
    page(name, count, transform, isReordered: isReordered) { touch(try Pages.hits($0)) }
  }

  /// A page of hits without reading highlights.
  private static func lazyHits(_ name: String, _ count: Int) -> BenchmarkCase {
    page(name, count) { try Pages.hits($0) }
  }

  /// A page of hits decoded through `Decodable`, with every highlight read.
  private static func decodable(_ name: String, _ count: Int) -> BenchmarkCase {
    page(name, count, answer: Pages.object) {
      touch(try Pages.decode(HitsPage<Hit<Product>>.self, $0))
    }
  }

  private static func page(
    _ name: String, _ count: Int, _ transform: @escaping ([UInt8]) -> [UInt8] = { $0 },
    isReordered: Bool = false, answer: @escaping ([UInt8]) -> [UInt8] = { $0 },
    _ decode: @escaping ([UInt8]) throws -> HitsPage<Hit<Product>>
  ) -> BenchmarkCase {
    BenchmarkCase(name: name, baseline: "JSONDecoder") {
      let bytes = transform(SampleResponse.page(hits: count, isReordered: isReordered))
      let data = Data(bytes)
      let answer = answer(bytes)
      let decoder = JSONDecoder()
      return try Comparison {
        try decode(answer)
      } against: {
        try decoder.decode(PlainPage<PlainHit<Product>>.self, from: data)
      } difference: {
        difference(between: $0, and: $1.converted())
      }.times(bytes: bytes.count, blocks: blocks(count), less: Pages.emptyCall)
    }
  }

  /// A user-defined type with a page inside, with every highlight read.
  private static func nested(_ name: String, _ count: Int) -> BenchmarkCase {
    BenchmarkCase(name: name, baseline: "JSONDecoder") {
      let bytes = Nested<PlainPage<PlainHit<Product>>>
        .bytes(around: SampleResponse.page(hits: count))
      let data = Data(bytes)
      let answer = Pages.object(bytes)
      let decoder = JSONDecoder()
      return try Comparison {
        touch(try Pages.decode(Nested<HitsPage<Hit<Product>>>.self, answer).page)
      } against: {
        try decoder.decode(Nested<PlainPage<PlainHit<Product>>>.self, from: data).page
      } difference: {
        difference(between: $0, and: $1.converted())
      }.times(bytes: bytes.count, blocks: blocks(count), less: Pages.emptyCall)
    }
  }

  /// The response to three searches in one call, with every highlight read.
  private static func multi(
    _ name: String, _ transform: @escaping ([UInt8]) -> [UInt8] = { $0 }
  ) -> BenchmarkCase {
    BenchmarkCase(name: name, baseline: "JSONDecoder") {
      let bytes = transform(SampleResponse.multi(queries: 3, hits: 20))
      let data = Data(bytes)
      let decoder = JSONDecoder()
      return try Comparison {
        try Pages.multi(bytes, count: 3).map { touch($0) }
      } against: {
        try decoder.decode(PlainResults<PlainHit<Product>>.self, from: data).results
      } difference: {
        difference(between: $0, and: $1.map { $0.converted() })
      }.times(bytes: bytes.count, less: Pages.emptyCall)
    }
  }

  /// The same three pages, each as a separate response.
  private static func members(_ name: String) -> BenchmarkCase {
    BenchmarkCase(name: name, baseline: "JSONDecoder") {
      let pages = SampleResponse.pages(count: 3, hits: 20)
      let data = pages.map { Data($0) }
      let decoder = JSONDecoder()
      return try Comparison {
        try pages.map { touch(try Pages.hits($0)) }
      } against: {
        try data.map { try decoder.decode(PlainPage<PlainHit<Product>>.self, from: $0) }
      } difference: {
        difference(between: $0, and: $1.map { $0.converted() })
      }.times(
        bytes: pages.map(\.count).reduce(0, +), less: { for _ in pages { try Pages.emptyCall() } })
    }
  }

  /// A page of records without metadata.
  private static func records(_ name: String, _ count: Int) -> BenchmarkCase {
    BenchmarkCase(name: name, baseline: "JSONDecoder") {
      let bytes = SampleResponse.page(hits: count)
      let data = Data(bytes)
      let decoder = JSONDecoder()
      return try Comparison {
        try Pages.page(bytes) as HitsPage<Product>
      } against: {
        try decoder.decode(PlainPage<Product>.self, from: data)
      } difference: {
        difference(between: $0, and: $1.converted(hits: $1.hits))
      }.times(bytes: bytes.count, blocks: blocks(count), less: Pages.emptyCall)
    }
  }

  /// A page of hits of the embedded engine, with every value read.
  private static func films(_ name: String) -> BenchmarkCase {
    BenchmarkCase(name: name, baseline: "JSONDecoder") {
      let bytes = try await Films.answer()
      let data = Data(bytes)
      let decoder = JSONDecoder()
      return try Comparison {
        touch(try Pages.page(bytes) as HitsPage<Hit<Film>>)
      } against: {
        try decoder.decode(PlainPage<PlainHit<Film>>.self, from: data)
      } difference: {
        difference(between: $0, and: $1.converted())
      }.times(bytes: bytes.count, less: Pages.emptyCall)
    }
  }

  /// A value of any shape.
  private static func json(_ name: String, _ count: Int) -> BenchmarkCase {
    BenchmarkCase(name: name, baseline: "JSONSerialization") {
      let bytes = SampleResponse.page(hits: count)
      let data = Data(bytes)
      return try Comparison {
        try JSON(parsing: bytes)
      } against: {
        try JSONSerialization.jsonObject(with: data)
      } difference: {
        difference(between: $0, and: $1)
      }.times(bytes: bytes.count, blocks: blocks(count))
    }
  }

  /// The pass over the bytes, and one number of them: the client reads no more of the answer to a
  /// write.
  private static func tape(_ name: String, _ count: Int) -> BenchmarkCase {
    BenchmarkCase(name: name, baseline: "JSONSerialization") {
      let bytes = Pages.write(SampleResponse.page(hits: count))
      let data = Data(bytes)
      return try Comparison {
        try Pages.task(bytes)
      } against: {
        try JSONSerialization.jsonObject(with: data)
      } difference: { _, _ in
        nil
      }.times(bytes: bytes.count, blocks: blocks(count), less: Pages.emptyCall)
    }
  }
}

extension BenchmarkCase {
  /// Responses to several searches in one call, decoded in parallel against sequentially: on one
  /// thread. They are so large that the client uses several tasks.
  static var parallel: [BenchmarkCase] {
    [
      parallel("parallel10x20", queries: 10, hits: 20),
      parallel("parallel4x200", queries: 4, hits: 200),
    ]
  }

  private static func parallel(_ name: String, queries: Int, hits: Int) -> BenchmarkCase {
    BenchmarkCase(name: name, baseline: "sequential") {
      let bytes = SampleResponse.multi(queries: queries, hits: hits)
      let requests = (0..<queries).map { _ in SearchRequest("products", of: Hit<Product>.self) }
      let client = SearchClient(transport: FixedAnswer(body: bytes))
      let executor = CallingThreadExecutor()
      let serial = SearchClient(answer: bytes, on: executor)
      let pages = try executor.value { try await serial.search(requests) }
      guard try await client.search(requests) == pages else {
        throw Mismatch(description: "\(name): the pages differ")
      }
      let calls = max(1, 4_000_000 / bytes.count)
      var times: [Double] = []
      var baselineTimes: [Double] = []
      for _ in 0..<40 {
        times.append(try await time(of: calls) { try await client.search(requests) })
        baselineTimes.append(
          try await time(of: calls) {
            try executor.value { try await serial.search(requests) }
          })
      }
      return .times(Paired(times: times, baselineTimes: baselineTimes), bytes: bytes.count)
    }
  }

  /// The time of one of several calls, in microseconds.
  private static func time<Value>(
    of calls: Int, _ body: () async throws -> Value
  ) async rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    for _ in 0..<calls { _ = try await body() }
    return start.duration(to: clock.now).microseconds / Double(calls)
  }
}

extension Films {
  /// The response to a query for twenty films with highlights, snippets and facets.
  static func answer() async throws -> [UInt8] {
    let query = SearchQuery("man love")
      .setting(\.facets, to: ["*"]).setting(\.getRankingInfo, to: true)
      .setting(\.attributesToSnippet, to: ["plot:8"])
      .setting(\.optionalWords, to: .value("man love"))
    let request = try await TransportRequest.sent(for: SearchRequest<Hit<Film>>("films", query))
    return try await engine().send(request).body
  }
}
