import Foundation
import InstantSearchService
import LocalSearch
import Testing

/// The code of the articles.
struct ArticleExamples {
  @Test func serviceAnswersARequest() async throws {
    let secret = "admin"
    let headers = [HTTPHeader(name: "X-Algolia-API-Key", value: secret)]
    let (body, address) = ([UInt8](), "127.0.0.1")
    // snippet.service
    let keys = try ServiceKeys(adminKey: secret)
    let configuration = SearchService.Configuration { Int(Date().timeIntervalSince1970) }
    let service = SearchService(transport: LocalSearch(), keys: keys, configuration: configuration)

    let response = await service.respond(
      to: ServiceRequest(
        method: "POST", target: "/1/indexes/films/query", headers: headers, body: body,
        peerAddress: address))
    // snippet.end
    #expect(response.status == 404)
  }
}
