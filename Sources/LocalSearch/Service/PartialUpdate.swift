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
  init(_ node: JSONNode, objectID: String? = nil, place: String? = nil) throws(APIError) {
    guard node.kind == .object else { throw APIError("A record must be a JSON object") }
    let own = try RecordID.read(in: node)
    guard let id = objectID ?? own else { throw APIError("A partial update needs an objectID") }
    self.objectID = id
    self.place = place
    var operations: [(attribute: String, operation: AttributeOperation)] = []
    for member in node.members where !member.isSuperseded && member.key != "objectID" {
      operations.append((member.key, try Self.operation(member.value, of: member.key)))
    }
    self.operations = operations
  }

  private static func operation(
    _ node: JSONNode, of attribute: String
  ) throws(APIError) -> AttributeOperation {
    guard let name = node["_operation"]?.string else {
      return .set(JSON(node: node))
    }
    guard let operand = node["value"] else {
      throw APIError("Invalid operation \(name) on attribute \(attribute): value is missing")
    }
    let value = JSON(node: operand)
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
  func applied(to old: JSONNode?) throws(APIError) -> RecordText? {
    do throws(APIError) {
      return try changed(old)
    } catch {
      throw error.at(place)
    }
  }

  private func changed(_ old: JSONNode?) throws(APIError) -> RecordText? {
    var values: [String: JSON] = [:]
    for (attribute, operation) in operations {
      let current = old?[attribute].map(JSON.init(node:))
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
        writer.key(member.key)
        if let value = values.removeValue(forKey: member.key) {
          value.write(to: &writer)
        } else {
          writer.raw(member.value)
        }
      }
    }
    for (attribute, _) in operations {
      guard let value = values.removeValue(forKey: attribute) else { continue }
      writer.key(attribute)
      value.write(to: &writer)
    }
    writer.endObject()
    do {
      let record = try JSONDocument(writer.bytes).root
      _ = try RecordText.check(record)
      return RecordText(record, objectID: objectID)
    } catch let error as APIError {
      throw error
    } catch {
      throw APIError("\(error)")
    }
  }
}
