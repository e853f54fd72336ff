/// The attributes that a key's `attributesToRetrieve` allows in a response, wherever they occur:
/// in records, highlights, snippets and facets.
///
/// Names are compared by their bytes, as in records: a name in another Unicode form is another
/// attribute.
struct AttributeAccess: Sendable {
  /// The allowed names, if other names are not allowed.
  private let allowed: [String]
  private let excluded: [String]
  private let allowsOthers: Bool

  /// Reads a list: names, or `*` for all, with `-name` to exclude a name.
  init(_ list: [String]) {
    allowsOthers = list.contains("*")
    allowed = allowsOthers ? [] : list.filter { !$0.hasPrefix("-") }
    // Without `*` an exclusion has no effect.
    excluded = allowsOthers ? list.filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) } : []
  }

  private init(allowed: [String], excluded: [String], allowsOthers: Bool) {
    self.allowed = allowed
    self.excluded = excluded
    self.allowsOthers = allowsOthers
  }

  /// Returns the list that this was read from, or an equivalent list.
  var list: [String] { (allowsOthers ? ["*"] : allowed) + excluded.map { "-" + $0 } }

  /// Returns the attributes that both allow; `nil` if no list can express them.
  func intersection(_ other: AttributeAccess) -> AttributeAccess? {
    switch (allowsOthers, other.allowsOthers) {
    case (true, true):
      AttributeAccess(allowed: [], excluded: excluded + other.excluded, allowsOthers: true)
    case (true, false): other.without(excluded)
    case (false, true): without(other.excluded)
    case (false, false):
      AttributeAccess(
        allowed: allowed.flatMap { name in
          other.allowed.compactMap { other in
            name.isPath(in: other) ? name : other.isPath(in: name) ? other : nil
          }
        }, excluded: [], allowsOthers: false)
    }
  }

  /// Returns a list of names without the excluded names; `nil` if only a part of an attribute is
  /// excluded.
  private func without(_ names: [String]) -> AttributeAccess? {
    if allowed.contains(where: { name in names.contains { $0 != name && $0.isPath(in: name) } }) {
      return nil
    }
    let rest = allowed.filter { name in !names.contains { name.isPath(in: $0) } }
    return AttributeAccess(allowed: rest, excluded: [], allowsOthers: false)
  }

  /// The attributes to highlight if the caller lists none; `nil` means the attributes in the
  /// settings, without excluded ones.
  var defaultHighlights: [String]? { allowsOthers ? nil : allowed }

  /// Whether every attribute may be returned.
  var allowsAll: Bool { allowsOthers && excluded.isEmpty }

  /// Whether an attribute may be returned, with everything below it.
  func allows(_ path: String) -> Bool {
    // A parent of an excluded attribute would return it.
    if excluded.contains(where: path.isPath(overlapping:)) { return false }
    return allowsOthers || allowed.contains { path.isPath(in: $0) }
  }

  /// Returns the allowed entries of a list. `*` becomes the allowed names.
  ///
  /// - Parameters:
  ///   - fallback: The list to use if `list` is `nil`.
  ///   - haveLength: Whether entries can end with a length, such as `body:20`.
  func limited(
    _ list: [String]?, fallback: [String]?, haveLength: Bool = false
  ) -> [String]? {
    guard let list = list ?? fallback else { return nil }
    return list.flatMap { entry -> [String] in
      let name = haveLength ? SnippetEntry(entry).path : entry
      guard name == "*" else { return allows(name) ? [entry] : [] }
      // With exclusions, the allowed names are unknown.
      let suffix = entry.dropFirst(name.count)
      return allowsAll ? [entry] : allowed.map { $0 + suffix }
    }
  }
}
