import InstantSearchJSON

/// A record ready to be stored: its object as JSON, with its ID as the string member `objectID`.
struct RecordText: Sendable, Hashable {
  /// The record's ID.
  let objectID: String
  /// The record's object.
  let bytes: [UInt8]

  /// How many arrays and objects may be nested in one another, the record's own object counted.
  ///
  /// An answer puts a record, and the highlights in its shape, a few levels deeper than it came; so
  /// this stays well below the depth that a JSON parser takes.
  static let maximumDepth = 200

  /// Refuses a value that cannot be stored.
  ///
  /// - Returns: The record's own ID; `nil` when it has none.
  /// - Throws: An `APIError` for what is no object, has something else than an ID as `objectID`, or
  ///   is nested too deeply; what the checkpoint throws.
  static func check(_ node: JSONNode, _ checkpoint: Checkpoint) throws -> String? {
    guard node.kind == .object else { throw APIError("A record must be a JSON object") }
    let id = try RecordID.read(in: node)
    guard try !checkpoint.isNested(node, deeperThan: maximumDepth) else {
      throw APIError(
        "A record must not have more than \(maximumDepth) nested arrays and objects")
    }
    return id
  }

  /// Makes the text of a record that was checked.
  ///
  /// - Parameter objectID: The ID to store it by, whatever its own is.
  init(_ node: JSONNode, objectID: String, _ checkpoint: Checkpoint) throws {
    try checkpoint.count(bytes: node.sourceRange.count)
    self.objectID = objectID
    let isWritten = node["objectID"]?.isString(objectID) ?? false
    bytes = isWritten ? node.source : try Self.object(node, withID: objectID, checkpoint)
  }

  /// The object with a new `objectID`, at the place of the old one or else in front.
  private static func object(
    _ node: JSONNode, withID id: String, _ checkpoint: Checkpoint
  ) throws -> [UInt8] {
    var writer = JSONWriter(capacity: node.sourceRange.count + id.utf8.count + 16)
    writer.beginObject()
    var isWritten = false
    if node["objectID"] == nil {
      writer.key("objectID")
      writer.string(id)
      isWritten = true
    }
    for member in node.members where !member.isSuperseded {
      try checkpoint.count(bytes: member.value.sourceRange.count)
      writer.key(member.key)
      if member.key == "objectID", !isWritten {
        writer.string(id)
        isWritten = true
      } else {
        writer.raw(member.value)
      }
    }
    writer.endObject()
    return writer.bytes
  }
}
