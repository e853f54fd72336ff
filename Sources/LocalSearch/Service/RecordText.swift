import SearchJSON

/// A record ready to be stored: its object as JSON, with its ID as the string member `objectID`.
struct RecordText: Sendable, Hashable {
  /// The record's ID.
  let objectID: String
  /// The record's object.
  let bytes: [UInt8]

  /// Checks a record and gives it its ID.
  ///
  /// - Parameters:
  ///   - node: The record; an ID that is an integer becomes a string.
  ///   - objectID: The ID to use instead of the record's own.
  ///   - makeObjectID: Makes an ID for a record without one.
  init(
    _ node: JSONNode, objectID: String? = nil, makeObjectID: () -> String
  ) throws(APIError) {
    guard node.kind == .object else { throw APIError("A record must be a JSON object") }
    let own = node["objectID"]
    let known: String?
    switch own?.kind {
    case nil, .null: known = nil
    case .string: known = own?.string
    case .number:
      guard let text = own?.int64.map({ String($0) }) ?? own?.uint64.map({ String($0) }) else {
        throw APIError("objectID must be a string or an integer")
      }
      known = text
    default: throw APIError("objectID must be a string or an integer")
    }
    let id = objectID ?? known ?? makeObjectID()
    guard !id.isEmpty else { throw APIError("objectID must not be empty") }
    self.objectID = id
    bytes = own?.string == id ? Array(node.source) : Self.object(node, withID: id)
  }

  /// The object with a new `objectID`, at the place of the old one or else in front.
  private static func object(_ node: JSONNode, withID id: String) -> [UInt8] {
    var writer = JSONWriter(capacity: node.source.count + id.utf8.count + 16)
    writer.beginObject()
    var isWritten = false
    if node["objectID"] == nil {
      writer.key("objectID")
      writer.string(id)
      isWritten = true
    }
    for member in node.members where !member.isSuperseded {
      writer.key(member.key)
      if member.key == "objectID", !isWritten {
        writer.string(id)
        isWritten = true
      } else {
        writer.raw(member.value.source)
      }
    }
    writer.endObject()
    return writer.bytes
  }
}
