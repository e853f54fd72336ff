import AsyncInstantSearch
import InstantSearchJSON

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
