// A whole page without JavaScript: twelve widgets, escaped HTML, and every action is a link.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
}

let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data/films.json")
let films = try JSONDecoder().decode([JSON].self, from: Data(contentsOf: file)).map { film in
  var members = film.objectValue ?? [:]
  let (year, century) = (members["year"]?.intValue ?? 0, "20th century")
  let decade = "\(century) > \(year / 10)0s"
  if year < 2000 { members["era"] = ["0": .string(century), "1": .string(decade)] }
  return JSON.object(members)
}
let engine = LocalSearch()
let client = SearchClient(transport: engine)
var settings = IndexSettings(
  searchableAttributes: ["title", "cast"],
  attributesForFaceting: ["searchable(genres)", "era.0", "era.1", "year", "oscars"],
  customRanking: ["desc(oscars)", "desc(year)"])
settings.replicas = ["films_newest"]
try await client.setSettings(settings, of: "films")
settings.replicas = []
settings.ranking.insert("desc(year)", at: 0)
try await client.setSettings(settings, of: "films_newest")
try await client.save(films, in: "films")

// snippet.screen
let box = SearchBox()
let suggest = Autocomplete(
  sources: [.records(indexName: "films", attribute: "title", limit: 2)],
  recent: RecentSearches(["godfather"]))
let genres = FacetList(attribute: "genres", limit: 2, showMoreLimit: 4)
let era = HierarchicalFacet(
  attributes: ["era.0", "era.1"], separator: " > ", rootPath: "20th century")
let eras = HierarchicalMenu(era, limit: 2)
let path = Breadcrumb(era)
let years = NumberRange(attribute: "year")
let oscars = NumericMenu(
  attribute: "oscars", items: [1, 2].map { .init("\($0) Oscars or more", start: Double($0)) },
  countsHits: true)
let order = SortBy([
  .init("Best", indexName: "films"), .init("Newest", indexName: "films_newest"),
])
let sizes = HitsPerPage([.init("2", count: 2), .init("5", count: 5)], default: 2)
let pages = Pagination(padding: 1)
let (selected, clear) = (CurrentFilters(), FilterClear())
let screen = try SearchScreen(
  indexName: "films",
  widgets: [
    box, suggest, genres, eras, path, years, oscars, order, sizes, pages, selected, clear,
  ], routing: .singleIndex("films"))
// snippet.end

// snippet.page
/// Renders the state of a URL. All text is escaped.
func page(for query: String) async throws -> String {
  let results = try await client.search(screen, in: screen.read(query: query).state)
  let escaped = HighlightedString.escapingHTML
  func link(_ label: String, _ action: WidgetAction<some SearchWidget>) -> String {
    results.anchor(label, to: "/films", after: action)
  }
  let (field, range) = (results.view(of: suggest), results.view(of: years))
  var lines = [results.form(for: box, fields: [("query", results.view(of: box).query)])]
  let typed = field.isOpen ? field.query : ""
  lines.append(
    results.form(for: suggest, part: "autocomplete", fields: [("autocomplete[query]", typed)]))
  lines += field.items.map { link($0.text, suggest.choose($0)) }
  if field.isOpen { lines.append(link("close", suggest.close())) }
  for item in results.view(of: genres).items {
    let mark = item.isRefined ? "✓ " : ""
    lines.append(link("\(mark)\(item.value) (\(item.count ?? 0))", genres.toggle(item.value)))
  }
  if results.view(of: genres).canToggleShowMore {
    lines.append(link("more or fewer genres", genres.toggleShowMore()))
  }
  let text = results.view(of: genres).searchText
  lines.append(
    results.form(for: genres, part: "facetQuery", fields: [("facetQuery[genres]", text)]))
  lines += results.view(of: path).items.map { link("‹ \($0.label)", path.show($0.path)) }
  lines += results.view(of: eras).items.flatMap { [$0] + ($0.children ?? []) }.map {
    link("\($0.name) (\($0.count))", eras.toggle($0.value))
  }
  let bounds = NumberBounds(lower: range.lowerBound, upper: range.upperBound)
  let typedYears = bounds.isEmpty ? "" : bounds.description
  lines.append(results.form(for: years, fields: [("range[year]", typedYears)]))
  for (position, item) in results.view(of: oscars).items.enumerated() {
    lines.append(link("\(item.label) (\(item.count ?? 0))", oscars.select(position)))
  }
  lines += order.items.map { link($0.label, order.select($0.indexName)) }
  lines += sizes.items.map { link("\($0.label) on a page", sizes.select($0.count)) }
  let items = results.view(of: selected).groups.flatMap(\.items)
  lines += items.map { link("without \($0.label)", selected.remove($0)) }
  if results.view(of: clear).canRefine { lines.append(link("without any", clear.clear())) }
  lines += results.page(of: Hit<Film>.self).hits.map { film in
    "<li>\(film.highlighted("title")?.html() ?? escaped(film.title)) (\(film.year))</li>"
  }
  lines += results.view(of: pages).pages.map { link("page \($0 + 1)", pages.show($0)) }
  return lines.joined(separator: "\n")
}
// snippet.end

for query in [
  "query=god", "autocomplete[query]=godf&showMore[genres]=true",
  "hierarchicalMenu[era.0][0]=20th%20century&hierarchicalMenu[era.0][1]=1970s&range[year]=1972:"
    + "&facetQuery[genres]=dr&sortBy=films_newest&query=%3Cscript%3E",
] {
  print("/films?\(query)\n\(try await page(for: query))\n")
}
