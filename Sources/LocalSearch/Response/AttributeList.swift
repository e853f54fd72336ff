/// A list of attribute paths; an attribute covers everything beneath it, `*` covers everything.
struct AttributeList: Sendable, Hashable {
  /// Whether every attribute is meant.
  let isAll: Bool
  /// The paths, with dots for nested attributes.
  let paths: [String]

  /// Creates a list; `*` among the names means all.
  init(_ names: [String]) {
    isAll = names.contains("*")
    paths = names.filter { $0 != "*" }
  }

  /// A list of every attribute.
  static let all = AttributeList(["*"])

  /// Whether an attribute is in the list, itself or as a part of one that is.
  func covers(_ path: String) -> Bool {
    isAll || paths.contains { SearchableAttributes.covers($0, path) }
  }

  /// Whether an attribute is in the list or something beneath it is.
  func mayContain(_ path: String) -> Bool {
    covers(path) || contains(beneath: path)
  }

  /// Whether something beneath an attribute is in the list by a path of its own.
  func contains(beneath path: String) -> Bool {
    paths.contains { $0 != path && SearchableAttributes.covers(path, $0) }
  }
}
