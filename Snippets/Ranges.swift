// Numbers: a slider with two ends, ranges to choose from, and minimums.
import AsyncInstantSearch
import Foundation
import LocalSearch

let films = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data/films.json")
let engine = LocalSearch()
let client = SearchClient(transport: engine)
try await client.setSettings(
  IndexSettings(
    searchableAttributes: ["title"], attributesForFaceting: ["year", "runtime", "oscars"]),
  of: "films")
try await engine.load(contentsOf: films, into: "films")

// snippet.connect
let searcher = HitsSearcher(client: client, indexName: "films")
let years = WidgetInteractor(NumberRange(attribute: "year"))
let lengths = WidgetInteractor(
  NumericMenu(
    attribute: "runtime",
    items: [
      .init("Any length"), .init("Up to 90 minutes", end: 90),
      .init("90 minutes to 2 hours", start: 90, end: 120), .init("Longer", start: 120),
    ]))
let oscars = WidgetInteractor(
  NumericMenu(
    attribute: "oscars",
    items: [.init("Any number")] + [1, 4, 7].map { .init("\($0) or more", start: Double($0)) },
    countsHits: true))
let stats = WidgetInteractor(SearchStats())
years.connectSearcher(searcher)
lengths.connectSearcher(searcher)
oscars.connectSearcher(searcher)
stats.connectSearcher(searcher)
try await searcher.search()
// snippet.end
printWidgets("at first")

// snippet.actions
try years.perform { $0.set(1960, 1979) }
try lengths.perform { $0.select(3) }
try oscars.perform { $0.select(2) }
try await searcher.settled()
// snippet.end
printWidgets("long films of two decades with four Oscars or more")

// snippet.problem
do {
  try years.perform { $0.set(1850, nil) }
} catch {
  print(error.message)
}
// snippet.end

func printWidgets(_ title: String) {
  print("\(title): \(stats.view.nbHits) films")
  let range = years.view
  let bounds = [range.lowerBound ?? range.minimum, range.upperBound ?? range.maximum].map(Int.init)
  print(
    "  years \(Int(range.minimum)) to \(Int(range.maximum)), selected \(bounds[0]) to \(bounds[1])")
  for (position, item) in lengths.view.items.enumerated() {
    print("  \(position == lengths.view.selected ? "*" : "-") \(item.label)")
  }
  for (position, item) in oscars.view.items.enumerated() {
    let count = item.count.map { "\($0)" } ?? "?"
    print("  \(position == oscars.view.selected ? "*" : "-") \(item.label): \(count)")
  }
}
