// A widget of one's own: the values of a facet, each of which can be excluded.
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
    searchableAttributes: ["title"], attributesForFaceting: ["genres"],
    customRanking: ["desc(oscars)", "desc(year)"]),
  of: "films")
try await engine.load(contentsOf: films, into: "films")

// snippet.widget
/// The values of a facet, each of which can be excluded.
struct ExclusionList: SearchWidget {
  struct View: Sendable, Equatable {
    /// The values of the hits with their counts.
    var items: [FacetItem] = []
    /// The excluded values, which no hit has.
    var excluded: [String] = []
  }

  let attribute: String
  let limit: Int

  /// Excludes a value, or no longer if it is excluded.
  func toggle(_ value: String) -> Action {
    refining { $0.filters[and: attribute].toggle(exclusion(of: value)) }
  }

  /// Displays all values.
  func showAll() -> Action {
    action { $0.state.opened.showMore.insert(attribute) }
  }

  /// Requests the counts of the values.
  func declare(in needs: inout SearchNeeds, for state: IndexState) {
    needs.conjunctiveFacets.insert(attribute)
    needs.requireValuesPerFacet(100)
  }

  func view(_ context: Context) -> View {
    let facet = context.results?.counts.facets[attribute] ?? Facet(attribute: attribute)
    let items = facet.items(in: context.state, operator: .and).filter { !$0.isExcluded }
    return View(
      items: context.state.opened.showMore.contains(attribute)
        ? items : Array(items.prefix(limit)),
      excluded: exclusions(in: context.state).map(\.value.text))
  }

  private func exclusion(of value: String) -> Filter.Facet {
    !Filter.Facet(attribute: Attribute(attribute), stringValue: value)
  }

  private func exclusions(in state: IndexState) -> [Filter.Facet] {
    state.filters(of: attribute, operator: .and).filter(\.isNegated)
  }
}
// snippet.end

// snippet.state
extension ExclusionList: RoutedWidget {
  /// The name of the list in a URL.
  private var name: String { "without_\(attribute)" }

  /// What the widget writes to URLs and reads. What is absent is cleared.
  var parts: [WidgetPart] {
    let values = WidgetPart(name) { state in
      .list(exclusions(in: state).map { .text($0.value.text) })
    } read: { value, state in
      state.filters[and: attribute].remove(contentsOf: exclusions(in: state).map(\.filter))
      guard case .list(let values)? = value else { return }
      for case .text(let value) in values {
        state.filters[and: attribute].add(exclusion(of: value))
      }
    }
    let showsAll = WidgetPart("showMore", attribute) { state in
      state.opened.showMore.contains(attribute) ? "true" : nil
    } read: { value, state in
      state.opened.showMore.remove(attribute)
      if value == "true" { state.opened.showMore.insert(attribute) }
    }
    return [values, showsAll]
  }
}
// snippet.end

// snippet.use
let searcher = HitsSearcher(client: client, indexName: "films")
let genres = WidgetInteractor(ExclusionList(attribute: "genres", limit: 3))
genres.connectSearcher(searcher)
try await searcher.search()
try genres.perform { $0.toggle("Drama") }
try await searcher.settled()
try genres.perform { $0.toggle("Comedy") }
let view = try await genres.settledView()
// snippet.end

let page = try await searcher.search(of: Film.self)
print("without \(view.excluded.joined(separator: ", ")): \(page.nbHits) films")
print(view.items.map { "\($0.value) \($0.count ?? 0)" }.joined(separator: ", "))
try genres.perform { $0.showAll() }
print("\(genres.view.items.count) genres in all")

var state = UIState()
state["films"] = searcher.uiState
let query = state.query(mapping: .singleIndex("films"))
print("/films?\(query)")
let (read, problems) = UIState.read(query: query, mapping: .singleIndex("films"))
searcher.setUIState(IndexUIState())
print("cleared: \(genres.view.excluded.count) excluded")
searcher.setUIState(read["films"])
print("read again: \(genres.view.excluded.count) excluded, \(problems.count) problems")
