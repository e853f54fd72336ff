// Judged queries: how well an index answers, with two settings side by side.
import AsyncInstantSearchTesting
import InstantSearchClient
import LocalSearch

struct Furniture: Codable, Sendable {
  let objectID: String
  let name: String
}

// snippet.queries
let queries = try JudgedQuery.list(
  """
  # Plurals
  {"query": "sofas", "grades": {"s1": 3, "s2": 2}}
  {"query": "mice", "grades": {"m1": 3}}
  {"query": "oak shelf", "grades": {"h1": 3, "t1": 1}}
  # Stop words
  {"query": "a lamp for the desk", "grades": {"l1": 3}}
  """)
// snippet.end

let engine = LocalSearch()
try await SearchClient(transport: engine).save(
  [
    Furniture(objectID: "s1", name: "Sofa"), Furniture(objectID: "s2", name: "Corner sofa"),
    Furniture(objectID: "h1", name: "Oak shelves"), Furniture(objectID: "l1", name: "Desk lamp"),
    Furniture(objectID: "t1", name: "Oak table"), Furniture(objectID: "m1", name: "Mouse pad"),
  ], in: "furniture"
).wait()

// snippet.compare
let before = try await RelevanceReport(of: queries, in: "furniture", over: engine)
let after = try await RelevanceReport(
  of: queries, in: "furniture", over: engine,
  parameters: SearchQuery().setting(\.naturalLanguages, to: [.english]))
print(after)
print()
print(RelevanceComparison(before, after))
// snippet.end
