import InstantSearchAPI
import InstantSearchJSON

/// A change of the keys of a service. A program stores keys as a list of changes.
///
/// It is encoded as an object with one member: `saved` with a key as `GET /1/keys/{key}` returns it
/// to an admin, or `deleted` or `restored` with the value of a key.
public enum ServiceKeyChange: Sendable, Hashable {
  /// A key was added, or replaced the key with the same value.
  case saved(APIKey)
  /// The key with a value was deleted.
  case deleted(String)
  /// The deleted key with a value was restored, with unlimited validity.
  case restored(String)

  /// Reads a change.
  ///
  /// - Throws: Status 400 with the reason.
  init(_ node: JSONNode) throws(ServiceError) {
    guard node.kind == .object, node.count == 1 else {
      throw ServiceError(400, "Expected an object with one member")
    }
    if let key = node["saved"] {
      self = .saved(try APIKey(stored: key))
    } else if let value = node["deleted"]?.string {
      self = .deleted(value)
    } else if let value = node["restored"]?.string {
      self = .restored(value)
    } else {
      throw ServiceError(400, "Expected a member saved, deleted or restored")
    }
  }

  /// The value of the key.
  var value: String {
    switch self {
    case .saved(let key): key.value
    case .deleted(let value), .restored(let value): value
    }
  }

  /// Whether the key is deleted.
  var isDeletion: Bool {
    if case .deleted = self { true } else { false }
  }

  /// Writes the change. It contains the secret.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .saved(let key):
      writer.key("saved")
      key.write(to: &writer)
    case .deleted(let value):
      writer.key("deleted")
      writer.string(value)
    case .restored(let value):
      writer.key("restored")
      writer.string(value)
    }
    writer.endObject()
  }
}

extension ServiceKeyChange: Codable {
  /// Reads a change that was encoded.
  ///
  /// - Throws: A `DecodingError` if all of these members are missing, or if the service does not
  ///   accept a key.
  public init(from decoder: any Decoder) throws {
    self = try decoder.read { node throws(ServiceError) in try ServiceKeyChange(node) }
  }

  /// Writes the change. It contains the secret.
  public func encode(to encoder: any Encoder) throws {
    try encoder.write { write(to: &$0) }
  }
}

extension ServiceKeyChange: CustomStringConvertible, CustomReflectable {
  /// The kind of the change, without the key.
  public var description: String {
    switch self {
    case .saved(let key): "saved: \(key)"
    case .deleted: "deleted"
    case .restored: "restored"
    }
  }

  /// A mirror of the description.
  public var customMirror: Mirror { Mirror(self, children: ["change": description]) }
}
