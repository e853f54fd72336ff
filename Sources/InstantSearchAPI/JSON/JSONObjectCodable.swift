package import InstantSearchJSON

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
    guard let value = Self(at: node.index, of: node.document) else {
      throw node.mismatch([String: Any].self)
    }
    self = value
  }

  /// The value of an object on a tape; `nil` for any other value.
  init?(at index: Int, of document: JSONDocument) {
    guard case .object = document.kind(at: index) else { return nil }
    var reader = JSONMembersReader(ofObjectAt: index, in: document)
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
  /// The members in a dictionary, without those that were taken.
  private var members: [String: JSON]
  /// The members on a tape, when that is where they are.
  private let place: (document: JSONDocument, object: Int)?
  /// The tape indices of the values that were taken.
  private var taken: [Int] = []

  /// Starts with all members of an object.
  package init(_ members: [String: JSON]) {
    self.members = members
    place = nil
  }

  /// Starts with all members of an object on a tape.
  package init(ofObjectAt object: Int, in document: JSONDocument) {
    members = [:]
    place = (document, object)
  }

  /// The members that were not taken.
  package var rest: [String: JSON] {
    guard let (document, object) = place else { return members }
    var rest: [String: JSON] = [:]
    guard taken.count < document.count(at: object) else { return rest }
    document.forEachMember(ofObjectAt: object) { member in
      if !taken.contains(member) {
        rest[document.key(of: member)] = JSON(at: member, of: document)
      }
    }
    return rest
  }

  /// Takes a member when it can be read; otherwise leaves it where it is.
  package mutating func take<Value>(_ key: String, _ read: (JSON) -> Value?) -> Value? {
    take(key, of: read) { read(JSON(at: $0, of: $1)) }
  }

  /// Takes a member that is an object; otherwise leaves it where it is.
  mutating func take<Value: JSONObjectCodable>(_ key: String, as type: Value.Type) -> Value? {
    take(key, of: Value.init) { Value(at: $0, of: $1) }
  }

  private mutating func take<Value>(
    _ key: String, of value: (JSON) -> Value?, at read: (Int, JSONDocument) -> Value?
  ) -> Value? {
    if let (document, object) = place {
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

/// A coding key of any name.
struct AnyKey: CodingKey, Hashable {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { self.stringValue = String(intValue) }
}

/// Member names that are documented, found also where a coder's key strategy has changed them.
///
/// `objectID` is written as `object_id` by an encoder that converts to snake case, and read as
/// `objectId` by a decoder that converts from it. So names are compared without regard to case and
/// to underscores, but for those at the beginning, which no strategy changes.
struct DocumentedNames: Sendable {
  private let byFolded: [String: String]

  /// Creates the names of a type.
  init(_ names: some Sequence<String>) {
    byFolded = Dictionary(
      names.map { (Self.folded($0), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The documented names among others, each with the name it stands under.
  ///
  /// A name that is written as documented wins over one that only resembles it.
  func places(in names: some Sequence<String>) -> [String: String] {
    var places: [String: String] = [:]
    for name in names {
      guard let documented = byFolded[Self.folded(name)], places[documented] != documented else {
        continue
      }
      if name == documented || name < places[documented] ?? "\u{10FFFF}" {
        places[documented] = name
      }
    }
    return places
  }

  private static func folded(_ name: String) -> String {
    let start = name.firstIndex { $0 != "_" } ?? name.endIndex
    return name[..<start] + name[start...].lowercased().filter { $0 != "_" }
  }
}

extension KeyedDecodingContainer<AnyKey> {
  /// The keys of the documented members that are there.
  func keys(of documented: DocumentedNames) -> [String: AnyKey] {
    documented.places(in: allKeys.lazy.map(\.stringValue)).mapValues(AnyKey.init)
  }
}
