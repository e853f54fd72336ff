/// Which top-level members an answer has.
struct ResponseFields: Sendable, Hashable {
  /// The names; `nil` for all.
  private let names: Set<String>?

  /// The members that can be left out.
  private static let excludable: Set<String> = [
    "aroundLatLng", "automaticRadius", "exhaustive", "facets", "facets_stats", "hits",
    "hitsPerPage", "index", "length", "nbHits", "nbPages", "offset", "page", "params",
    "processingTimeMS", "query", "queryAfterRemoval", "renderingContent", "serverTimeMS",
    "userData",
  ]

  /// Reads the parameter `responseFields`; a name it does not know is an error.
  init(_ fields: [String]) throws(APIError) {
    for field in fields where field != "*" && !Self.excludable.contains(field) {
      throw APIError.invalidValue(
        of: "responseFields", expected: "names of response fields", got: field)
    }
    names = fields.contains("*") ? nil : Set(fields)
  }

  /// Whether an answer has a member.
  func contains(_ name: String) -> Bool {
    guard let names, Self.excludable.contains(name) else { return true }
    return names.contains(name)
  }
}
