import AsyncInstantSearch
import Foundation
import Synchronization

extension BenchmarkCase {
  /// The cases for encoding: the bodies of searches, and records.
  static var encoding: [BenchmarkCase] {
    [
      bodies("body1", [SampleQuery.request], PlainQuery.sample),
      bodies("body3", SampleQuery.requests, PlainQueries.sample),
      BenchmarkCase(name: "encode20", baseline: "JSONEncoder") {
        let records = try SavedProduct.samples()
        let plain = PlainBatch(requests: records.map { PlainBatch.Request(body: $0) })
        let body = try await TransportRequest.sent(json: SavedProduct.answerText) {
          try await $0.save(records, in: "products")
        }.body
        let executor = CallingThreadExecutor()
        let client = SearchClient(answer: SavedProduct.answer, on: executor)
        let encoder = JSONEncoder()
        return try Comparison {
          try executor.value { try await client.save(records, in: "products") }
        } against: {
          try encoder.encode(plain)
        } difference: {
          try difference(betweenJSON: body, and: $1)
        }.times(bytes: body.count, less: Pages.emptyCall)
      },
      BenchmarkCase(name: "coldbody1", baseline: "JSONEncoder") { try ColdStart.encoding() },
    ]
  }

  /// The body of a call, as the difference between the call and one with empty queries, both of
  /// which get an answer without hits.
  private static func bodies<Plain: Encodable>(
    _ name: String, _ requests: [SearchRequest<Hit<Product>>], _ plain: Plain
  ) -> BenchmarkCase {
    BenchmarkCase(name: name, baseline: "JSONEncoder") {
      let encoder = JSONEncoder()
      let body = try SampleQuery.sentBody(of: requests)
      if let difference = try difference(betweenJSON: body, and: encoder.encode(plain)) {
        throw Mismatch(description: difference)
      }
      let empty = requests.map { SearchRequest<Hit<Product>>($0.indexName) }
      var (times, baselineTimes) = ([Double](), [Double]())
      for _ in 0..<60 {
        let whole = try SampleQuery.time(of: requests)
        times.append(max(0.001, whole - (try SampleQuery.time(of: empty))))
        let (clock, count) = (ContinuousClock(), 200)
        let start = clock.now
        for _ in 0..<count { use(try encoder.encode(plain)) }
        baselineTimes.append(start.duration(to: clock.now).microseconds / Double(count))
      }
      return .times(Paired(times: times, baselineTimes: baselineTimes), bytes: body.count)
    }
  }
}

/// A query with eighteen parameters, as for a page with facets and highlights, once for each
/// encoder.
enum SampleQuery {
  static let request = SearchRequest<Hit<Product>>("products", query)

  /// Searches of three indices.
  static let requests = ["products", "articles", "suggestions"].map {
    SearchRequest<Hit<Product>>($0, query)
  }

  private static let query = {
    let plain = PlainQuery.sample
    var query = SearchQuery(plain.query)
    query.page = plain.page
    query.hitsPerPage = plain.hitsPerPage
    query.facets = plain.facets
    query.maxValuesPerFacet = plain.maxValuesPerFacet
    query.facetFilters = plain.facetFilters.map {
      .group($0.map { .group($0.map(NestedFilters.filter)) })
    }
    query.filters = plain.filters
    query.attributesToRetrieve = plain.attributesToRetrieve
    query.attributesToHighlight = plain.attributesToHighlight
    query.attributesToSnippet = plain.attributesToSnippet
    query.highlightPreTag = plain.highlightPreTag
    query.highlightPostTag = plain.highlightPostTag
    query.snippetEllipsisText = plain.snippetEllipsisText
    query.getRankingInfo = plain.getRankingInfo
    query.clickAnalytics = plain.clickAnalytics
    query.analyticsTags = plain.analyticsTags
    query.ruleContexts = plain.ruleContexts
    query.userToken = plain.userToken
    return query
  }()
}

extension SampleQuery {
  /// The body that a client sends for one search, or for several.
  static func sentBody(of requests: [SearchRequest<Hit<Product>>]) throws -> [UInt8] {
    try CallingThreadExecutor().value {
      if requests.count == 1 { return try await TransportRequest.sent(for: requests[0]).body }
      return try await TransportRequest.sent(json: answerText(requests.count)) {
        _ = try await $0.search(requests)
      }.body
    }
  }

