package import InstantSearchJSON

/// A type that represents a JSON object, with typed known members and untyped others.
///
/// It reads and writes itself through ``JSON`` with any coder. A member whose type is not the
/// documented one counts as unknown, so reading fails only for a value that is not an object.
package protocol JSONObjectCodable: Codable {
  /// Reads the known members.
  init(reading members: inout JSONMembersReader)
  /// All members, including unknown ones.
  var members: [String: JSON] { get }
}

extension JSONObjectCodable {
  /// Reads the value from an object of any decoder.
  public init(from decoder: any Decoder) throws {
    var reader = JSONMembersReader(try decoder.singleValueContainer().decode([String: JSON].self))
    self.init(reading: &reader)
  }

  /// Writes the value as an object. Member names are unchanged, regardless of the key strategy.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(members)
  }

  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    guard let value = Self(at: node.index, of: node.document) else {
      throw node.mismatch([String: Any].self)
    }
    self = value
  }

  /// Reads an object on a tape; `nil` for any other value.
  init?(at index: Int, of document: JSONDocument) {
    guard case .object = document.kind(at: index) else { return nil }
    var reader = JSONMembersReader(ofObjectAt: index, in: document)
    self.init(reading: &reader)
  }

  package func write(to writer: inout JSONWriter) { json.write(to: &writer) }

  /// Reads an object; `nil` for any other value.
  package init?(_ json: JSON) {
    guard let object = json.objectValue else { return nil }
    var reader = JSONMembersReader(object)
    self.init(reading: &reader)
  }

  /// The value as an object.
  package var json: JSON { .object(members) }
}

/// Reads members of a JSON object one by one. The remaining ones are unknown members.
package struct JSONMembersReader {
  /// The members in a dictionary that have not been read.
  private var members: [String: JSON]
  /// The object on a tape, if the members come from one.
  private let source: (document: JSONDocument, object: Int)?
  /// The tape indices of the values that have been read.
  private var taken: [Int] = []

  /// Creates a reader of the members of an object.
  package init(_ members: [String: JSON]) {
    self.members = members
    source = nil
  }

  /// Creates a reader of the members of an object on a tape.
  package init(ofObjectAt object: Int, in document: JSONDocument) {
    members = [:]
    source = (document, object)
  }

  /// The members that have not been read.
  package var rest: [String: JSON] {
    guard let (document, object) = source else { return members }
    var rest: [String: JSON] = [:]
    guard taken.count < document.count(at: object) else { return rest }
    document.forEachMember(ofObjectAt: object) { member in
      if !taken.contains(member) {
        rest[document.key(of: member)] = JSON(at: member, of: document)
      }
    }
    return rest
  }

  /// Reads and removes a member. A member that cannot be read stays.
  package mutating func take<Value>(_ key: String, _ read: (JSON) -> Value?) -> Value? {
    take(key, of: read) { read(JSON(at: $0, of: $1)) }
  }

  /// Reads and removes a member that is an object. Any other member stays.
  mutating func take<Value: JSONObjectCodable>(_ key: String, as type: Value.Type) -> Value? {
    take(key, of: Value.init) { Value(at: $0, of: $1) }
  }

  private mutating func take<Value>(
    _ key: String, of value: (JSON) -> Value?, at read: (Int, JSONDocument) -> Value?
  ) -> Value? {
    if let (document, object) = source {
      guard let member = document.index(of: key, inObjectAt: object, after: taken.last),
        let value = read(member, document)
      else { return nil }
      taken.append(member)
      return value
    }
    guard let member = members[key], let value = value(member) else { return nil }
    members[key] = nil
    return value
  }
}

extension [String: JSON] {
  /// Sets a member to a number, unless it is `nil`.
  mutating func set(_ key: String, _ number: Int?) {
    if let number { self[key] = .int(Int64(number)) }
  }

  /// Sets a member to a Boolean, unless it is `nil`.
  mutating func set(_ key: String, _ boolean: Bool?) {
    if let boolean { self[key] = .bool(boolean) }
  }
}

extension JSON {
  /// The elements as text; `nil` unless this is an array of strings only.
  package var stringsValue: [String]? { values(\.stringValue) }

  /// Reads each element; `nil` unless this is an array and every element can be read.
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

  /// Reads each member; `nil` unless this is an object and every member can be read.
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

/// A coding key with any name.
struct AnyKey: CodingKey, Hashable {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { self.stringValue = String(intValue) }
}

/// Documented member names, which are also found after a coder's key strategy changed them.
///
/// An encoder that converts to snake case writes `objectID` as `object_id`, and a decoder that
/// converts from it reads `objectId`. Names are therefore compared without regard to case and
/// underscores, except for leading underscores, which no strategy changes.
struct DocumentedNames: Sendable {
  private let byFolded: [String: String]

  /// Creates the names of a type.
  init(_ names: some Sequence<String>) {
    byFolded = Dictionary(
      names.map { (Self.folded($0), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the documented names that occur among other names, with their actual spelling.
  ///
  /// An exact name takes precedence over a similar one.
  func spellings(in names: some Sequence<String>) -> [String: String] {
    var spellings: [String: String] = [:]
    for name in names {
      guard let documented = byFolded[Self.folded(name)], spellings[documented] != documented else {
        continue
      }
      if name == documented || name < spellings[documented] ?? "\u{10FFFF}" {
        spellings[documented] = name
      }
    }
    return spellings
  }

  private static func folded(_ name: String) -> String {
    let start = name.firstIndex { $0 != "_" } ?? name.endIndex
    return name[..<start] + name[start...].lowercased().filter { $0 != "_" }
  }
}

extension KeyedDecodingContainer<AnyKey> {
  /// Returns the keys of the documented members that exist.
  func keys(of documented: DocumentedNames) -> [String: AnyKey] {
    documented.spellings(in: allKeys.lazy.map(\.stringValue)).mapValues(AnyKey.init)
  }
}

extension JSON {
  /// The JSON text.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}
