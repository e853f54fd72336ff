/// Which attributes of a record are searched, and in which order of importance.
///
/// Each entry of the setting is a rank. `"a,b"` gives several attributes one rank, in which word
/// positions do not count; nor do they under `unordered(a)`. An attribute covers everything beneath
/// it (`author` covers `author.name`). If several entries cover a path, the first does. An empty
/// list means every string.
package struct SearchableAttributes: Sendable, Hashable {
  /// How an attribute takes part in the search.
  package struct Role: Sendable, Hashable {
    /// The rank, 0 for the most important attributes.
    package let rank: Int
    /// Whether an earlier word is better.
    package let isOrdered: Bool

    /// Creates a role.
    package init(rank: Int, isOrdered: Bool) {
      self.rank = rank
      self.isOrdered = isOrdered
    }
  }

  /// Attributes of the engine itself, searched only when they are listed.
  package static let reserved: Set<String> = ["objectID", "_tags", "_geoloc"]

  private struct Entry: Sendable, Hashable {
    let path: String
    let role: Role
  }

  private let entries: [Entry]
  /// The first entry of each path.
  private let places: [String: Int]
  /// The paths above the listed ones.
  private let listed: AttributeList

  /// Creates the list from the setting.
  package init(_ setting: [String]) {
    var entries: [Entry] = []
    for (rank, item) in setting.enumerated() {
      let parts = item.split(separator: ",")
      for part in parts {
        let (path, isOrdered) = Self.parse(part)
        guard !path.isEmpty else { continue }
        entries.append(
          Entry(path: path, role: Role(rank: rank, isOrdered: isOrdered && parts.count == 1)))
      }
    }
    self.entries = entries
    places = Dictionary(
      entries.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
    listed = AttributeList(literally: entries.map(\.path))
  }

  /// Whether no attribute is listed, so that all strings are searched and the criterion Attribute
  /// is off.
  package var isEmpty: Bool { entries.isEmpty }

  /// The listed paths in order.
  package var paths: [String] { entries.map(\.path) }

  /// Returns the role of the attribute at `path`, or `nil` if it is not searched.
  package func role(of path: String) -> Role? {
    if entries.isEmpty {
      let top = path.prefix { $0 != "." }
      return Self.reserved.contains(String(top)) ? nil : Role(rank: 0, isOrdered: false)
    }
    var first = places[path]
    AttributeList.forEachParent(of: path) { parent in
      guard let place = places[String(parent)] else { return }
      first = first.map { min($0, place) } ?? place
    }
    return first.map { entries[$0].role }
  }

  /// Whether something beneath `path` may be searched.
  package func mayContain(_ path: String) -> Bool {
    entries.isEmpty
      ? role(of: path) != nil
      : listed.mayContain(path)
  }

  /// Splits `unordered(a)` or `ordered(a)` into the path and whether positions count.
  private static func parse(_ text: Substring) -> (path: String, isOrdered: Bool) {
    let text = trimmed(text)
    for (name, isOrdered) in [("unordered(", false), ("ordered(", true)]
    where text.hasPrefix(name) && text.hasSuffix(")") {
      return (String(trimmed(text.dropFirst(name.count).dropLast())), isOrdered)
    }
    return (String(text), true)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
