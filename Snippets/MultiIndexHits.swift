// Two indices with one search box: one request per search, typed pages by position.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
}

struct Person: Codable, Sendable {
  let name: String
  let born: Int
}

let data = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data")
let engine = LocalSearch()
let client = SearchClient(transport: engine)
try await client.setSettings(
  IndexSettings(
    searchableAttributes: ["title", "cast"], attributesForFaceting: ["genres"],
    customRanking: ["desc(year)"]),
  of: "films")
try await client.setSettings(
  IndexSettings(searchableAttributes: ["name"], customRanking: ["asc(born)"]), of: "people")
try await engine.load(contentsOf: data.appending(path: "films.json"), into: "films")
try await engine.load(contentsOf: data.appending(path: "people.json"), into: "people")

// snippet.searcher
let searcher = MultiIndexSearcher(
  client: client, indexNames: ["people", "films"],
  query: SearchQuery().with { $0.hitsPerPage = 2 })
let filmFilters = FilterState()
searcher.connectFilterState(filmFilters, withQueryAtIndex: 1)
// snippet.end

try await show(searcher.responses)

// snippet.sections
// The sections of one list load their own pages, and all displayed rows belong to one search.
let hits = MultiIndexHits(HitsInteractor<Hit<Person>>(), HitsInteractor<Hit<Film>>())
hits.connectSearcher(searcher)
// snippet.end
// snippet.states
let (people, films) = try await hits.settledState()
print("sections: \(people.numberOfHits) and \(films.numberOfHits) rows")
print("  first of each: \(people.hits[0]?.name ?? "-"), \(films.hits[0]?.title ?? "-")")
// snippet.end

func show(_ responses: AsyncStream<MultiIndexResponse>) async throws {
  var responses = responses.makeAsyncIterator()
  let steps: [(String, @Sendable () -> Void)] = [
    ("text: jean", { searcher.setQuery("jean") }),
    (
      "text: jean, films: comedies",
      { filmFilters.update { $0[or: "genres"].add("genres" == "Comedy") } }
    ),
    ("text: jane, films: comedies", { searcher.setQuery("jane") }),
  ]
  for (title, step) in steps {
    step()
    guard let response = await responses.next() else { return }
    // snippet.pages
    let (people, films) = try await response.pages(of: Hit<Person>.self, Hit<Film>.self)
    // snippet.end
    print(title)
    let names = people.hits.map { "\($0.name) (\($0.born))" }
    print("  \(people.nbHits) people: \(names.joined(separator: ", ")) …")
    let titles = films.hits.map { "\($0.title) (\($0.year))" }
    print("  \(films.nbHits) films: \(titles.joined(separator: ", ")) …")
  }
}
