import InstantSearchJSON

/// The parameters of one search for places.
///
/// ```swift
/// var query = PlacesQuery("pari")
/// query.type = [.city]
/// query.language = .french
/// query.countries = ["fr", "us"]
/// ```
///
/// Every parameter of the contract is a property of the same name. A property that is `nil` is not
/// sent, so the default applies. Values are sent unchanged; the server or the engine validates
/// them.
public struct PlacesQuery: Sendable, Hashable {
  /// The parameters that a search of an index also has.
  private var parameters = SearchQuery()

  /// The kinds of places to search for.
  ///
  /// Default: all kinds.
  public var type: [PlaceType]?

  /// The language of the search and of the results, in addition to each place's own language.
  ///
  /// A code in lower case. If it is set, every localized member of a place has one value, in that
  /// language or else in the place's own. Default: all languages.
  public var language: Language?

  /// The countries to search in, as lowercase ISO 3166-1 codes of two letters.
  ///
  /// Default: all countries.
  public var countries: [String]?

  /// Creates a query. Without text it matches every place.
  public init(_ query: String? = nil) {
    self.query = query
  }

  /// Returns a changed copy.
  ///
  /// ```swift
  /// let cities = query.with { $0.type = [.city] }
  /// ```
  public func with<Failure: Error>(
    _ change: (inout PlacesQuery) throws(Failure) -> Void
  ) throws(Failure) -> PlacesQuery {
    var copy = self
    try change(&copy)
    return copy
  }
}

// MARK: - Parameters

extension PlacesQuery {
  /// The text to search for.
  ///
  /// Default: empty, which matches every place.
  public var query: String? {
    get { parameters.query }
    set { parameters.query = newValue }
  }

  /// The number of places to return, 1 to 20.
  ///
  /// Default: 20. There are no further pages.
  public var hitsPerPage: Int? {
    get { parameters.hitsPerPage }
    set { parameters.hitsPerPage = newValue }
  }

  /// The point near which places are preferred, sent as `lat,lng`.
  ///
  /// Without ``aroundRadius`` it does not limit the search: more distant places come later. Only
  /// places without a point are excluded. Default: none.
  public var aroundLatLng: Point? {
    get { parameters.aroundLatLng }
    set { parameters.aroundLatLng = newValue }
  }

  /// Whether to prefer places near the location of the caller's IP address.
  ///
  /// Default: `true`. Has no effect on the embedded engine.
  public var aroundLatLngViaIP: Bool? {
    get { parameters.aroundLatLngViaIP }
    set { parameters.aroundLatLngViaIP = newValue }
  }

  /// The maximum distance from ``aroundLatLng``, in meters.
  ///
  /// Default: none.
  public var aroundRadius: AroundRadius? {
    get { parameters.aroundRadius }
    set { parameters.aroundRadius = newValue }
  }

  /// Rectangles, at least one of which must contain the place.
  ///
  /// If set, ``aroundLatLng`` is ignored. Default: none.
  public var insideBoundingBox: InsideBoundingBox? {
    get { parameters.insideBoundingBox?.optional }
    set { parameters.insideBoundingBox = newValue.map(Nullable.value) }
  }

  /// Polygons, at least one of which must contain the place: latitude, longitude, latitude … in
  /// degrees.
  ///
  /// If set, ``aroundLatLng`` is ignored. Polygons are ignored if ``insideBoundingBox`` is set.
  /// Default: none.
  public var insidePolygon: [[Double]]? {
    get { parameters.insidePolygon }
    set { parameters.insidePolygon = newValue }
  }

  /// The attributes to search in, such as `postcode`.
  ///
  /// Default: names, city, postcode, county, region and country.
  public var restrictSearchableAttributes: [String]? {
    get { parameters.restrictSearchableAttributes }
    set { parameters.restrictSearchableAttributes = newValue }
  }

  /// Whether each hit includes ranking information.
  ///
  /// Default: `false`.
  public var getRankingInfo: Bool? {
    get { parameters.getRankingInfo }
    set { parameters.getRankingInfo = newValue }
  }

  /// Parameters without a property here, which are sent and read unchanged.
  ///
  /// An entry with the name of a property is an alternative to that property: it is not sent while
  /// the property is set.
  public var additionalParameters: [String: JSON] {
    get { parameters.additionalParameters }
    set { parameters.additionalParameters = newValue }
  }
}

// MARK: - The wire

extension PlacesQuery {
  /// All parameters as a search of an index.
  package var searchQuery: SearchQuery {
    var query = parameters
    func set(_ name: String, _ values: [String]?) {
      guard let values else { return }
      query.additionalParameters[name] =
        values.count == 1 ? .string(values[0]) : .array(values.map(JSON.string))
    }
    set("type", type?.map(\.rawValue))
    set("countries", countries)
    if let language { query.additionalParameters["language"] = .string(language.rawValue) }
    return query
  }

  /// Reads the parameters of a search of an index.
  ///
  /// - Throws: ``SearchError`` of code `invalidRequest` that names a parameter with an invalid
  ///   value.
  package init(_ query: SearchQuery) throws(SearchError) {
    parameters = query
    type = try take("type")
    countries = try take("countries")
    language = try take("language")
  }

  private mutating func take<Value: SearchParameterValue>(
    _ name: String
  ) throws(SearchError) -> Value? {
    guard let json = parameters.additionalParameters.removeValue(forKey: name), !json.isNull else {
      return nil
    }
    do throws(SearchParameterMismatch) {
      return try Value(parameter: JSONNode(json))
    } catch {
      throw error.error(in: name)
    }
  }

  /// The search as a search of an index, which has the name that the contract uses.
  package var request: SearchRequest<JSON> { SearchRequest("places", searchQuery) }
}

extension PlacesQuery: Codable {
  /// Reads the parameters with any decoder.
  ///
  /// - Throws: `DecodingError` for a parameter with an invalid value.
  public init(from decoder: any Decoder) throws {
    let query = try SearchQuery(from: decoder)
    do throws(SearchError) {
      try self.init(query)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: error.message))
    }
  }

  /// Writes the parameters that are set, with any encoder.
  public func encode(to encoder: any Encoder) throws { try searchQuery.encode(to: encoder) }
}

extension PlacesQuery: CustomStringConvertible, CustomReflectable {
  /// The parameters that are set, as JSON; safe to log.
  public var description: String { "Places\(searchQuery.description.dropFirst("Search".count))" }

  /// The parameters that are set, by name.
  public var customMirror: Mirror { searchQuery.customMirror }
}

/// The kind of a place.
///
/// Write a kind without a constant as a string literal.
public struct PlaceType: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
  /// The kind's name on the wire.
  public var rawValue: String

  /// Creates the kind with a name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates the kind with a name.
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
  /// The kinds of the contract. A place of several kinds counts as the first of them.
  package static let known: [PlaceType] = [
    .country, .city, .busStop, .townhall, .trainStation, .airport, .address,
  ]

  /// The tags that identify a place of this kind; empty for an unknown kind.
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
