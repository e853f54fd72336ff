import AsyncInstantSearch
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
}

let engine = LocalSearch()
try await engine.save([Film(title: "Metropolis"), Film(title: "Casablanca")], in: "films")
let page = try await SearchClient(transport: engine)
  .search("films", SearchQuery("metropilis"), of: Hit<Film>.self)
print(page.hits.map(\.object.title))
