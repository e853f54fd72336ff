import AsyncInstantSearch
import AsyncInstantSearchTesting
import Foundation
import InstantSearchJSON
import LocalSearch

/// The ways from bytes to values, as the client goes them.
enum Pages {
  /// The page of one search.
  static func hits(_ bytes: [UInt8]) throws -> HitsPage<Hit<Product>> { try page(bytes) }

  /// The page of one search, of any record type.
  static func page<Record>(_ bytes: [UInt8]) throws -> HitsPage<Record> {
    let root = try JSONDocument(bytes).root
    return HitsPage(node: root, options: JSONDecodingOptions(), query: SearchQuery())
  }

  /// The pages of several searches in one call.
  static func multi(_ bytes: [UInt8]) throws -> [HitsPage<Hit<Product>>] {
    let root = try JSONDocument(bytes).root
    let options = JSONDecodingOptions()
    let nodes = root["results"].map { Array($0.elements) } ?? []
    return nodes.map { HitsPage(node: $0, options: options, query: SearchQuery()) }
  }

  /// A value of any type, by its conformance to `Decodable`.
  static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
    try JSONValueDecoder().decode(type, from: bytes)
  }
}

/// A type of a user's own that has a page among its properties.
struct Nested<Page: Decodable>: Decodable {
  var took: Int
  var page: Page

  /// The JSON of one around the JSON of a page.
  static func bytes(around page: [UInt8]) -> [UInt8] {
    Array(#"{"took":3,"page":"#.utf8) + page + [UInt8(ascii: "}")]
  }
}

/// Asks each hit for what may be read only then, so that decoding includes it.
///
/// - Returns: The page.
@discardableResult
func touch<Record>(_ page: HitsPage<Hit<Record>>) -> HitsPage<Hit<Record>> {
  for hit in page.hits {
    use(hit.highlightResult)
    use(hit.snippetResult)
    use(hit.rankingInfo)
    use(hit.geolocation)
  }
  return page
}

/// Takes a value that is not needed, without the optimizer noticing.
@inline(never)
func use<Value>(_ value: Value) { withExtendedLifetime(value) {} }

/// What is different between two pages, hits first; `nil` when nothing is.
///
/// Of facets the order is left out, which Foundation does not tell, and of both pages what the
/// plain types of this benchmark do not have.
func difference<Record: Hashable>(
  between page: HitsPage<Record>, and other: HitsPage<Record>
) -> String? {
  if let failure = page.failures.first { return "\(failure)" }
  if page.hits.count != other.hits.count {
    return "\(page.hits.count) hits instead of \(other.hits.count)"
  }
  for index in page.hits.indices where page.hits[index] != other.hits[index] {
    return "hit \(index) is \(page.hits[index]) instead of \(other.hits[index])"
  }
  func counts(_ page: HitsPage<Record>) -> [String: [String: Int]] {
    Dictionary(uniqueKeysWithValues: page.facets.map { ($0.attribute, $0.counts) })
  }
  func members(_ page: HitsPage<Record>) -> [(name: String, value: AnyHashable)] {
    [
      ("nbHits", page.nbHits), ("page", page.page), ("nbPages", page.nbPages),
      ("hitsPerPage", page.hitsPerPage), ("facets", counts(page)),
      ("facetStats", page.facetStats), ("query", page.query), ("params", page.params),
      ("index", page.index), ("queryID", page.queryID), ("parsedQuery", page.parsedQuery),
      ("serverUsed", page.serverUsed), ("indexUsed", page.indexUsed),
      ("processingTimeMS", page.processingTimeMS), ("serverTimeMS", page.serverTimeMS),
      ("exhaustive", page.exhaustive),
    ]
  }
  for (member, otherMember) in zip(members(page), members(other))
  where member.value != otherMember.value {
    return "\(member.name) is \(member.value) instead of \(otherMember.value)"
  }
  return nil
}

/// What is different between the pages of two lists; `nil` when nothing is.
func difference<Record: Hashable>(
  between pages: [HitsPage<Record>], and others: [HitsPage<Record>]
) -> String? {
  if pages.count != others.count { return "\(pages.count) pages instead of \(others.count)" }
  return zip(pages, others).lazy.compactMap { difference(between: $0, and: $1) }.first
}

/// What is different between a value of this library and one of `JSONSerialization`; `nil` when
/// nothing is.
func difference(between json: JSON, and object: Any) -> String? {
  switch json {
  case .object(let members):
    guard let others = object as? [String: Any], members.count == others.count else { break }
    return members.lazy.compactMap { name, member in
      guard let other = others[name] else { return "no member \(name)" }
      return difference(between: member, and: other)
    }.first
  case .array(let elements):
    guard let others = object as? [Any], elements.count == others.count else { break }
    return zip(elements, others).lazy.compactMap { difference(between: $0, and: $1) }.first
  case .string(let text): if object as? String == text { return nil }
  case .bool(let value): if object as? Bool == value { return nil }
  case .int(let number): if object as? Int64 == number { return nil }
  case .uint(let number): if object as? UInt64 == number { return nil }
  case .double(let number): if object as? Double == number { return nil }
  case .number(let text): if let number = object as? NSNumber, "\(number)" == text { return nil }
  case .null: if object is NSNull { return nil }
  }
  return "\(json) instead of \(object)"
}

/// What is different between two JSON texts, whose members may stand in any order; `nil` when
/// nothing is.
func difference(betweenJSON bytes: [UInt8], and others: Data) throws -> String? {
  let json = try JSON(parsing: bytes)
  let other = try JSON(parsing: [UInt8](others))
  return json == other ? nil : "\(json) instead of \(other)"
}

/// A record of the films that the snippets search.
struct Film: Codable, Sendable, Hashable {
  var title: String
  var year: Int
  var directors: [String]
  var cast: [String]
  var genres: [String]
  var country: String
  var runtime: Int
  var oscars: Int
  var plot: String
}

/// The films that the snippets search, in an embedded engine.
enum Films {
  private static let file = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../Snippets/Data/films.json")
    .standardizedFileURL

