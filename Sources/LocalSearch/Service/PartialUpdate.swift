import AsyncInstantSearch
import SearchJSON

/// Changes to some attributes of a record, with the built-in operations of the contract.
struct PartialUpdate: Sendable {
  /// An operation on an attribute of the first level.
  private enum Operation: Sendable {
    case set(JSON)
    case increment(JSON)
    case decrement(JSON)
    case add(JSON)
    case remove(JSON)
    case addUnique(JSON)
    case incrementFrom(JSON)
    case incrementSet(JSON)
  }

  /// The record to change.
  let objectID: String
  private let operations: [(attribute: String, operation: Operation)]

  /// Reads the changes.
  ///
  /// - Parameter objectID: The ID to use instead of the object's own.
  init(_ node: JSONNode, objectID: String? = nil) throws(APIError) {
    guard node.kind == .object else { throw APIError("A record must be a JSON object") }
    guard let id = objectID ?? node["objectID"]?.string ?? node["objectID"]?.int64.map({ "\($0)" })
    else { throw APIError("A partial update needs an objectID") }
    self.objectID = id
    var operations: [(attribute: String, operation: Operation)] = []
    for member in node.members where !member.isSuperseded && member.key != "objectID" {
      operations.append((member.key, try Self.operation(member.value, of: member.key)))
    }
    self.operations = operations
  }

  private static func operation(
    _ node: JSONNode, of attribute: String
  ) throws(APIError) -> Operation {
    func json(_ node: JSONNode) throws(APIError) -> JSON {
      do {
        return try JSON(node: node)
      } catch {
        throw APIError("Invalid value of attribute \(attribute): number too large")
      }
    }
    guard let name = node["_operation"]?.string else { return .set(try json(node)) }
    guard let operand = node["value"] else {
      throw APIError("Invalid operation \(name) on attribute \(attribute): value is missing")
    }
    let value = try json(operand)
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
    var values: [String: JSON] = [:]
    for (attribute, operation) in operations {
      let current = old?[attribute].flatMap { try? JSON(node: $0) }
      guard let value = try Self.result(operation, current, attribute) else { return Optional.none }
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
          writer.raw(member.value.source)
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
      return try RecordText(record, objectID: objectID) { objectID }
    } catch let error as APIError {
      throw error
    } catch {
      throw APIError("\(error)")
    }
  }

  /// The new value of an attribute; `nil` when the update is to be ignored.
  private static func result(
    _ operation: Operation, _ current: JSON?, _ attribute: String
  ) throws(APIError) -> JSON? {
    switch operation {
    case .set(let value): return value
    case .increment(let value): return try sum(current, value, sign: 1, attribute)
    case .decrement(let value): return try sum(current, value, sign: -1, attribute)
    case .add(let value): return .array(try list(current, attribute) + [value])
    case .remove(let value): return .array(try list(current, attribute).filter { $0 != value })
    case .addUnique(let value):
      let list = try list(current, attribute)
      return .array(list.contains(value) ? list : list + [value])
    case .incrementFrom(let value):
      // `JSON` has a nil literal of its own, so the absence of a value is written out.
      guard value == current ?? 0 else { return Optional.none }
      return try sum(value, 1, sign: 1, attribute)
    case .incrementSet(let value):
      guard let old = (current ?? 0).doubleValue, let new = value.doubleValue else {
        throw APIError("Attribute \(attribute) is not a number")
      }
      return new > old ? value : Optional.none
    }
  }

  /// The elements of an array; none of an attribute that is absent or `null`.
  private static func list(_ current: JSON?, _ attribute: String) throws(APIError) -> [JSON] {
    switch current {
    case nil, .null: return []
    case .array(let elements): return elements
    case .some(let value): return [value]
    }
  }

  /// A sum; an absent or `null` attribute counts as 0, and integers stay integers while they can.
  private static func sum(
    _ current: JSON?, _ value: JSON, sign: Int64, _ attribute: String
  ) throws(APIError) -> JSON {
    let current = current.map { $0.isNull ? 0 : $0 } ?? 0
    if case .int(let left) = current, case .int(let right) = value {
      let (product, overflow) = right.multipliedReportingOverflow(by: sign)
      let (sum, carry) = left.addingReportingOverflow(product)
      if !overflow, !carry { return .int(sum) }
    }
    guard let left = current.doubleValue, let right = value.doubleValue else {
      throw APIError("Attribute \(attribute) is not a number")
    }
    return .double(left + right * Double(sign))
  }
}
