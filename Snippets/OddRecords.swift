// Records that do not match their type: the others are returned, and errors name the location.
import AsyncInstantSearch
import LocalSearch

struct Film: Codable, Sendable {
  let title: String
  let year: Int
}

let engine = LocalSearch()
let client = SearchClient(transport: engine)
try await client.save(
  [
    ["objectID": "1", "title": "Metropolis", "year": 1927],
    ["objectID": "2", "title": "Metropolitan", "year": "nineteen-ninety"],
    ["objectID": "3", "title": "Robot Metropolis"],
  ] as [JSON], in: "films")

// snippet.failures
let page = try await client.search("films", SearchQuery("metropolis"), of: Hit<Film>.self)
for hit in page.hits { print("\(hit.title) (\(hit.year))") }
for failure in page.failures { print(failure) }
// snippet.end

// snippet.json
// Every record can be read as JSON.
let raw = try await client.search("films", SearchQuery("metropolis"), of: JSON.self)
for record in raw.hits { print(record["title"]?.stringValue ?? "", record["year"] ?? .null) }
// snippet.end
