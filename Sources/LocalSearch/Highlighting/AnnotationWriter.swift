import InstantSearchJSON

/// Writes the annotations of values.
protocol AnnotationSource {
  /// Finds the words of the query.
  var matcher: TextMatcher { get }

  /// Writes the annotation of a string or number as an object. Returns whether a query word
  /// matches.
  ///
  /// - Parameter bytes: Memory for the text, to be used for one text after the other.
  func write(
    _ node: JSONNode, of attribute: AnnotatedAttribute, _ bytes: inout [UInt8],
    to writer: inout JSONWriter
  ) throws -> Bool

  /// Writes the annotation of a scalar that is not searched.
  func writeUnmatched(_ node: JSONNode, to writer: inout JSONWriter)
}

/// An attribute of the hits of a search.
final class AnnotatedAttribute {
  /// The last key of the path.
  let key: String
  /// The keys that lead to the attribute, joined by dots.
  let path: String
  /// Whether the attribute, or one below it, may be annotated.
  let isRead: Bool
  /// Whether its texts are annotated.
  let isAnnotated: Bool
  /// How the words of its texts match.
  let way: TextMatcher.Way
  /// The attributes below it that were found so far, in the order in which they were.
  fileprivate var children: [AnnotatedAttribute] = []
  /// The index of the child that is expected next.
  fileprivate var next = 0

  fileprivate init(
    key: String, path: String, isRead: Bool, isAnnotated: Bool, way: TextMatcher.Way
  ) {
    self.key = key
    self.path = path
    self.isRead = isRead
    self.isAnnotated = isAnnotated
    self.way = way
  }
}

/// Writes annotations in the shape of the record, with an annotation for each text and number.
///
/// Booleans and `null` have none, except in arrays, where every element keeps its index. Objects
/// and arrays without an annotation are omitted, so each is opened for its first annotation.
///
/// Annotations are written as they are created. So a list of many values takes no memory beyond the
/// response, and nothing has to be released at its end.
struct AnnotationWriter<Source: AnnotationSource> {
  /// Creates the annotations.
  private let source: Source
  /// The attributes to annotate.
  private let attributes: AttributeList
  /// The attributes that are not returned.
  private let projection: RecordProjection
  /// Whether arrays omit elements that do not match.
  private let dropsOthersInArrays: Bool
  private let cancellation: CancellationCheck

  /// The record, whose children are its members.
  private let root = AnnotatedAttribute(
    key: "", path: "", isRead: true, isAnnotated: false, way: .notSearched)
  /// The index of each attribute so far among the children of its parent, which retains it.
  private var known: [Child: Int] = [:]
  /// The maximum number of attributes that are kept. A larger table would take long to release.
  private static var maximumKnownCount: Int { 1_000 }
  /// The text that is read.
  private var bytes: [UInt8] = []

  /// A member of an attribute. A path can belong to several, because keys can have dots.
  ///
  /// Keys are compared by their bytes, because records can have both Unicode forms of one.
  private struct Child: Hashable {
    let parent: ObjectIdentifier
    let key: ByteString
  }

  /// The outcome of writing a value.
  private enum Outcome {
    case nothing, annotated, matched

    mutating func add(_ other: Outcome) {
      if self == .nothing || other == .matched { self = other }
    }
  }

  /// An object or array that is being read.
  private struct Level {
    /// The key, for a member of an object.
    let key: String?
    let node: JSONNode
    /// The number of elements that were skipped before the array was opened.
    var skippedCount = 0
    /// The start of the current element, in an open array.
    var elementStart: JSONWriter.Mark?
  }

  /// The objects and arrays from the outermost inward.
  private var levels: [Level] = []
  /// The number of open levels.
  private var openCount = 0

  /// Creates a writer of annotations, for one record after the other.
  init(
    _ source: Source, attributes: AttributeList, projection: RecordProjection,
    dropsOthersInArrays: Bool, _ cancellation: CancellationCheck
  ) {
    self.source = source
    self.attributes = attributes
    self.projection = projection
    self.dropsOthersInArrays = dropsOthersInArrays
    self.cancellation = cancellation
  }

  /// Writes the annotations of a record as a member of the open object, or nothing without
  /// annotations.
  mutating func write(_ record: JSONNode, as key: String, to writer: inout JSONWriter) throws {
    _ = try object(record, key: key, root, to: &writer)
  }

  // MARK: Values

  private mutating func value(
    _ node: JSONNode, key: String?, _ attribute: AnnotatedAttribute, to writer: inout JSONWriter
  ) throws -> Outcome {
    switch node.kind {
    case .string, .number:
      guard attribute.isAnnotated else { return .nothing }
      return try leaf(node, key: key, attribute, to: &writer)
    case .array: return try array(node, key: key, attribute, to: &writer)
    case .object: return try object(node, key: key, attribute, to: &writer)
    case .null, .bool: return .nothing
    }
  }

