// A hierarchical menu: decades, and the years in them, with a breadcrumb.
import AsyncInstantSearch
import Foundation
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
}

// snippet.records
/// A film with its path of decade and year, one attribute for each level.
struct DatedFilm: Codable, Sendable {
  let objectID: String
  let title: String
  let released: [String: String]

  init(_ film: Film) {
    objectID = "\(film.title) \(film.year)"
    title = film.title
    let decade = "\(film.year / 10 * 10)s"
    released = ["lvl0": decade, "lvl1": "\(decade) > \(film.year)"]
  }
}
// snippet.end

let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data/films.json")
let films = try JSONDecoder().decode([Film].self, from: Data(contentsOf: file))
let engine = LocalSearch()
let client = SearchClient(transport: engine)
try await client.setSettings(
  IndexSettings(
    searchableAttributes: ["title"],
    attributesForFaceting: ["released.lvl0", "released.lvl1"]),
  of: "films")
try await client.save(films.map(DatedFilm.init), in: "films")

// snippet.menu
let released = HierarchicalFacet(attributes: ["released.lvl0", "released.lvl1"])
let searcher = HitsSearcher(client: client, indexName: "films")
let menu = WidgetInteractor(HierarchicalMenu(released, limit: 4))
let breadcrumb = WidgetInteractor(Breadcrumb(released))
menu.connectSearcher(searcher)
breadcrumb.connectSearcher(searcher)
try await searcher.search()
// snippet.end
printMenu()

for path in ["1930s", "1930s > 1931", "1930s > 1931"] {
  print("choosing \(path)")
  // snippet.toggle
  try menu.perform { $0.toggle(path) }
  try await searcher.settled()
  // snippet.end
  printMenu()
}

func printMenu() {
  printNodes(menu.view.items, indentation: "  ")
  let steps = breadcrumb.view.items.map(\.label)
  if breadcrumb.view.canRefine { print("  breadcrumb: \(steps.joined(separator: " / "))") }
}

// snippet.nodes
/// Prints values with those below them, the selected ones with a star.
func printNodes(_ nodes: [FacetTreeNode], indentation: String) {
  for node in nodes {
    print("\(indentation)\(node.isRefined ? "*" : "")\(node.name) \(node.count)")
    printNodes(node.children ?? [], indentation: indentation + "  ")
  }
}
// snippet.end
