// Films related to one film: those that share its directors and genres, best first.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
  let directors: [String]
  let genres: [String]
  let country: String
}

let data = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data")
let engine = LocalSearch()
let client = SearchClient(transport: engine)
try await client.setSettings(
  IndexSettings(
    searchableAttributes: ["title"],
    attributesForFaceting: ["directors", "genres", "country"],
    customRanking: ["asc(year)"]),
  of: "films")
try await engine.load(contentsOf: data.appending(path: "films.json"), into: "films")

// The reference can come from a search, a page or a basket: an ID and a record are sufficient.
let film = Hit(
  objectID: "f-seven-samurai-1954",
  object: Film(
    title: "Seven Samurai", year: 1954, directors: ["Akira Kurosawa"],
    genres: ["Action", "Drama", "Adventure"], country: "Japan"))

// snippet.patterns
// The attributes that relate films, with the score of each shared value.
let patterns: [MatchingPattern<Film>] = [
  MatchingPattern(attribute: "directors", score: 3, filterPath: \.directors),
  MatchingPattern(attribute: "genres", score: 2, filterPath: \.genres),
  MatchingPattern(attribute: "country", score: 1, filterPath: \.country),
]
// snippet.end

// snippet.search
var query = SearchQuery()
query.filters = "year >= 1960"  // other filters are kept
query.hitsPerPage = 8
let related = try await client.relatedItems(to: film, matching: patterns, in: "films", query)
// snippet.end
print("Since 1960, related to \(film.title):")
for hit in related.hits {
  let directors = hit.directors.filter(film.directors.contains)
  let genres = hit.genres.filter(film.genres.contains)
  let countries = [hit.country].filter { $0 == film.country }
  let points = 3 * directors.count + 2 * genres.count + countries.count
  let shared = (directors + genres + countries).joined(separator: ", ")
  print("  \(points) points  \(hit.title) (\(hit.year)): \(shared)")
}

// snippet.searcher
// A live searcher takes the same patterns, as one change of its request.
let searcher = HitsSearcher(client: client, indexName: "films")
try searcher.setRelatedItems(to: film, matching: patterns)
// snippet.end
print("What the searcher asks for:")
print("  \(searcher.request.query)")
