/// The attributes that a key's `attributesToRetrieve` allows in a response, wherever they occur:
/// in records, highlights, snippets and facets.
struct AttributeAccess: Sendable {
  private let allowed: [String]
  private let excluded: [String]
  private let allowsOthers: Bool

  /// Reads a list: names, `*` for all, and `-name` for all but one.
  init(_ list: [String]) {
    allowed = list.filter { $0 != "*" && !$0.hasPrefix("-") }
    excluded = list.filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) }
    allowsOthers = list.contains("*")
  }

  /// The list of attributes to highlight if a caller has none; `nil` leaves it to the settings,
  /// which excluded attributes do not take part in.
  var defaultHighlights: [String]? { allowsOthers ? nil : allowed }

  /// Whether an attribute may be returned, with everything below it.
  func allows(_ path: String) -> Bool {
    func isBelow(_ path: String, _ parent: String) -> Bool {
      path == parent || path.hasPrefix(parent + ".")
    }
    // A parent of an excluded attribute would return it.
    if excluded.contains(where: { isBelow(path, $0) || isBelow($0, path) }) { return false }
    return allowsOthers || allowed.contains { isBelow(path, $0) }
  }

  /// Returns the entries of a list that are allowed, each with an attribute before a suffix such as
  /// `:20`. `*` becomes the allowed ones.
  ///
  /// - Parameter fallback: The list that counts if there is none.
  func limited(_ list: [String]?, fallback: [String]?) -> [String]? {
    guard let list = list ?? fallback else { return nil }
    return list.flatMap { entry -> [String] in
      let name = entry.prefix { $0 != ":" }
      guard name == "*" else { return allows(String(name)) ? [entry] : [] }
      // With exclusions the others are not known.
      let suffix = entry.dropFirst(name.count)
      return allowsOthers && excluded.isEmpty ? [entry] : allowed.map { $0 + suffix }
    }
  }
}
