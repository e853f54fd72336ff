package import SearchJSON

/// A type that is the members of a JSON object: of known ones typed, of others as they came.
///
/// It reads and writes itself through ``JSON``, with any coder; a member of another type than
/// documented counts as unknown, so reading fails for nothing but a value that is no object.
package protocol JSONObjectCodable: Codable {
  /// Takes the members it knows.
  init(reading members: inout JSONMembersReader)
  /// All members, the unknown ones included.
  var members: [String: JSON] { get }
}

extension JSONObjectCodable {
  /// Reads the value from an object of any decoder.
  public init(from decoder: any Decoder) throws {
    var reader = JSONMembersReader(try decoder.singleValueContainer().decode([String: JSON].self))
    self.init(reading: &reader)
  }

  /// Writes the value as an object, member names as they are, whatever the key strategy.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(members)
  }

  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    guard let object = try JSON(node: node).objectValue else {
      throw node.mismatch([String: Any].self)
    }
    var reader = JSONMembersReader(object)
    self.init(reading: &reader)
  }

  package func write(to writer: inout JSONWriter) { json.write(to: &writer) }

  /// The value of an object; `nil` for any other value.
  package init?(_ json: JSON) {
    guard let object = json.objectValue else { return nil }
    var reader = JSONMembersReader(object)
    self.init(reading: &reader)
  }

  /// The value as an object.
  package var json: JSON { .object(members) }
}

/// Takes members out of a JSON object; what is left are the unknown ones.
package struct JSONMembersReader {
  /// The members that were not taken.
  package private(set) var rest: [String: JSON]

  /// Starts with all members of an object.
  package init(_ members: [String: JSON]) { rest = members }

  /// Takes a member when it can be read; otherwise leaves it where it is.
  package mutating func take<Value>(_ key: String, _ read: (JSON) -> Value?) -> Value? {
    guard let member = rest[key], let value = read(member) else { return nil }
    rest[key] = nil
    return value
  }
}

extension [String: JSON] {
  /// Sets a member to a number, when there is one.
  mutating func set(_ key: String, _ number: Int?) {
    if let number { self[key] = .int(Int64(number)) }
  }

  /// Sets a member to a boolean, when there is one.
  mutating func set(_ key: String, _ boolean: Bool?) {
    if let boolean { self[key] = .bool(boolean) }
  }
}

extension JSON {
  /// The elements as text; `nil` unless this is an array of nothing but strings.
  package var stringsValue: [String]? { values(\.stringValue) }

  /// The elements, each read; `nil` unless this is an array and all of them can be read.
  package func values<Value>(_ read: (JSON) -> Value?) -> [Value]? {
    guard case .array(let elements) = self else { return nil }
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      guard let value = read(element) else { return nil }
      values.append(value)
    }
    return values
  }

  /// The members, each read; `nil` unless this is an object and all of them can be read.
  package func memberValues<Value>(_ read: (JSON) -> Value?) -> [String: Value]? {
    guard case .object(let members) = self else { return nil }
    var values: [String: Value] = [:]
    values.reserveCapacity(members.count)
    for (name, member) in members {
      guard let value = read(member) else { return nil }
      values[name] = value
    }
    return values
  }
}
