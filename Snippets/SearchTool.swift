// A search tool for language models, over standard input and output (Model Context Protocol).
import Foundation
import InstantSearchClient
import LocalSearch

let data = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data")
let engine = LocalSearch()
let client = SearchClient(transport: engine)
let settings = IndexSettings(
  searchableAttributes: ["title", "directors", "cast", "plot"],
  attributesForFaceting: ["searchable(genres)", "searchable(directors)", "country"],
  customRanking: ["desc(oscars)", "desc(year)"], replicas: ["films_newest"])
try await client.setSettings(settings, of: "films")
try await engine.load(contentsOf: data.appending(path: "films.json"), into: "films")
try await client.updateSettings(of: "films_newest") { $0.ranking.insert("desc(year)", at: 0) }

// snippet.tools
var films = SearchTool.Index(
  "films", settings: settings, about: "Films since 1920 with their cast, genres and plot",
  attributes: ["title", "year", "directors", "cast", "genres", "country", "oscars", "plot"],
  numericAttributes: ["year", "runtime", "oscars"])
films.sortOrders = [SearchTool.SortOrder("newest", indexName: "films_newest")]
let tools = SearchTool.all(for: [films], client: client)
// snippet.end

// snippet.server
let server = ToolServer(
  name: "films", version: "1.0.0",
  instructions: "Answer questions about films from the results of the tools only.", tools: tools)
try await server.runOverStandardStreams()
// snippet.end