  /// The titles of the films.
  static func titles() throws -> [String] {
    try JSONDecoder().decode([Film].self, from: Data(contentsOf: file)).map(\.title)
  }

  /// An engine with the index `films`.
  static func engine() async throws -> LocalSearch {
    let engine = LocalSearch()
    try await engine.setSettings(
      IndexSettings(
        searchableAttributes: ["title", "directors", "cast", "plot"],
        attributesForFaceting: ["genres", "country", "year", "directors"]),
      of: "films")
    try await engine.load(contentsOf: file, into: "films")
    return engine
  }

  /// The answer to a query for twenty films with highlights, snippets and facets.
  static func answer() async throws -> [UInt8] {
    let query = SearchQuery("man love")
      .setting(\.facets, to: ["*"]).setting(\.getRankingInfo, to: true)
      .setting(\.attributesToSnippet, to: ["plot:8"])
      .setting(\.optionalWords, to: .value("man love"))
    return try await engine().answer(to: SearchRequest<Hit<Film>>("films", query))
  }
}

extension LocalSearch {
  /// The bytes of the answer to a search.
  func answer<Record>(to request: SearchRequest<Record>) async throws -> [UInt8] {
    try await send(
      TransportRequest(
        method: .post, pathComponents: ["1", "indexes", request.indexName, "query"],
        body: request.body, callType: .read)
    ).body
  }
}

/// A record of the engine's benchmarks: six words of 5,000, a price, and what some of them have
/// besides.
struct EngineItem: Codable, Sendable {
  let objectID: String
  let name: String
  let price: Int
  /// One of 10,000.
  var brand: String?
  var _geoloc: Place?

  struct Place: Codable, Sendable {
    let lat: Double
    let lng: Double
  }

  /// Makes records, the same at each run.
  ///
  /// - Parameter haveDetails: Whether they have brands and places.
  static func items(_ count: Int, haveDetails: Bool = false) -> [EngineItem] {
    var generator = SeededGenerator(seed: 1)
    return (0..<count).map { number in
      let words = (0..<6).map { _ in "word\(Int.random(in: 0..<5_000, using: &generator))" }
      var item = EngineItem(
        objectID: "\(number)", name: words.joined(separator: " "),
        price: Int.random(in: 1...10_000, using: &generator))
      if haveDetails {
        item.brand = "brand\(Int.random(in: 0..<10_000, using: &generator))"
        item._geoloc = Place(
          lat: Double.random(in: -80...80, using: &generator),
          lng: Double.random(in: -170...170, using: &generator))
      }
      return item
    }
  }
}
