// Search as you type: the page of the newest query is drawn after each keystroke.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
}

/// Draws a page as one line.
actor Screen {
  /// One element for each page.
  nonisolated let drawn: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (drawn, continuation) = AsyncStream.makeStream() }

  func draw(_ page: HitsPage<Hit<Film>>) {
    let titles = page.hits.prefix(2).map {
      $0.highlighted("title")?.tagged(pre: "[", post: "]") ?? $0.title
    }
    let genre = page.facets["genres"]?.values.first
    print("> \(page.query): \(page.nbHits) hits, \(genre?.count ?? 0) \(genre?.value ?? "")")
    print("  \(titles.joined(separator: ", "))")
    continuation.yield()
  }
}

let films = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data/films.json")
let engine = LocalSearch()
let client = SearchClient(transport: engine)
try await client.setSettings(
  IndexSettings(
    searchableAttributes: ["title"], attributesForFaceting: ["genres"],
    customRanking: ["desc(oscars)", "desc(year)"]),
  of: "films")
try await engine.load(contentsOf: films, into: "films")

// snippet.searcher
let searcher = HitsSearcher(
  client: client, indexName: "films",
  query: SearchQuery().with {
    $0.facets = ["genres"]
    $0.hitsPerPage = 10
  },
  debounce: .milliseconds(20))
// snippet.end

let screen = Screen()
// snippet.drawing
let drawing = searcher.pages(of: Hit<Film>.self).subscribe { page in
  await screen.draw(page)
}
// snippet.end

for text in ["g", "go", "god", "godf", "godfh", "godfhater"] {
  // snippet.query
  searcher.setQuery(text)
  // snippet.end
  _ = await screen.drawn.first { _ in true }
}
drawing.disconnect()
