import AsyncInstantSearch
import InstantSearchJSON

/// Changes to some attributes of a record, with the built-in operations of the contract.
struct PartialUpdate: Sendable {
  /// The record to change.
  let objectID: String
  private let operations: [(attribute: String, operation: AttributeOperation)]
  /// How the update is named when it cannot be applied.
  private let place: String?

  /// Reads the changes.
  ///
  /// - Parameters:
  ///   - objectID: The ID to use instead of the object's own.
  ///   - place: Where the update stands among others, for errors when it is applied.
  init(
    _ node: JSONNode, objectID: String? = nil, place: String? = nil, _ checkpoint: Checkpoint
  ) throws {
    guard node.kind == .object else { throw APIError("A record must be a JSON object") }
    let own = try RecordID.read(in: node)
    guard let id = objectID ?? own else { throw APIError("A partial update needs an objectID") }
    self.objectID = id
    self.place = place
    var operations: [(attribute: String, operation: AttributeOperation)] = []
    for member in node.members where !member.isSuperseded && member.key != "objectID" {
      operations.append(
        (member.key, try Self.operation(member.value, of: member.key, checkpoint)))
    }
    self.operations = operations
  }

  private static func operation(
    _ node: JSONNode, of attribute: String, _ checkpoint: Checkpoint
  ) throws -> AttributeOperation {
    guard let name = node["_operation"]?.string else {
      return .set(try checkpoint.json(node))
    }
    guard let operand = node["value"] else {
      throw APIError("Invalid operation \(name) on attribute \(attribute): value is missing")
    }
    let value = try checkpoint.json(operand)
    switch name {
    case "Increment", "Decrement", "IncrementFrom", "IncrementSet":
      guard value.doubleValue != nil else {
        throw APIError("Invalid operation \(name) on attribute \(attribute): expected a number")
      }
    default: break
    }
    switch name {
    case "Increment": return .increment(value)
    case "Decrement": return .decrement(value)
    case "Add": return .add(value)
    case "Remove": return .remove(value)
    case "AddUnique": return .addUnique(value)
    case "IncrementFrom": return .incrementFrom(value)
    case "IncrementSet": return .incrementSet(value)
    default:
      throw APIError("Unknown operation \(name) on attribute \(attribute)")
    }
  }

  /// The changed record; `nil` when an operation says that the whole update is to be ignored.
  ///
  /// - Parameter old: The record as it is; `nil` to make one.
  func applied(
    to old: JSONNode?, _ checkpoint: Checkpoint = Checkpoint()
  ) throws -> RecordText? {
    do {
      return try changed(old, checkpoint)
    } catch let error as APIError {
      throw error.at(place)
    }
  }

  private func changed(_ old: JSONNode?, _ checkpoint: Checkpoint) throws -> RecordText? {
    var values: [String: JSON] = [:]
    for (attribute, operation) in operations {
      let current = try old?[attribute].map { try checkpoint.json($0) }
      guard let value = try operation.result(on: current, attribute) else {
        // `JSON` has a nil literal of its own, so the absence of a value is written out.
        return Optional.none
      }
      values[attribute] = value
    }
    var writer = JSONWriter()
    writer.beginObject()
    if old == nil {
      writer.key("objectID")
      writer.string(objectID)
    }
    if let old {
      for member in old.members where !member.isSuperseded {
        try checkpoint.count(bytes: member.value.sourceRange.count)
        writer.key(member.key)
        if let value = values.removeValue(forKey: member.key) {
          try checkpoint.write(value, to: &writer)
        } else {
          writer.raw(member.value)
        }
      }
    }
    for (attribute, _) in operations {
      guard let value = values.removeValue(forKey: attribute) else { continue }
      writer.key(attribute)
      try checkpoint.write(value, to: &writer)
    }
    writer.endObject()
    do {
      let record = try checkpoint.document(writer.bytes { try checkpoint.check() }[...]).root
      _ = try RecordText.check(record, checkpoint)
      return try RecordText(record, objectID: objectID, checkpoint)
    } catch let error as JSONError {
      throw APIError("\(error)")
    }
  }
}
