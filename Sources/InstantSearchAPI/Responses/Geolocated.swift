package import InstantSearchJSON

/// A record with a location, such as ``Hit``.
///
/// A custom record type conforms with a property for the member `_geoloc`:
///
/// ```swift
/// struct Shop: Decodable, Geolocated {
///   let name: String
///   let geolocation: SingleOrList<Point>?
///
///   enum CodingKeys: String, CodingKey {
///     case name
///     case geolocation = "_geoloc"
///   }
/// }
/// ```
///
/// Such a record does not decode if its `_geoloc` is not a location. ``Hit`` ignores an invalid
/// one.
public protocol Geolocated {
  /// The locations of the record; `nil` if it has none.
  var geolocation: SingleOrList<Point>? { get }
}

extension JSON: Geolocated {
  /// The locations in the member `_geoloc`; `nil` if it is missing or cannot be read.
  public var geolocation: SingleOrList<Point>? {
    try? self[HitMember.geolocation.rawValue]?.decode()
  }
}

/// A single value or a list of values, for members that can be either.
public enum SingleOrList<Value> {
  /// A single value.
  case single(Value)
  /// A list of zero or more values.
  case list([Value])

  /// All values, in order.
  public var values: [Value] {
    switch self {
    case .single(let value): [value]
    case .list(let values): values
    }
  }

  /// The first value, if there is one.
  public var first: Value? {
    switch self {
    case .single(let value): value
    case .list(let values): values.first
    }
  }
}

extension SingleOrList: Sendable where Value: Sendable {}
extension SingleOrList: Equatable where Value: Equatable {}
extension SingleOrList: Hashable where Value: Hashable {}

extension SingleOrList: Decodable where Value: Decodable {
  /// Reads an array as a list and anything else as a single value.
  public init(from decoder: any Decoder) throws {
    if (try? decoder.unkeyedContainer()) != nil {
      self = .list(try [Value](from: decoder))
    } else {
      self = .single(try decoder.singleValueContainer().decode(Value.self))
    }
  }
}

extension SingleOrList: Encodable where Value: Encodable {
  /// Writes the value itself, or an array.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .single(let value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .list(let values): try values.encode(to: encoder)
    }
  }
}

extension SingleOrList: TapeDecodable where Value: Decodable {}

extension SingleOrList: JSONNodeDecodable where Value: Decodable {
  /// Reads an array as a list and anything else as a single value.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    let decoder = JSONValueDecoder(options: options)
    if node.kind == .array {
      self = .list(try node.elements.map { try decoder.decode(Value.self, from: $0) })
    } else {
      self = .single(try decoder.decode(Value.self, from: node))
    }
  }
}

extension SingleOrList<Point>: LazilyDecodable {
  init?(at index: Int, of source: HitSource) {
    // Not through a decoder, which would begin a session for every location.
    func point(_ node: JSONNode) throws -> Point {
      try Point(node: node, options: JSONDecodingOptions())
    }
    let node = JSONNode(document: source.document, index: index)
    let value: Self? =
      node.kind == .array
      ? (try? node.elements.map(point)).map(Self.list) : (try? point(node)).map(Self.single)
    guard let value else { return nil }
    self = value
  }
}
