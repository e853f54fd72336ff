// A page on a server: one awaited search with all facets for a URL, rendered as escaped HTML.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
}

let films = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data/films.json")
let engine = LocalSearch()
try await engine.setSettings(
  IndexSettings(
    searchableAttributes: ["title", "plot"], attributesForFaceting: ["genres", "year"],
    customRanking: ["asc(year)"]),
  of: "films")
try await engine.load(contentsOf: films, into: "films")
let client = SearchClient(transport: engine)

// snippet.request
/// Returns the request of a URL: `/films?q=love&genre=War&genre=Drama&from=1960&page=1`.
func request(for url: URLComponents) -> SearchRequest<Hit<Film>> {
  func values(_ name: String) -> [String] {
    (url.queryItems ?? []).filter { $0.name == name }.compactMap(\.value)
  }
  var filters = FilterGroups()
  filters[or: "genres"].add(contentsOf: values("genre").map { "genres" == $0 })
  if let from = values("from").first.flatMap(Int.init) { filters[and: "year"].add("year" >= from) }
  if let to = values("to").first.flatMap(Int.init) { filters[and: "year"].add("year" <= to) }
  let query = SearchQuery(values("q").first ?? "").with {
    $0.facets = ["genres", "year"]
    $0.hitsPerPage = 2
    $0.page = values("page").first.flatMap(Int.init)
  }
  return SearchRequest("films", query, filterGroups: filters)
}
// snippet.end

// snippet.answer
/// Returns the page for a URL. No state is kept between requests.
func answer(to url: URLComponents) async throws -> HitsPage<Hit<Film>> {
  try await client.search(request(for: url), disjunctive: true)
}
// snippet.end

// snippet.html
/// Renders a page as HTML. Text of records is escaped, between tags and in attribute values.
func html(of page: HitsPage<Hit<Film>>) -> String {
  var lines: [String] = []
  for hit in page.hits {
    let title = hit.highlighted("title")?.html() ?? HighlightedString.escapingHTML(hit.title)
    lines.append("<li>\(title) (\(hit.year))</li>")
  }
  for genre in page.facets["genres"]?.values.prefix(3) ?? [] {
    let name = HighlightedString.escapingHTML(genre.value)
    lines.append(#"<option value="\#(name)">\#(name) (\#(genre.count))</option>"#)
  }
  if let years = page.facetStats["year"] {
    lines.append(
      #"<input type="range" name="from" min="\#(Int(years.min))" max="\#(Int(years.max))">"#)
  }
  return lines.joined(separator: "\n")
}
// snippet.end

// snippet.pages
/// Returns a link to another page of the same search.
func link(_ relation: String, to page: Int, of url: URLComponents) -> String {
  var url = url
  url.queryItems = (url.queryItems ?? []).filter { $0.name != "page" }
  url.queryItems?.append(URLQueryItem(name: "page", value: "\(page)"))
  let address = HighlightedString.escapingHTML(url.string ?? "")
  return #"<a rel="\#(relation)" href="\#(address)">\#(page + 1)</a>"#
}

/// Returns links to the pages before and after a page.
func links(around page: HitsPage<Hit<Film>>, of url: URLComponents) -> String {
  [
    page.previousPage.map { link("prev", to: $0, of: url) },
    page.nextPage.map { link("next", to: $0, of: url) },
  ].compactMap(\.self).joined(separator: "\n")
}
// snippet.end

for text in [
  "/films?q=thelm", "/films?genre=War&page=1", "/films?genre=War&from=1960&to=1969&page=9",
] {
  guard let url = URLComponents(string: text) else { continue }
  let page = try await answer(to: url)
  print("\(text): \(page.nbHits)")
  print(html(of: page))
  print(links(around: page, of: url))
}