  private mutating func leaf(
    _ node: JSONNode, key: String?, _ attribute: AnnotatedAttribute, to writer: inout JSONWriter
  ) throws -> Outcome {
    let length = node.sourceRange.count
    try cancellation.count(bytes: length)
    try cancellation.check(responseSize: writer.count + length)
    try openLevels(&writer)
    if let key { writer.key(key) }
    let isMatch = try source.write(node, of: attribute, &bytes, to: &writer)
    try cancellation.check(responseSize: writer.count)
    return isMatch ? .matched : .annotated
  }

  private mutating func array(
    _ node: JSONNode, key: String?, _ attribute: AnnotatedAttribute, to writer: inout JSONWriter
  ) throws -> Outcome {
    levels.append(Level(key: key, node: node))
    let last = levels.count - 1
    var outcome = Outcome.nothing
    for element in node.elements {
      try cancellation.count()
      levels[last].elementStart = writer.mark
      let part = try value(element, key: nil, attribute, to: &writer)
      outcome.add(part)
      switch part {
      case .matched: break
      case .annotated:
        if dropsOthersInArrays, let start = levels[last].elementStart {
          writer.rewind(to: start)
        }
      case .nothing:
        if dropsOthersInArrays { break }
        if openCount == levels.count {
          try placeholder(element, to: &writer)
        } else {
          levels[last].skippedCount += 1
        }
      }
    }
    closeLevel(&writer)
    return outcome
  }

  private mutating func object(
    _ node: JSONNode, key: String?, _ attribute: AnnotatedAttribute, to writer: inout JSONWriter
  ) throws -> Outcome {
    levels.append(Level(key: key, node: node))
    attribute.next = 0
    var outcome = Outcome.nothing
    for member in node.members where !member.isSuperseded {
      try cancellation.count()
      let child = try self.child(of: attribute, member)
      guard child.isRead else { continue }
      outcome.add(try value(member.value, key: child.key, child, to: &writer))
    }
    closeLevel(&writer)
    return outcome
  }

  // MARK: Attributes

  /// Returns the attribute of a member. Records of an index mostly have the same members in the
  /// same order.
  private mutating func child(
    of parent: AnnotatedAttribute, _ member: JSONMember
  ) throws -> AnnotatedAttribute {
    if parent.next < parent.children.count {
      let expected = parent.children[parent.next]
      if member.hasKey(expected.key) {
        parent.next += 1
        return expected
      }
    }
    let key = member.key
    let child = Child(parent: ObjectIdentifier(parent), key: ByteString(key))
    if let index = known[child] {
      parent.next = index + 1
      return parent.children[index]
    }
    let path = parent === root ? key : parent.path + "." + key
    try cancellation.count(bytes: path.utf8.count)
    let isReserved = try parent === root && isReserved(key)
    let attribute = try AnnotatedAttribute(
      key: key, path: path,
      isRead: !isReserved && attributes.mayContain(path, cancellation)
        && !projection.hides(path, cancellation),
      isAnnotated: attributes.covers(path, cancellation), way: source.matcher.way(of: path))
    if known.count < Self.maximumKnownCount {
      known[child] = parent.children.count
      parent.children.append(attribute)
      parent.next = parent.children.count
    }
    return attribute
  }

  /// Whether a member has no annotation: IDs and points unless requested, and members that the hit
  /// adds.
  private func isReserved(_ key: String) throws -> Bool {
    switch key {
    case "objectID", "_geoloc": try !attributes.names(key, cancellation)
    default: RecordProjection.hitMembers.contains(key)
    }
  }

  // MARK: Writing

  /// Opens the objects and arrays around the first annotation in them, with the elements before it.
  private mutating func openLevels(_ writer: inout JSONWriter) throws {
    while openCount < levels.count {
      let level = levels[openCount]
      if let key = level.key { writer.key(key) }
      if level.node.kind == .array {
        writer.beginArray()
        for element in level.node.elements.prefix(level.skippedCount) {
          try placeholder(element, to: &writer)
        }
        levels[openCount].elementStart = writer.mark
      } else {
        writer.beginObject()
      }
      openCount += 1
    }
  }

  /// Ends the innermost object or array.
  private mutating func closeLevel(_ writer: inout JSONWriter) {
    let level = levels.removeLast()
    guard openCount > levels.count else { return }
    openCount = levels.count
    if level.node.kind == .array { writer.endArray() } else { writer.endObject() }
  }

  /// Writes a placeholder for an element without annotation: its unchanged text, or an object or
  /// array of the same shape without members.
  private func placeholder(_ node: JSONNode, to writer: inout JSONWriter) throws {
    try cancellation.count()
    switch node.kind {
    case .null, .bool, .number, .string:
      try cancellation.count(bytes: node.sourceRange.count)
      source.writeUnmatched(node, to: &writer)
      try cancellation.check(responseSize: writer.count)
    case .array:
      writer.beginArray()
      for element in node.elements { try placeholder(element, to: &writer) }
      writer.endArray()
    case .object:
      writer.beginObject()
      writer.endObject()
    }
  }
}
