/// A list of attribute paths; an attribute covers everything beneath it, `*` covers everything.
///
/// Made once for a search and asked for every member of every hit, so a question costs as much as
/// the path is long, however many paths there are.
package struct AttributeList: Sendable {
  /// Whether every attribute is meant.
  package let isAll: Bool
  /// The paths, with dots for nested attributes.
  package let paths: [String]
  private let tree: PathTree

  /// Creates a list; `*` among the names means all.
  package init(_ names: [String], _ checkpoint: Checkpoint) throws {
    paths = names.filter { $0 != "*" }
    isAll = paths.count < names.count
    tree = try PathTree(paths, checkpoint)
  }

  /// Creates a list of attributes to leave out of records; their IDs always stay.
  init(excluding names: [String], _ checkpoint: Checkpoint) throws {
    try self.init(names.filter { $0 != "*" && $0 != "objectID" }, checkpoint)
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

  /// The attributes that a search is restricted to; all where the parameter names none.
  package init(restrictingTo names: [String]?, _ checkpoint: Checkpoint) throws {
    self = try names.flatMap { $0.isEmpty ? nil : try AttributeList($0, checkpoint) } ?? .all
  }

  /// Whether no attribute is in the list.
  var isEmpty: Bool { !isAll && paths.isEmpty }

  /// How an attribute stands to the list.
  package struct Relation: Sendable, Hashable {
    /// Whether the attribute is in the list, itself or as a part of one that is.
    package var isCovered: Bool
    /// Whether something beneath it is in the list by a path of its own.
    package var isAbove: Bool
  }

  /// How an attribute stands to the list, by one look-up.
  package func relation(to path: String, _ checkpoint: Checkpoint) throws -> Relation {
    let match = try tree.match(path, checkpoint)
    return Relation(isCovered: isAll || match.nearest != nil, isAbove: match.isAbove)
  }

  /// Whether an attribute is in the list, itself or as a part of one that is.
  package func covers(_ path: String, _ checkpoint: Checkpoint) throws -> Bool {
    if isAll { return true }
    return try tree.match(path, checkpoint).nearest != nil
  }

  /// Whether an attribute is in the list or something beneath it is.
  package func mayContain(_ path: String, _ checkpoint: Checkpoint) throws -> Bool {
    if isAll { return true }
    let match = try tree.match(path, checkpoint)
    return match.nearest != nil || match.isAbove
  }

  /// Whether an attribute is named in the list.
  func names(_ path: String, _ checkpoint: Checkpoint) throws -> Bool {
    try tree.match(path, checkpoint).isListed
  }

  /// The place in ``paths`` of an attribute or of the nearest one above it; `nil` when there is
  /// none.
  func nearest(_ path: String, _ checkpoint: Checkpoint) throws -> Int? {
    try tree.match(path, checkpoint).nearest
  }
}
