package import InstantSearchJSON

/// Changes to some attributes of a record, with the built-in operations of the contract.
package struct PartialUpdate: Sendable {
  /// The record to change.
  package let objectID: String
  private let operations: [(attribute: String, operation: AttributeOperation)]
  /// The location of the update in a list, for errors while it is applied.
  private let location: Location?

  /// The location of an update in a list.
  package enum Location: Sendable {
    /// A number in a list of records.
    case record(Int)
    /// A number in the requests of a batch.
    case request(Int)
  }

  /// Reads the changes.
  ///
  /// - Parameters:
  ///   - objectID: The ID, which replaces the object's.
  ///   - location: The location of the update in a list.
  package init(
    _ node: JSONNode, objectID: String? = nil, location: Location? = nil,
    _ cancellation: CancellationCheck
  ) throws {
    guard node.kind == .object else { throw APIError("A record must be a JSON object") }
    let own = try RecordID.read(in: node)
    guard let id = objectID ?? own else { throw APIError("A partial update needs an objectID") }
    self.objectID = id
    self.location = location
    var operations: [(attribute: String, operation: AttributeOperation)] = []
    for member in node.members where !member.isSuperseded && member.key != "objectID" {
      try cancellation.count(bytes: member.key.utf8.count)
      operations.append((member.key, try Self.operation(member.value, of: member.key)))
    }
    self.operations = operations
  }

  private static func operation(
    _ node: JSONNode, of attribute: String
  ) throws(APIError) -> AttributeOperation {
    guard let name = node["_operation"]?.string else { return .set(node) }
    guard let operand = node["value"] else {
      throw APIError("Invalid operation \(name) on attribute \(attribute): value is missing")
    }
    let operation: (JSON) -> AttributeOperation
    switch name {
    case "Add": return .add(operand)
    case "Remove": return .remove(operand)
    case "AddUnique": return .addUnique(operand)
    case "Increment": operation = AttributeOperation.increment
    case "Decrement": operation = AttributeOperation.decrement
    case "IncrementFrom": operation = AttributeOperation.incrementFrom
    case "IncrementSet": operation = AttributeOperation.incrementSet
    default:
      throw APIError("Unknown operation \(name) on attribute \(attribute)")
    }
    let value: JSON = operand.kind == .number ? JSON(node: operand) : .null
    guard value.doubleValue != nil else {
      throw APIError("Invalid operation \(name) on attribute \(attribute): expected a number")
    }
    return operation(value)
  }

  /// Returns the changed record, or `nil` if an operation ignores the whole update.
  ///
  /// - Parameter old: The current record, or `nil` to create one.
  package func applied(
    to old: JSONNode?, _ cancellation: CancellationCheck = CancellationCheck()
  ) throws -> EncodedRecord? {
    do {
      return try changed(old, cancellation)
    } catch let error as APIError {
      switch location {
      case .record(let number): throw error.at(location: "record \(number)")
      case .request(let number): throw error.at(position: number, objectID: objectID)
      case nil: throw error
      }
    }
  }

  private func changed(_ old: JSONNode?, _ cancellation: CancellationCheck) throws -> EncodedRecord?
  {
    var numbers = PartitionedDictionary<ByteString, Int>()
    for (number, (attribute, _)) in operations.enumerated() {
      try cancellation.count(bytes: attribute.utf8.count)
      try numbers.set(number, for: ByteString(attribute), cancellation)
    }
    var currents = [JSONNode?](repeating: nil, count: operations.count)
    if let old {
      for member in old.currentMembers {
        try cancellation.count(bytes: member.key.utf8.count)
        if let number = numbers[ByteString(member.key)] { currents[number] = member.value }
      }
    }
    var values: [[UInt8]?] = []
    for ((attribute, operation), current) in zip(operations, currents) {
      try cancellation.count()
      guard let value = try operation.result(on: current, attribute, cancellation) else {
        return nil
      }
      values.append(value)
    }
    var writer = JSONWriter()
    writer.beginObject()
    if old == nil {
      writer.key("objectID")
      writer.string(objectID)
    }
    if let old {
      for member in old.members where !member.isSuperseded {
        try cancellation.count(bytes: member.value.sourceRange.count)
        writer.key(member.key)
        if let number = numbers[ByteString(member.key)], let value = values[number] {
          writer.raw(value)
          values[number] = nil
        } else {
          writer.raw(member.value)
        }
      }
    }
    for ((attribute, _), value) in zip(operations, values) {
      guard let value else { continue }
      try cancellation.count(bytes: value.count)
      writer.key(attribute)
      writer.raw(value)
    }
    writer.endObject()
    do {
      // The engine may have added the ID.
      let bytes = try writer.bytes { try cancellation.check() }
      let record = try cancellation.document(bytes[...], membersBeyond: 1).root
      _ = try EncodedRecord.check(record, cancellation)
      return try EncodedRecord(record, objectID: objectID, cancellation)
    } catch let error as JSONError {
      throw APIError("\(error)")
    }
  }
}