  /// The time of a call with one search or several that get no hits, in microseconds.
  static func time(of requests: [SearchRequest<Hit<Product>>]) throws -> Double {
    let executor = CallingThreadExecutor()
    let isOne = requests.count == 1
    let client = SearchClient(
      answer: isOne ? FixedAnswer.withoutHits : Array(answerText(requests.count).utf8), on: executor
    )
    return try executor.value {
      let (clock, count) = (ContinuousClock(), 2_000)
      let start = clock.now
      for _ in 0..<count {
        if isOne {
          use(try await client.search(requests[0]))
        } else {
          use(try await client.search(requests))
        }
      }
      return start.duration(to: clock.now).microseconds / Double(count)
    }
  }

  /// Prints the time from a call to the moment when the transport gets its body, in microseconds.
  static func printTime(of request: SearchRequest<Hit<Product>>) throws {
    let executor = CallingThreadExecutor()
    let receiver = Receiver()
    let client = SearchClient(transport: receiver, executor: executor)
    try executor.run {
      let start = ContinuousClock.now
      _ = try await client.search(request)
      let end = receiver.time.withLock { $0 }
      print(start.duration(to: end ?? start).microseconds)
    }
  }

  private static func answerText(_ count: Int) -> String {
    let results = [String](repeating: #"{"hits":[]}"#, count: count).joined(separator: ",")
    return #"{"results":[\#(results)]}"#
  }

  /// Notes when it gets a call.
  private final class Receiver: SearchTransport {
    let time = Mutex<ContinuousClock.Instant?>(nil)

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      let now = ContinuousClock.now
      time.withLock { $0 = now }
      return TransportResponse(status: 200, body: FixedAnswer.withoutHits)
    }
  }
}

/// A product with an ID, as it is saved in an index.
struct SavedProduct: Encodable, Sendable {
  let objectID: String
  let product: Product

  private enum CodingKeys: String, CodingKey {
    case objectID
  }

  func encode(to encoder: any Encoder) throws {
    try product.encode(to: encoder)
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(objectID, forKey: .objectID)
  }

  /// Twenty of them.
  static func samples() throws -> [SavedProduct] {
    let page: HitsPage<Product> = try Pages.page(SampleResponse.page(hits: 20))
    return page.hits.enumerated().map { SavedProduct(objectID: "\($0)", product: $1) }
  }

  /// The answer to a call that saves them.
  static let answerText = #"{"taskID":1,"objectIDs":[]}"#
  static let answer = Array(answerText.utf8)
}

extension PlainQuery {
  static let sample = PlainQuery(
    query: "wireless headphones", page: 0, hitsPerPage: 20,
    facets: ["brand", "categories", "price_range", "rating", "color"], maxValuesPerFacet: 20,
    facetFilters: [["brand:Café Nérée", "brand:Delta"], ["color:black"]],
    filters: "price < 200 AND (rating >= 4 OR NOT \"free shipping\":true)",
    attributesToRetrieve: ["name", "price", "image", "rating"],
    attributesToHighlight: ["name", "brand"], attributesToSnippet: ["description:12"],
    highlightPreTag: "<em>", highlightPostTag: "</em>", snippetEllipsisText: "…",
    getRankingInfo: true, clickAnalytics: true, analyticsTags: ["ios", "beta"],
    ruleContexts: ["summer"], userToken: "user-8a7b6c5d")
}

extension PlainQueries {
  static let sample = PlainQueries(
    requests: SampleQuery.requests.map { request in
      var query = PlainQuery.sample
      query.indexName = request.indexName
      return query
    })
}

// The types a program without this library defines to send queries with `JSONEncoder`.

/// The parameters of one search.
struct PlainQuery: Encodable {
  var indexName: String?
  var query: String?
  var page: Int?
  var hitsPerPage: Int?
  var facets: [String]?
  var maxValuesPerFacet: Int?
  var facetFilters: [[String]]?
  var filters: String?
  var attributesToRetrieve: [String]?
  var attributesToHighlight: [String]?
  var attributesToSnippet: [String]?
  var highlightPreTag: String?
  var highlightPostTag: String?
  var snippetEllipsisText: String?
  var getRankingInfo: Bool?
  var clickAnalytics: Bool?
  var analyticsTags: [String]?
  var ruleContexts: [String]?
  var userToken: String?
}

/// Several searches in one call.
struct PlainQueries: Encodable {
  var requests: [PlainQuery]
}

/// Several records to save in one call.
struct PlainBatch: Encodable {
  struct Request: Encodable {
    var action = "addObject"
    var body: SavedProduct
  }

  var requests: [Request]
}
