import InstantSearchJSON

/// Creates the annotations of values.
protocol AnnotationSource {
  associatedtype Annotation: ValueAnnotation

  /// Creates the annotation of one value, given the size of the response before it.
  func annotation(
    _ text: String, of path: String, isNumber: Bool, after size: Int
  ) throws -> Annotation

  /// Creates the annotation of a value that is not searched.
  func plain(_ text: String) -> Annotation
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

  /// What to do with an attribute.
  private struct Rule {
    /// Whether the attribute, or one below it, may be annotated.
    var isRead: Bool
    /// Whether its texts are annotated.
    var isAnnotated: Bool
    /// Whether a member of the record with this name has no annotation.
    var isReserved: Bool
  }

  /// The rules of attributes so far, by path.
  private var rules: [String: Rule] = [:]
  /// The maximum number of rules that are kept. A larger table would take long to release.
  private let maximumRuleCount = 1_000

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
    _ = try object(record, key: key, path: nil, to: &writer)
  }

  // MARK: Values

  private mutating func value(
    _ node: JSONNode, key: String?, path: String, _ rule: Rule, to writer: inout JSONWriter
  ) throws -> Outcome {
    try cancellation.count()
    switch node.kind {
    case .string:
      guard rule.isAnnotated, let text = node.string else { return .nothing }
      return try leaf(text, isNumber: false, key: key, path: path, to: &writer)
    case .number:
      guard rule.isAnnotated, let text = node.numberText else { return .nothing }
      return try leaf(text, isNumber: true, key: key, path: path, to: &writer)
    case .array: return try array(node, key: key, path: path, rule, to: &writer)
    case .object: return try object(node, key: key, path: path, to: &writer)
    case .null, .bool: return .nothing
    }
  }

  private mutating func leaf(
    _ text: String, isNumber: Bool, key: String?, path: String, to writer: inout JSONWriter
  ) throws -> Outcome {
    try openLevels(&writer)
    let annotation = try source.annotation(
      text, of: path, isNumber: isNumber, after: writer.count)
    if let key { writer.key(key) }
    try write(annotation, to: &writer)
    return annotation.isMatch ? .matched : .annotated
  }

  private mutating func array(
    _ node: JSONNode, key: String?, path: String, _ rule: Rule, to writer: inout JSONWriter
  ) throws -> Outcome {
    levels.append(Level(key: key, node: node))
    let last = levels.count - 1
    var outcome = Outcome.nothing
    for element in node.elements {
      levels[last].elementStart = writer.mark
      let part = try value(element, key: nil, path: path, rule, to: &writer)
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
    _ node: JSONNode, key: String?, path: String?, to writer: inout JSONWriter
  ) throws -> Outcome {
    levels.append(Level(key: key, node: node))
    var outcome = Outcome.nothing
    for member in node.members where !member.isSuperseded {
      let key = member.key
      let memberPath = path.map { $0 + "." + key } ?? key
      try cancellation.count(bytes: memberPath.utf8.count)
      let rule = try rules[memberPath] ?? addRule(of: memberPath)
      guard rule.isRead, path != nil || !rule.isReserved else { continue }
      outcome.add(try value(member.value, key: key, path: memberPath, rule, to: &writer))
    }
    closeLevel(&writer)
    return outcome
  }

  private mutating func addRule(of path: String) throws -> Rule {
    let rule = try Rule(
      isRead: attributes.mayContain(path, cancellation) && !projection.hides(path, cancellation),
      isAnnotated: attributes.covers(path, cancellation), isReserved: isReserved(path))
    if rules.count < maximumRuleCount { rules[path] = rule }
    return rule
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
    case .null: try write(source.plain(""), to: &writer)
    case .bool: try write(source.plain(node.bool == true ? "true" : "false"), to: &writer)
    case .number: try write(source.plain(node.numberText ?? ""), to: &writer)
    case .string: try write(source.plain(node.string ?? ""), to: &writer)
    case .array:
      writer.beginArray()
      for element in node.elements { try placeholder(element, to: &writer) }
      writer.endArray()
    case .object:
      writer.beginObject()
      writer.endObject()
    }
  }

  private func write(_ annotation: Source.Annotation, to writer: inout JSONWriter) throws {
    try cancellation.count(bytes: annotation.value.utf8.count)
    annotation.write(to: &writer)
    try cancellation.check(responseSize: writer.count)
  }
}
