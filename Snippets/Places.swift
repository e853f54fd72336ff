// Search for places: countries, cities, streets and airports, in the user's language.
import AsyncInstantSearch
import Foundation
import LocalSearch

let data = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data")
// snippet.engine
let engine = LocalSearch()
let client = SearchClient(transport: engine)
try await client.setSettings(.places, of: "places")
try await engine.load(contentsOf: data.appending(path: "places.json"), into: "places")
// snippet.end

// snippet.searcher
let searcher = PlacesSearcher(
  client: client,
  query: PlacesQuery().with {
    $0.language = .english
    $0.hitsPerPage = 4
  })
// snippet.end

await type(searcher.pages)

func type(_ pages: AsyncStream<HitsPage<Hit<Place>>>) async {
  var pages = pages.makeAsyncIterator()
  let steps: [(String, @Sendable () -> Void)] = [
    ("p", { searcher.setQuery("p") }),
    ("pari", { searcher.setQuery("pari") }),
    ("pari in Italian", { searcher.setLanguage(.italian) }),
    (
      "pari, cities in the United States and Brazil",
      { searcher.update { ($0.type, $0.countries) = ([.city], ["us", "br"]) } }
    ),
  ]
  for (title, step) in steps {
    step()
    guard let page = await pages.next() else { return }
    print("\(title):")
    for hit in page.hits { print("  \(line(hit))") }
  }
}

func line(_ hit: Hit<Place>) -> String {
  let name = hit.highlighted("locale_names")?.tagged(pre: "*", post: "*") ?? hit.objectID
  let parts = [name, hit.city?.value?.first, hit.country?.value].compactMap { $0 }
  return "\(hit.type?.rawValue ?? "place"): \(parts.joined(separator: ", "))"
}

// A list of rows can be connected to a searcher for places as to one for hits.
let rows = HitsInteractor<Hit<Place>>()
rows.connectSearcher(searcher)
for await state in rows.states where !state.hits.isEmpty {
  print("\(state.hits.count) rows, \(state.hits.compactMap { $0?.name })")
  break
}

// snippet.around
let louvre = Point(latitude: 48.8606, longitude: 2.3376)
let nearest = try await client.places(around: louvre, language: .french, hitsPerPage: 2)
// snippet.end
print("Around the Louvre:")
for hit in nearest.hits { print("  \(line(hit))") }

let paris = try await client.place("paris")
let names = paris.localeNames?.languages.compactMap { paris.object.name(in: $0) } ?? []
print("Paris is \(names.joined(separator: ", ")).")
