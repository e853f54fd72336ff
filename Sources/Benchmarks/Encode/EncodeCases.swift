import AsyncInstantSearch
import Foundation
import InstantSearchJSON

extension BenchmarkCase {
  /// The encoding of what is sent: the bodies of searches, and records.
  static var encoding: [BenchmarkCase] {
    [
      BenchmarkCase(name: "body1", baseline: "JSONEncoder") {
        let request = SampleQuery.request
        let plain = PlainQuery.sample
        let encoder = JSONEncoder()
        return try Comparison {
          request.body
        } against: {
          try encoder.encode(plain)
        } difference: {
          try difference(betweenJSON: $0, and: $1)
        }.times(bytes: request.body.count)
      },
      BenchmarkCase(name: "body3", baseline: "JSONEncoder") {
        let requests = SampleQuery.requests
        let plain = PlainQueries.sample
        let encoder = JSONEncoder()
        return try Comparison {
          SearchClient.body(of: requests)
        } against: {
          try encoder.encode(plain)
        } difference: {
          try difference(betweenJSON: $0, and: $1)
        }.times(bytes: SearchClient.body(of: requests).count)
      },
      BenchmarkCase(name: "encode20", baseline: "JSONEncoder") {
        let records = try (Pages.page(SampleResponse.page(hits: 20)) as HitsPage<Product>).hits
        let encoder = JSONEncoder()
        return try Comparison {
          try JSONValueEncoder().encode(records)
        } against: {
          try encoder.encode(records)
        } difference: {
          try difference(betweenJSON: $0, and: $1)
        }.times(bytes: try JSONValueEncoder().encode(records).count)
      },
      BenchmarkCase(name: "coldbody1", baseline: "JSONEncoder") { try ColdStart.encoding() },
    ]
  }
}
