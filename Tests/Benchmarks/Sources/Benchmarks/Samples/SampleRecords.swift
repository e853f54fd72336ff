import AsyncInstantSearch
import AsyncInstantSearchTesting
import Foundation
import LocalSearch

/// A user-defined type with a page as a property.
struct Nested<Page: Decodable>: Decodable {
  var took: Int
  var page: Page

  /// The JSON of such a value around the JSON of a page.
  static func bytes(around page: [UInt8]) -> [UInt8] {
    Array(#"{"took":3,"page":"#.utf8) + page + [UInt8(ascii: "}")]
  }
}

extension Nested: Sendable where Page: Sendable {}

/// Reads the lazily decoded parts of each hit, so that the measurement includes them.
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

/// Uses a value in a way that the optimizer cannot remove.
@inline(never)
func use<Value>(_ value: Value) { withExtendedLifetime(value) {} }

/// The difference between two pages, hits first, or `nil` for none.
///
/// It ignores the order of facets, which Foundation does not preserve, and the members that the
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

/// The difference between the pages of two lists, or `nil` for none.
func difference<Record: Hashable>(
  between pages: [HitsPage<Record>], and others: [HitsPage<Record>]
) -> String? {
  if pages.count != others.count { return "\(pages.count) pages instead of \(others.count)" }
  return zip(pages, others).lazy.compactMap { difference(between: $0, and: $1) }.first
}

/// The difference between a value of this library and one of `JSONSerialization`, or `nil` for
/// none.
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

/// The difference between two JSON texts, regardless of the order of members, or `nil` for none.
func difference(betweenJSON bytes: [UInt8], and others: Data) throws -> String? {
  let json = try JSON(parsing: bytes)
  let other = try JSON(parsing: [UInt8](others))
  return json == other ? nil : "\(json) instead of \(other)"
}

/// A record of the films in the snippets.
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

/// The films of the snippets in an embedded engine.
enum Films {
  private static let file = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../../../Snippets/Data/films.json")
    .standardizedFileURL

  /// The titles of the films.
  static func titles() throws -> [String] {
    try JSONDecoder().decode([Film].self, from: Data(contentsOf: file)).map(\.title)
  }

  /// An engine with the index `films`.
  static func engine() async throws -> LocalSearch {
    let engine = LocalSearch()
    try await SearchClient(transport: engine).setSettings(
      IndexSettings(
        searchableAttributes: ["title", "directors", "cast", "plot"],
        attributesForFaceting: ["genres", "country", "year", "directors"]),
      of: "films")
    try await engine.load(contentsOf: file, into: "films")
    return engine
  }
}

/// A record of the engine benchmarks: six of 5,000 words, a price, and optional details.
struct EngineItem: Codable, Sendable {
  let objectID: String
  let name: String
  let price: Int
  /// One of 10,000 brands.
  var brand: String?
  var _geoloc: Place?

  struct Place: Codable, Sendable {
    let lat: Double
    let lng: Double
  }

  /// Creates records, the same in each run.
  ///
  /// - Parameter haveDetails: Whether they have brands and locations.
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
