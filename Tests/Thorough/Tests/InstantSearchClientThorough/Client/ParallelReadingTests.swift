@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import TestSupport
import Testing

/// The responses to several searches, decoded sequentially and in parallel.
@Suite struct ParallelReadingTests {
  private struct Film: Codable, Sendable, Hashable {
    let title: String
  }

  private static func client(_ json: String, bytes: Int) -> SearchClient {
    var client = SearchClient(transport: ScriptedTransport(json: json))
    client.bytesToReadInParallel = bytes
    return client
  }

  private static func requests(_ count: Int) -> [SearchRequest<Hit<Film>>] {
    (0..<count).map {
      SearchRequest("films", SearchQuery().setting(\.page, to: $0), of: Hit<Film>.self)
    }
  }

  @Test(arguments: [0, .max]) func pagesComeInTheOrderOfTheRequests(bytes: Int) async throws {
    let results = (0..<40).map { number in
      #"{"hits":[{"objectID":"\#(number)","title":"Film \#(number)"}],"page":\#(number)}"#
    }
    let client = Self.client(#"{"results":[\#(results.joined(separator: ","))]}"#, bytes: bytes)
    let pages = try await client.search(Self.requests(40))
    expectEqual(pages.map(\.page), Array(0..<40))
    expectEqual(pages.flatMap(\.hits).map(\.object.title), (0..<40).map { "Film \($0)" })
    expectEqual(pages.map(\.request), Self.requests(40))
  }

  @Test(arguments: [0, .max]) func missingResultIsAnError(bytes: Int) async throws {
    let client = Self.client(#"{"results":[{"hits":[]},{"hits":[]}]}"#, bytes: bytes)
    let error = await #expect(throws: SearchError.self) {
      try await client.search(Self.requests(3))
    }
    expectEqual(error?.code, .decoding)
  }

  @Test(arguments: [0, .max]) func undecodableHitIsAFailureOfItsPage(
    bytes: Int
  ) async throws {
    let client = Self.client(
      #"{"results":[{"hits":[{"objectID":"1","title":"A"}]},{"hits":[{"objectID":"2"}]}]}"#,
      bytes: bytes)
    let pages = try await client.search(Self.requests(2))
    expectEqual(pages.map(\.hits.count), [1, 0])
    expectEqual(pages.map(\.failures.count), [0, 1])
  }

  @Test func noRequestsGiveNoPages() async throws {
    let client = Self.client("{}", bytes: 0)
    #expect(try await client.search(Self.requests(0)).isEmpty)
  }
}
