/// A change of some attributes of one record, for `partialUpdate`.
///
/// To replace whole records, save them.
///
///     RecordUpdate("42", ["price": 10, "stock": .decrement(by: 1), "tags": .add("sale")])
///
/// Attributes that it does not name are kept. A value replaces the whole attribute, even if both
/// are objects. If ``AttributeUpdate/incrementFrom(_:)`` or ``AttributeUpdate/incrementSet(_:)``
/// does not apply, the service ignores the whole update of the record, without an error.
public struct RecordUpdate: Sendable, Hashable, Encodable {
  /// The ID of the record.
  public var objectID: String
  /// The changes, by top-level attribute.
  public var attributes: [String: AttributeUpdate]

  /// Creates an update.
  public init(_ objectID: String, _ attributes: [String: AttributeUpdate]) {
    self.objectID = objectID
    self.attributes = attributes
  }

  /// Writes the ID and the changes as one object.
  public func encode(to encoder: any Encoder) throws {
    var members = attributes.mapValues(\.json)
    members["objectID"] = .string(objectID)
    try JSON.object(members).encode(to: encoder)
  }
}

/// A change of one attribute: a new value, or an operation on the record's value.
///
/// A literal is a new value. Source: the built-in operations of the OpenAPI description.
public struct AttributeUpdate: Sendable, Hashable {
  let json: JSON

  private init(_ operation: String, _ value: JSON) {
    json = ["_operation": .string(operation), "value": value]
  }

  private init(value: JSON) { json = value }

  /// Replaces the value.
  public static func set(_ value: JSON) -> AttributeUpdate { AttributeUpdate(value: value) }

  /// Adds to a number, which is 0 if it is absent.
  public static func increment(by value: JSON = 1) -> AttributeUpdate {
    AttributeUpdate("Increment", value)
  }

  /// Subtracts from a number, which is 0 if it is absent.
  public static func decrement(by value: JSON = 1) -> AttributeUpdate {
    AttributeUpdate("Decrement", value)
  }

  /// Adds a text or a number to the end of an array.
  public static func add(_ value: JSON) -> AttributeUpdate { AttributeUpdate("Add", value) }

  /// Removes every element that is equal to the value from an array.
  public static func remove(_ value: JSON) -> AttributeUpdate { AttributeUpdate("Remove", value) }

  /// Adds a text or a number to an array, unless it has it.
  public static func addUnique(_ value: JSON) -> AttributeUpdate {
    AttributeUpdate("AddUnique", value)
  }

  /// Adds 1 if the attribute has this value; otherwise the whole update is ignored.
  public static func incrementFrom(_ value: Int) -> AttributeUpdate {
    AttributeUpdate("IncrementFrom", .int(Int64(value)))
  }

  /// Sets the value if it is greater; otherwise the whole update is ignored.
  public static func incrementSet(_ value: Int) -> AttributeUpdate {
    AttributeUpdate("IncrementSet", .int(Int64(value)))
  }
}

extension AttributeUpdate: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByNilLiteral
{
  /// Replaces the value with a text.
  public init(stringLiteral value: String) { self.init(value: .string(value)) }

  /// Replaces the value with an integer.
  public init(integerLiteral value: Int64) { self.init(value: .int(value)) }

  /// Replaces the value with a number.
  public init(floatLiteral value: Double) { self.init(value: JSON(floatLiteral: value)) }

  /// Replaces the value with a Boolean.
  public init(booleanLiteral value: Bool) { self.init(value: .bool(value)) }

  /// Replaces the value with an array.
  public init(arrayLiteral elements: JSON...) { self.init(value: .array(elements)) }

  /// Replaces the value with `null`.
  public init(nilLiteral: ()) { self.init(value: .null) }
}
