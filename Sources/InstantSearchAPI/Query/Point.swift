package import InstantSearchJSON

/// A location on Earth.
public struct Point: Sendable, Hashable {
  /// Degrees north of the equator, -90 to 90.
  public var latitude: Double
  /// Degrees east of Greenwich, -180 to 180.
  public var longitude: Double

  /// Creates a point without validating the numbers; see ``isValid``.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether both numbers are within their ranges.
  public var isValid: Bool {
    (-90...90).contains(latitude) && (-180...180).contains(longitude)
  }
}

extension Point: LosslessStringConvertible {
  /// Reads `latitude,longitude` in degrees, such as `48.85,2.35`.
  ///
  /// Spaces around the numbers are allowed. Returns `nil` for anything except two decimal numbers
  /// in their ranges.
  public init?(_ description: String) {
    let parts = description.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let latitude = Self.degrees(parts[0]),
      let longitude = Self.degrees(parts[1])
    else { return nil }
    self.init(latitude: latitude, longitude: longitude)
    guard isValid else { return nil }
  }

  /// `latitude,longitude`, such as `48.85,2.35`, without exponents. Reads back as the same point.
  public var description: String {
    "\(latitude.plainDecimals),\(longitude.plainDecimals)"
  }

  private static func degrees(_ text: Substring) -> Double? {
    let text = text.drop { $0 == " " }
    guard let end = text.lastIndex(where: { $0 != " " }) else { return nil }
    let number = text[...end]
    guard number.utf8.allSatisfy(isPartOfANumber) else { return nil }
    return Double(number)
  }

  /// Whether a byte is a digit, a sign, a decimal point or an exponent character.
  private static func isPartOfANumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}

extension Point: Codable {
  private enum Key: String, CodingKey {
    case latitude = "lat"
    case longitude = "lng"
  }

  /// Reads `{"lat": …, "lng": …}` or the text `"lat,lng"`. A number outside its range is an error.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      guard let point = Point(text) else {
        throw Self.malformed(text, codingPath: decoder.codingPath)
      }
      self = point
      return
    }
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      latitude: try container.decode(Double.self, forKey: .latitude),
      longitude: try container.decode(Double.self, forKey: .longitude))
    guard isValid else { throw Self.malformed(description, codingPath: decoder.codingPath) }
  }

  /// Writes `{"lat": …, "lng": …}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(latitude, forKey: .latitude)
    try container.encode(longitude, forKey: .longitude)
  }

  private static func malformed(_ text: String, codingPath: [any CodingKey]) -> DecodingError {
    DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath,
        debugDescription: "expected latitude -90 to 90 and longitude -180 to 180, found \(text)"))
  }
}

extension Point: JSONNodeDecodable, JSONWritable {
  /// Reads the same forms as ``init(from:)``.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    if let text = node.string {
      guard let point = Point(text) else {
        throw Self.malformed(text, codingPath: node.codingPath)
      }
      self = point
      return
    }
    self.init(
      latitude: try node.number(Key.latitude.rawValue),
      longitude: try node.number(Key.longitude.rawValue))
    guard isValid else { throw Self.malformed(description, codingPath: node.codingPath) }
  }

  /// Writes `{"lat": …, "lng": …}`. A number that is not finite is written as `null`.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key(Key.latitude.rawValue)
    JSON.double(latitude).write(to: &writer)
    writer.key(Key.longitude.rawValue)
    JSON.double(longitude).write(to: &writer)
    writer.endObject()
  }
}

// As a search parameter a point is the text `lat,lng`. Everywhere else it is an object.
extension Point: SearchParameterValue {
  package static var expectation: String {
    "\"lat,lng\" with lat from -90 to 90 and lng from -180 to 180"
  }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    guard let point = node.string.flatMap({ Point($0) }) else { throw Self.mismatch(node) }
    self = point
  }

  package func writeParameter(to writer: inout JSONWriter) { writer.string(description) }

  package var urlText: String { description }
}
