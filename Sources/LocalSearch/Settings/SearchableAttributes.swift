/// The attributes that are searched, in their order of importance.
///
/// Each entry of the setting is a rank. `"a,b"` gives several attributes one rank, in which word
/// positions do not count. Nor do they in `unordered(a)`. An attribute covers everything below it
/// (`author` covers `author.name`). The first entry that covers a path counts. An empty list means
/// every string.
package struct SearchableAttributes: Sendable {
  /// The role of an attribute in the search.
  package struct Role: Sendable, Hashable {
    /// The rank, 0 for the most important attributes.
    package let rank: Int
    /// Whether earlier words rank higher.
    package let isOrdered: Bool

    /// Creates a role.
    package init(rank: Int, isOrdered: Bool) {
      self.rank = rank
      self.isOrdered = isOrdered
    }
  }

  /// Attributes with a meaning for the engine, which are searched only if listed.
  package static let reserved: Set<String> = ["objectID", "_tags", "_geoloc"]

  /// The listed paths, in order.
  package let paths: [String]
  /// The roles of the paths.
  private let roles: [Role]
  private let tree: PathTree

  /// Creates a list of all attributes.
  package init() {
    paths = []
    roles = []
    tree = PathTree()
  }

  /// Creates the list from the setting.
  package init(_ setting: [String], _ cancellation: CancellationCheck) throws {
    var paths: [String] = []
    var roles: [Role] = []
    for (rank, item) in setting.enumerated() {
      try cancellation.count(bytes: item.utf8.count)
      let parts = item.split(separator: ",")
      for part in parts {
        let (path, isOrdered) = Self.parse(part)
        guard !path.isEmpty else { continue }
        paths.append(path)
        roles.append(Role(rank: rank, isOrdered: isOrdered && parts.count == 1))
      }
    }
    self.paths = paths
    self.roles = roles
    tree = try PathTree(paths, cancellation)
  }

  /// Whether no attribute is listed. Then all strings are searched, and the Attribute criterion is
  /// off.
  package var isEmpty: Bool { paths.isEmpty }

  /// Returns the role of the attribute at `path`, or `nil` if it is not searched.
  package func role(of path: String, _ cancellation: CancellationCheck) throws -> Role? {
    if isEmpty { return Self.isReserved(path) ? nil : Role(rank: 0, isOrdered: false) }
    return try tree.match(path, cancellation).first.map { roles[$0] }
  }

  /// Whether something below `path` may be searched.
  package func mayContain(_ path: String, _ cancellation: CancellationCheck) throws -> Bool {
    if isEmpty { return !Self.isReserved(path) }
    let match = try tree.match(path, cancellation)
    return match.first != nil || match.isAbove
  }

  private static func isReserved(_ path: String) -> Bool {
    var components = PathComponents(path)
    return components.next().map { reserved.contains(String($0)) } ?? false
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

/// A list of attribute paths. An attribute covers everything below it, and `*` covers everything.
///
/// A search creates the list once, and queries it for every member of every hit. A lookup takes
/// time in proportion to the length of the path, regardless of the length of the list.
package struct AttributeList: Sendable {
  /// Whether the list covers every attribute.
  package let isAll: Bool
  /// The paths, with dots for nested attributes.
  package let paths: [String]
  private let tree: PathTree

  /// Creates a list. `*` among the names means all.
  package init(_ names: [String], _ cancellation: CancellationCheck) throws {
    paths = names.filter { $0 != "*" }
    isAll = paths.count < names.count
    tree = try PathTree(paths, cancellation)
  }

  /// Creates a list of attributes to exclude from records. Object IDs are never excluded.
  init(excluding names: [String], _ cancellation: CancellationCheck) throws {
    try self.init(names.filter { $0 != "*" && $0 != "objectID" }, cancellation)
  }

  private init(isAll: Bool) {
    self.isAll = isAll
    paths = []
    tree = PathTree()
  }

  /// A list of every attribute.
  package static let all = AttributeList(isAll: true)

  /// A list without attributes.
  package static let none = AttributeList(isAll: false)

  /// Creates the list of attributes that a search is restricted to, all if the parameter names
  /// none.
  package init(restrictingTo names: [String]?, _ cancellation: CancellationCheck) throws {
    self = try names.flatMap { $0.isEmpty ? nil : try AttributeList($0, cancellation) } ?? .all
  }

  /// Whether the list is empty.
  var isEmpty: Bool { !isAll && paths.isEmpty }

  /// The relation of an attribute to the list.
  package struct Relation: Sendable, Hashable {
    /// Whether the list covers the attribute.
    package var isCovered: Bool
    /// Whether the list has a path below the attribute.
    package var isAbove: Bool
  }

  /// Returns the relation of an attribute to the list, by one lookup.
  package func relation(to path: String, _ cancellation: CancellationCheck) throws -> Relation {
    let match = try tree.match(path, cancellation)
    return Relation(isCovered: isAll || match.nearest != nil, isAbove: match.isAbove)
  }

  /// Whether the list covers an attribute.
  package func covers(_ path: String, _ cancellation: CancellationCheck) throws -> Bool {
    if isAll { return true }
    return try tree.match(path, cancellation).nearest != nil
  }

  /// Whether the list covers an attribute or has a path below it.
  package func mayContain(_ path: String, _ cancellation: CancellationCheck) throws -> Bool {
    if isAll { return true }
    let match = try tree.match(path, cancellation)
    return match.nearest != nil || match.isAbove
  }

  /// Whether the list names an attribute.
  func names(_ path: String, _ cancellation: CancellationCheck) throws -> Bool {
    try tree.match(path, cancellation).isListed
  }

  /// Returns the index in ``paths`` of an attribute or of the nearest one above it, or `nil`.
  func nearest(_ path: String, _ cancellation: CancellationCheck) throws -> Int? {
    try tree.match(path, cancellation).nearest
  }
}
