// Recommendations of the hosted service: two requests in one call, including trending items.
import AsyncInstantSearch
import AsyncInstantSearchTesting

struct Film: Codable, Sendable { let title: String }

// A simulated service, which prints the requests it receives.
let service = ScriptedTransport { request, _ in
  let requests = try JSON(parsing: request.body)["requests"]?.arrayValue ?? []
  let models = requests.compactMap { $0["model"]?.stringValue }
  print("One request: \(models.joined(separator: ", "))")
  let answer =
    models == ["trending-facets"]
    ? """
    {"results": [{"hits": [{"facetName": "genre", "facetValue": "Crime", "_score": 91.5}]}]}
    """
    : """
    {"results": [
      {"hits": [{"objectID": "tt0071562", "title": "The Godfather Part II", "_score": 97.25},
                {"objectID": "tt0099674", "title": "The Godfather Part III", "_score": 81}]},
      {"hits": [{"objectID": "tt0113277", "title": "Heat", "_score": 64.5}]}]}
    """
  return TransportResponse(status: 200, body: Array(answer.utf8))
}
let client = SearchClient(transport: service)

// snippet.recommend
let (related, trending) = try await client.recommendations(
  .relatedProducts(to: "tt0068646", in: "films", maxRecommendations: 2, of: Film.self),
  .trendingItems(in: "films", threshold: 50, maxRecommendations: 1, of: Film.self))
for hit in related.hits + trending.hits {
  print("  \(hit.title), score \(hit.searchMetadata.score ?? 0)")
}
// snippet.end

let genres = try await client.trendingFacets(TrendingFacetsRequest("genre", in: "films"))
for genre in genres { print("  trending: \(genre.facetValue), score \(genre.score ?? 0)") }

// An invalid request is rejected before anything is sent.
do {
  _ = try await client.recommendations(
    .relatedProducts(to: "tt0068646", in: "films", maxRecommendations: 31, of: Film.self))
} catch {
  print(error.message)
}
