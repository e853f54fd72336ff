/// A list of attribute paths; an attribute covers everything beneath it, `*` covers everything.
///
/// Made once for a search and asked for every member of every hit, so a question costs as much as
/// the path is deep, however many paths there are.
package struct AttributeList: Sendable, Hashable {
  /// Whether every attribute is meant.
  package let isAll: Bool
  /// The paths, with dots for nested attributes.
  package let paths: [String]
  private let listed: Set<String>
  /// The paths above those that are listed.
  private let parents: Set<String>

  /// Creates a list; `*` among the names means all.
  package init(_ names: [String]) {
    self.init(paths: names.filter { $0 != "*" }, isAll: names.contains("*"))
  }

  /// Creates a list of attributes in which `*` is a name like any other.
  init(literally names: [String]) { self.init(paths: names, isAll: false) }

  private init(paths: [String], isAll: Bool) {
    self.paths = paths
    self.isAll = isAll
    listed = Set(paths)
    var parents: Set<String> = []
    for path in paths {
      Self.forEachParent(of: path) { parents.insert(String($0)) }
    }
    self.parents = parents
  }

  /// A list of every attribute.
  package static let all = AttributeList(["*"])

  /// The attributes that a search is restricted to; all where the parameter names none.
  package init(restrictingTo names: [String]?) {
    self = names.flatMap { $0.isEmpty ? nil : AttributeList($0) } ?? .all
  }

  /// Whether an attribute is in the list, itself or as a part of one that is.
  package func covers(_ path: String) -> Bool {
    if isAll { return true }
    if listed.isEmpty { return false }
    if listed.contains(path) { return true }
    var isCovered = false
    Self.forEachParent(of: path) { isCovered = isCovered || listed.contains(String($0)) }
    return isCovered
  }

  /// Whether an attribute is in the list or something beneath it is.
  package func mayContain(_ path: String) -> Bool {
    covers(path) || contains(beneath: path)
  }

  /// Whether something beneath an attribute is in the list by a path of its own.
  package func contains(beneath path: String) -> Bool { parents.contains(path) }

  /// The listed path that is an attribute or the nearest one above it; `nil` when there is none.
  package func nearest(_ path: String) -> String? {
    if listed.contains(path) { return path }
    var nearest: String?
    Self.forEachParent(of: path) { if listed.contains(String($0)) { nearest = String($0) } }
    return nearest
  }

  /// Calls `body` with each path above another, the topmost first.
  static func forEachParent(of path: String, _ body: (Substring) -> Void) {
    for dot in path.utf8.indices where path.utf8[dot] == UInt8(ascii: ".") { body(path[..<dot]) }
  }
}
