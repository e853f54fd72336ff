import InstantSearchJSON

/// What kind of place a place is.
///
/// A kind that is missing here is written as a string literal.
public struct PlaceType: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
  /// The kind's name on the wire.
  public var rawValue: String

  /// The kind with that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The kind with that name.
  public init(stringLiteral value: String) { rawValue = value }

  /// A city, a town or a village.
  public static let city = PlaceType(rawValue: "city")
  /// A country.
  public static let country = PlaceType(rawValue: "country")
  /// A street, or anything else that is part of an address.
  public static let address = PlaceType(rawValue: "address")
  /// A bus stop.
  public static let busStop = PlaceType(rawValue: "busStop")
  /// A train station.
  public static let trainStation = PlaceType(rawValue: "trainStation")
  /// A town hall.
  public static let townhall = PlaceType(rawValue: "townhall")
  /// An airport.
  public static let airport = PlaceType(rawValue: "airport")
}

extension PlaceType: OpenStringValue, JSONNodeDecodable, JSONWritable {}

extension PlaceType {
  /// The kinds of the contract. A place that is of several counts as the first of them.
  package static let known: [PlaceType] = [
    .country, .city, .busStop, .townhall, .trainStation, .airport, .address,
  ]

  /// The tags of a place, one of which makes it one of this kind; none for an unknown kind.
  package var tags: [String] {
    switch self {
    case .city, .country, .address: [rawValue]
    case .busStop: ["amenity/bus_station"]
    case .townhall: ["amenity/townhall"]
    case .trainStation: ["railway/station"]
    case .airport: ["aeroway/aerodrome", "aeroway/terminal", "aeroway/gate"]
    default: []
    }
  }
}
