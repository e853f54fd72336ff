import InstantSearchJSON

/// Writes annotations in the shape of the record, with an annotation for each text and number.
///
/// Booleans and `null` have none, except in arrays, where every element keeps its index. Objects
/// and arrays without an annotation are omitted, so each is opened for its first annotation.
///
/// Annotations are written as they are created. So a list of many values takes no memory beyond the
/// response, and nothing has to be released at its end.
struct AnnotationWriter<Annotation: ValueAnnotation> {
  /// The rules for annotations.
  struct Rules {
    /// The attributes to annotate.
    var attributes: AttributeList
    /// Whether an attribute is hidden.
    var isHidden: (String) throws -> Bool
    /// Whether arrays omit elements that do not match.
    var dropsOthersInArrays: Bool
    /// Creates the annotation of one value, given the size of the response before it.
    var annotation:
      (_ path: String, _ text: String, _ isNumber: Bool, _ size: Int) throws -> Annotation
    /// Creates the annotation of a value that is not searched.
    var plain: (_ text: String) -> Annotation
    /// Counts the values.
    var cancellation: CancellationCheck
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

  private let rules: Rules
  /// The objects and arrays from the outermost inward.
  private var levels: [Level] = []
  /// The number of open levels.
  private var openCount = 0

  /// Creates a writer of annotations.
  init(_ rules: Rules) { self.rules = rules }

  /// Writes the annotations of a record as a member of the open object, or nothing without
  /// annotations.
  mutating func write(_ record: JSONNode, as key: String, to writer: inout JSONWriter) throws {
    _ = try object(record, key: key, path: nil, to: &writer)
  }

  // MARK: Values

  private mutating func value(
    _ node: JSONNode, key: String?, path: String, to writer: inout JSONWriter
  ) throws -> Outcome {
    try rules.cancellation.count()
    switch node.kind {
    case .string:
      guard try rules.attributes.covers(path, rules.cancellation), let text = node.string else {
        return .nothing
      }
      return try leaf(text, isNumber: false, key: key, path: path, to: &writer)
    case .number:
      guard try rules.attributes.covers(path, rules.cancellation), let text = node.numberText else {
        return .nothing
      }
      return try leaf(text, isNumber: true, key: key, path: path, to: &writer)
    case .array: return try array(node, key: key, path: path, to: &writer)
    case .object: return try object(node, key: key, path: path, to: &writer)
    case .null, .bool: return .nothing
    }
  }

  private mutating func leaf(
    _ text: String, isNumber: Bool, key: String?, path: String, to writer: inout JSONWriter
  ) throws -> Outcome {
    try openLevels(&writer)
    let annotation = try rules.annotation(path, text, isNumber, writer.count)
    if let key { writer.key(key) }
    try write(annotation, to: &writer)
    return annotation.isMatch ? .matched : .annotated
  }

  private mutating func array(
    _ node: JSONNode, key: String?, path: String, to writer: inout JSONWriter
  ) throws -> Outcome {
    levels.append(Level(key: key, node: node))
    let last = levels.count - 1
    var outcome = Outcome.nothing
    for element in node.elements {
      levels[last].elementStart = writer.mark
      let part = try value(element, key: nil, path: path, to: &writer)
      outcome.add(part)
      switch part {
      case .matched: break
      case .annotated:
        if rules.dropsOthersInArrays, let start = levels[last].elementStart {
          writer.rewind(to: start)
        }
      case .nothing:
        if rules.dropsOthersInArrays { break }
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
    _ node: JSONNode, key: String?, path: String?, to writer: inout JSONWriter
  ) throws -> Outcome {
    levels.append(Level(key: key, node: node))
    var outcome = Outcome.nothing
    for member in node.members where !member.isSuperseded {
      try rules.cancellation.count(bytes: path?.utf8.count ?? 0)
      if try path == nil && isReserved(member.key) { continue }
      let path = path.map { $0 + "." + member.key } ?? member.key
      guard try rules.attributes.mayContain(path, rules.cancellation), try !rules.isHidden(path)
      else { continue }
      outcome.add(try value(member.value, key: member.key, path: path, to: &writer))
    }
    closeLevel(&writer)
    return outcome
  }

  /// Whether a member has no annotation: IDs and points unless requested, and members that the hit
  /// adds.
  private func isReserved(_ key: String) throws -> Bool {
    switch key {
    case "objectID", "_geoloc": try !rules.attributes.names(key, rules.cancellation)
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
    try rules.cancellation.count()
    switch node.kind {
    case .null: try write(rules.plain(""), to: &writer)
    case .bool: try write(rules.plain(node.bool == true ? "true" : "false"), to: &writer)
    case .number: try write(rules.plain(node.numberText ?? ""), to: &writer)
    case .string: try write(rules.plain(node.string ?? ""), to: &writer)
    case .array:
      writer.beginArray()
      for element in node.elements { try placeholder(element, to: &writer) }
      writer.endArray()
    case .object:
      writer.beginObject()
      writer.endObject()
    }
  }

  private func write(_ annotation: Annotation, to writer: inout JSONWriter) throws {
    try rules.cancellation.count(bytes: annotation.value.utf8.count)
    annotation.write(to: &writer)
    try rules.cancellation.check(responseSize: writer.count)
  }
}
