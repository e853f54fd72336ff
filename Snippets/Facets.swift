// Facets: lists of values to choose from, the selected ones, and the state as a URL.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
}

let films = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data/films.json")
let engine = LocalSearch()
let client = SearchClient(transport: engine)
try await client.setSettings(
  IndexSettings(
    searchableAttributes: ["title", "plot"],
    attributesForFaceting: ["searchable(genres)", "country"],
    customRanking: ["desc(oscars)", "desc(year)"]),
  of: "films")
try await engine.load(contentsOf: films, into: "films")

// snippet.connect
let searcher = HitsSearcher(client: client, indexName: "films")
let genres = WidgetInteractor(FacetList(attribute: "genres", limit: 4, showMoreLimit: 8))
let countries = WidgetInteractor(FacetMenu(attribute: "country", limit: 3))
let selected = WidgetInteractor(CurrentFilters())
let clear = WidgetInteractor(FilterClear())
genres.connectSearcher(searcher)
countries.connectSearcher(searcher)
selected.connectSearcher(searcher)
clear.connectSearcher(searcher)
try await searcher.search()  // one request for the hits and all widgets
// snippet.end
printWidgets("at first")

// snippet.actions
try genres.perform { $0.toggle("War") }
try genres.perform { $0.toggle("Western") }
try countries.perform { $0.select("Italy") }
try await searcher.settled()  // waits for the newest search
// snippet.end
printWidgets("War or Western, from Italy")

// snippet.search
try genres.perform { $0.search("h") }
let found = try await genres.settledView()
for item in found.items {
  print("  \(item.highlighted?.tagged(pre: "[", post: "]") ?? item.value) \(item.count ?? 0)")
}
// snippet.end

// snippet.remove
if let first = selected.view.groups.first?.items.first {
  try selected.perform { $0.remove(first) }
}
try await searcher.settled()
// snippet.end
printWidgets("one less")
try clear.perform { $0.clear() }
try await searcher.settled()
printWidgets("cleared")

/// Prints the values of both lists, the selected ones with a star, and what is selected.
func printWidgets(_ title: String) {
  print("\(title):")
  for view in [("genres", genres.view.items), ("countries", countries.view.items)] {
    let items = view.1.map { "\($0.isRefined ? "*" : "")\($0.value) \($0.count ?? 0)" }
    print("  \(view.0): \(items.joined(separator: ", "))")
  }
  let items = selected.view.groups.flatMap(\.items).map(\.value)
  if clear.view.canRefine { print("  selected: \(items.joined(separator: ", "))") }
}
