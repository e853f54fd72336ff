// A live screen: all widgets of a page on one searcher, with a state for the address bar.
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
    searchableAttributes: ["title"],
    attributesForFaceting: ["searchable(genres)", "country", "year", "oscars"],
    customRanking: ["desc(oscars)", "desc(year)"]),
  of: "films")
try await engine.load(contentsOf: films, into: "films")

// snippet.connect
let box = Autocomplete(
  sources: [.records(indexName: "films", attribute: "title", limit: 2)], recent: RecentSearches())
let genres = FacetList(attribute: "genres", limit: 2, showMoreLimit: 4)
let countries = HierarchicalFacet(attributes: ["country"])
let (menu, path) = (HierarchicalMenu(countries, limit: 2), Breadcrumb(countries))
let years = NumberRange(attribute: "year")
let oscars = NumericMenu(
  attribute: "oscars", items: [1, 5].map { .init("\($0) or more", start: Double($0)) })
let order = SortBy([.init("Best", indexName: "films")])
let sizes = HitsPerPage([.init("2", count: 2), .init("5", count: 5)], default: 2)
let (pages, selected, clear) = (Pagination(padding: 1), CurrentFilters(), FilterClear())
let screen = try SearchScreen(
  indexName: "films",
  widgets: [box, genres, menu, path, years, oscars, order, sizes, pages, selected, clear],
  routing: .singleIndex("films"))
let searcher = HitsSearcher(client: client, indexName: "films")
let live = try searcher.connect(screen)
let states = live.uiStates(buffering: .unbounded)  // for an address bar
// snippet.end

// snippet.use
try await searcher.search()
try live.perform(box.setQuery("godf"))
let suggested = try await live.interactor(of: box).settledView()
print(suggested.items.map(\.text))
try live.perform(box.submit())
try live.perform(genres.toggle("Drama"))
try live.perform(genres.toggleShowMore())
try await searcher.settled()
for item in live.view(of: genres).items {
  print(item.isRefined ? "✓" : "-", item.value, item.count ?? 0)
}
print(live.page(of: Film.self).hits.map(\.title), live.view(of: pages).nbHits)
// As from the history of a browser.
try live.setUIState(screen.read(query: "range[year]=1990:&menu=x").state)
try await searcher.settled()
print(live.view(of: selected).groups.flatMap(\.items).map(\.label), live.view(of: pages).nbHits)
for await state in states.prefix(6) { print("/films?\(screen.query(of: state))") }
// snippet.end
