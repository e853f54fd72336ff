// A page on a server: URL in, one awaited search with all widgets, escaped HTML with links out.
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
    searchableAttributes: ["title", "plot"], attributesForFaceting: ["genres", "year"],
    customRanking: ["asc(year)"]),
  of: "films")
try await engine.load(contentsOf: films, into: "films")

// snippet.screen
/// The widgets of the page. They are values without state, so all requests share them.
struct FilmsPage: Sendable {
  let box = SearchBox()
  let genres = FacetList(attribute: "genres", limit: 3)
  let years = NumberRange(attribute: "year")
  let pagination = Pagination(padding: 2)
  let selected = CurrentFilters()
  let clear = FilterClear()
  let screen: SearchScreen

  init() throws {
    let size = Configure(SearchQuery().with { $0.hitsPerPage = 2 })
    screen = try SearchScreen(
      indexName: "films", widgets: [box, genres, years, pagination, selected, clear, size],
      routing: .singleIndex("films"))
  }
}
// snippet.end
let page = try FilmsPage()

// snippet.answer
/// Returns the page for the query of a URL. No state is kept between requests.
func answer(to query: String) async throws -> String {
  let (state, problems) = page.screen.read(query: query)
  for problem in problems { print("ignored: \(problem)") }
  let results = try await client.search(page.screen, in: state)
  return html(of: results)
}
// snippet.end

// snippet.html
/// Renders results as HTML. Text of users and records is escaped.
func html(of results: ScreenResults) -> String {
  let escaped = HighlightedString.escapingHTML
  var lines: [String] = []
  let text = results.view(of: page.box).query
  lines.append(results.form(to: "/films", for: page.box, fields: [("query", text)]))
  let films = results.page(of: Hit<Film>.self)
  for hit in films.hits {
    let title = hit.highlighted("title")?.html() ?? escaped(hit.title)
    lines.append("<li>\(title) (\(hit.year))</li>")
  }
  for item in results.view(of: page.genres).items {
    let label = "\(item.isRefined ? "✓ " : "")\(item.value) (\(item.count ?? 0))"
    lines.append(results.anchor(label, to: "/films", after: page.genres.toggle(item.value)))
  }
  lines += leftOut(films.failures)
  let years = results.view(of: page.years)
  // The bounds are numbers of the records or of the URL: `Int(_:)` would trap for large ones.
  lines.append(
    [years.minimum, years.maximum].map { "\(Int(exactly: $0) ?? 0)" }.joined(separator: " to "))
  for number in results.view(of: page.pagination).pages {
    let show = page.pagination.show(number)
    lines.append(results.anchor("\(number + 1)", to: "/films", after: show))
  }
  for item in results.view(of: page.selected).groups.flatMap(\.items) {
    let remove = page.selected.remove(item)
    lines.append(results.anchor("without \(item.value)", to: "/films", after: remove))
  }
  return lines.joined(separator: "\n")
}
// snippet.end

// snippet.failures
/// Returns the line that says how many films a page leaves out, and logs why.
func leftOut(_ failures: [HitFailure]) -> [String] {
  for failure in failures { print("left out: \(failure)") }
  return failures.isEmpty ? [] : ["<p>\(failures.count) films could not be shown.</p>"]
}
// snippet.end

// snippet.errors
/// The status of a response to a visitor whose search failed. The task has a typed error because
/// its `do` statement says so.
func status(of query: String) -> Task<Int, Never> {
  Task {
    do throws(SearchError) {
      _ = try await client.search("films", SearchQuery(query), of: Film.self)
      return 200
    } catch {
      print(error)
      return error.httpStatus
    }
  }
}
// snippet.end

for query in [
  "query=thelm", "refinementList[genres][0]=War&range[year]=1960:1969&page=2",
  "query=%3Cscript%3E&page=many",
] {
  print("/films?\(query)")
  print(try await answer(to: query))
}

let (cut, problems) = page.screen.read(query: "query=\(String(repeating: "a", count: 600))")
print("600 letters become \(cut["films"].query.count): \(problems)")
let tooLong = await status(of: String(repeating: "a", count: 600)).value
print("600 letters without limits are a \(tooLong)")
