package import InstantSearchAPI
package import InstantSearchJSON

/// Selects the returned attributes from a record's bytes, without encoding values again.
package struct RecordProjection: Sendable {
  private let included: AttributeList
  /// The attributes that are excluded from `*`.
  private let excluded: AttributeList
  /// The attributes that are never returned.
  private let hidden: AttributeList
  private let isForHits: Bool

  /// The members that a hit adds to its record. They replace members of the record with these
  /// names.
  static let hitMembers: Set<String> = [
    "_highlightResult", "_snippetResult", "_distinctSeqID", "_rankingInfo",
  ]

  /// Creates a projection.
  ///
  /// - Parameters:
  ///   - attributes: The attributes to return. With `*`, all attributes except the ones named as
  ///     `-attribute`.
  ///   - hidden: The attributes that are never returned. See ``SettingsLists/hidden``.
  ///   - isForHits: Whether members with the names of a hit's own members are omitted. Defaults to
  ///     `false`.
  init(
    attributes: [String], hidden: AttributeList, isForHits: Bool = false,
    _ cancellation: CancellationCheck
  ) throws {
    self.hidden = hidden
    self.isForHits = isForHits
    included = try AttributeList(attributes, cancellation)
    let minus = included.isAll ? attributes.filter { $0.hasPrefix("-") } : []
    excluded = try AttributeList(
      excluding: minus.map { String($0.dropFirst()) }, cancellation)
  }

  /// Creates the projection of records that a call reads one by one.
  package init(
    attributes: [String], settings: IndexSettings, _ cancellation: CancellationCheck
  ) throws {
    try self.init(
      attributes: attributes,
      hidden: AttributeList(excluding: settings.unretrievableAttributes, cancellation), cancellation
    )
  }

  /// Whether records are returned unchanged.
  var isIdentity: Bool { included.isAll && excluded.isEmpty && hidden.isEmpty }

  /// Whether an attribute and everything below it is excluded.
  func hides(_ path: String, _ cancellation: CancellationCheck) throws -> Bool {
    try excluded.covers(path, cancellation) || hidden.covers(path, cancellation)
  }

  /// Returns the record's object with the selected members. `objectID` is always included.
  package func bytes(of record: JSONNode, _ cancellation: CancellationCheck) throws -> [UInt8] {
    var writer = JSONWriter(capacity: record.sourceRange.count)
    try open(record, in: &writer, cancellation)
    writer.endObject()
    return writer.bytes
  }

  /// Writes the record's object with the selected members, and leaves it open for more members.
  func open(
    _ record: JSONNode, in writer: inout JSONWriter, _ cancellation: CancellationCheck
  ) throws {
    try cancellation.count(bytes: record.sourceRange.count)
    let hasHitMembers = isForHits && Self.hitMembers.contains { record[$0] != nil }
    if isIdentity && !hasHitMembers {
      // Every record has an object ID, so its object is not empty.
      writer.openObject(record)
      return
    }
    writer.beginObject()
    for member in record.members where !member.isSuperseded {
      try cancellation.count()
      if hasHitMembers && Self.hitMembers.contains(member.key) { continue }
      if member.key == "objectID" {
        writer.key(member.key)
        writer.raw(member.value)
      } else {
        try write(member, at: member.key, isWanted: included.isAll, to: &writer, cancellation)
      }
    }
  }

  private func write(
    _ member: JSONMember, at path: String, isWanted: Bool, to writer: inout JSONWriter,
    _ cancellation: CancellationCheck
  ) throws {
    try cancellation.count()
    let excluded = try excluded.relation(to: path, cancellation)
    let hidden = try hidden.relation(to: path, cancellation)
    guard !excluded.isCovered, !hidden.isCovered else { return }
    let included = try included.relation(to: path, cancellation)
    let isWanted = isWanted || included.isCovered
    if isWanted, !excluded.isAbove, !hidden.isAbove {
      writer.key(member.key)
      writer.raw(member.value)
    } else if try isWanted
      || (included.isAbove && reaches(member.value, at: path, cancellation))
    {
      writer.key(member.key)
      try write(member.value, at: path, isWanted: isWanted, to: &writer, cancellation)
    }
  }

  /// Writes the selected parts of a value.
  private func write(
    _ node: JSONNode, at path: String, isWanted: Bool, to writer: inout JSONWriter,
    _ cancellation: CancellationCheck
  ) throws {
    try cancellation.count()
    switch node.kind {
    case .object:
      writer.beginObject()
      for member in node.members where !member.isSuperseded {
        try cancellation.count(bytes: path.utf8.count)
        try write(
          member, at: path + "." + member.key, isWanted: isWanted, to: &writer, cancellation)
      }
      writer.endObject()
    case .array:
      writer.beginArray()
      for element in node.elements
      where isWanted || element.kind == .object || element.kind == .array {
        try write(element, at: path, isWanted: isWanted, to: &writer, cancellation)
      }
      writer.endArray()
    default:
      writer.raw(node)
    }
  }

  /// Whether a value has a selected part.
  private func reaches(
    _ node: JSONNode, at path: String, _ cancellation: CancellationCheck
  ) throws -> Bool {
    try cancellation.count()
    return switch node.kind {
    case .object:
      try node.members.contains { member in
        try cancellation.count(bytes: path.utf8.count)
        let path = path + "." + member.key
        if try hides(path, cancellation) { return false }
        let included = try included.relation(to: path, cancellation)
        return try included.isCovered
          || (included.isAbove && reaches(member.value, at: path, cancellation))
      }
    case .array: try node.elements.contains { try reaches($0, at: path, cancellation) }
    default: false
    }
  }
}
