package import InstantSearchJSON

/// A result of a search for places: a country, a city, a street, an airport.
///
/// ```swift
/// let page = try await client.searchPlaces(PlacesQuery("pari"))
/// for hit in page.hits { print(hit.name ?? hit.objectID) }
/// ```
///
/// A member that the response leaves out is `nil`. So is a member whose type is not the documented
/// one, which is kept unchanged in ``additionalMembers``. ID, position and highlights belong to
/// the ``Hit``.
public struct Place: Sendable, Hashable, JSONObjectCodable {
  /// The names, best first; `locale_names` on the wire.
  public var localeNames: Localized<[String]>?
  /// The names of the city.
  public var city: Localized<[String]>?
  /// The names of the suburb.
  public var suburb: [String]?
  /// The names of the village.
  public var village: [String]?
  /// The name of the district.
  public var district: String?
  /// The names of the county.
  public var county: Localized<[String]>?
  /// The names of the region or the state, in its own language.
  public var administrative: [String]?
  /// The name of the country.
  public var country: Localized<String>?
  /// The country's two-letter ISO 3166-1 code in lower case; `country_code` on the wire.
  public var countryCode: String?
  /// The postcodes.
  public var postcode: [String]?
  /// The number of inhabitants; for a street, of its city.
  public var population: Int?
  /// The rank among places, smaller for more important ones: about 4 for a country, 16 for a city,
  /// 26 for a street.
  public var importance: Int?
  /// The administrative level; `admin_level` on the wire.
  public var adminLevel: Int?
  /// Whether the place is a country; `is_country` on the wire.
  public var isCountry: Bool?
  /// Whether the place is a city; `is_city` on the wire.
  public var isCity: Bool?
  /// Whether the place is a suburb; `is_suburb` on the wire.
  public var isSuburb: Bool?
  /// Whether the place is a street; `is_highway` on the wire.
  public var isHighway: Bool?
  /// Whether the place is searched often; `is_popular` on the wire.
  public var isPopular: Bool?
  /// The kinds and sources of the place, such as `city` and `country/fr`; `_tags` on the wire.
  public var tags: [String]?
  /// All other members, except the members of a hit.
  public var additionalMembers: [String: JSON]

  /// Creates a place. Everything is absent by default.
  public init(
    localeNames: Localized<[String]>? = nil,
    city: Localized<[String]>? = nil,
    suburb: [String]? = nil,
    village: [String]? = nil,
    district: String? = nil,
    county: Localized<[String]>? = nil,
    administrative: [String]? = nil,
    country: Localized<String>? = nil,
    countryCode: String? = nil,
    postcode: [String]? = nil,
    population: Int? = nil,
    importance: Int? = nil,
    adminLevel: Int? = nil,
    isCountry: Bool? = nil,
    isCity: Bool? = nil,
    isSuburb: Bool? = nil,
    isHighway: Bool? = nil,
    isPopular: Bool? = nil,
    tags: [String]? = nil,
    additionalMembers: [String: JSON] = [:]
  ) {
    self.localeNames = localeNames
    self.city = city
    self.suburb = suburb
    self.village = village
    self.district = district
    self.county = county
    self.administrative = administrative
    self.country = country
    self.countryCode = countryCode
    self.postcode = postcode
    self.population = population
    self.importance = importance
    self.adminLevel = adminLevel
    self.isCountry = isCountry
    self.isCity = isCity
    self.isSuburb = isSuburb
    self.isHighway = isHighway
    self.isPopular = isPopular
    self.tags = tags
    self.additionalMembers = additionalMembers
  }

  /// The first name, in the only available language or in the place's own.
  public var name: String? { localeNames?.value?.first }

  /// Returns the first name in a language, or else ``name``.
  public func name(in language: Language) -> String? {
    localeNames?.value(in: language)?.first ?? name
  }

  /// The kind of the place, from its tags; `nil` if they contain none.
  public var type: PlaceType? {
    guard let tags else { return nil }
    return PlaceType.known.first { $0.tags.contains(where: tags.contains) }
  }
}

extension Place {
  package init(reading members: inout JSONMembersReader) {
    localeNames = members.take("locale_names") { Localized($0, \.stringsValue) }
    city = members.take("city") { Localized($0, \.stringsValue) }
    suburb = members.take("suburb", \.stringsValue)
    village = members.take("village", \.stringsValue)
    district = members.take("district", \.stringValue)
    county = members.take("county") { Localized($0, \.stringsValue) }
    administrative = members.take("administrative", \.stringsValue)
    country = members.take("country") { Localized($0, \.stringValue) }
    countryCode = members.take("country_code", \.stringValue)
    postcode = members.take("postcode", \.stringsValue)
    population = members.take("population", \.intValue)
    importance = members.take("importance", \.intValue)
    adminLevel = members.take("admin_level", \.intValue)
    isCountry = members.take("is_country", \.boolValue)
    isCity = members.take("is_city", \.boolValue)
    isSuburb = members.take("is_suburb", \.boolValue)
    isHighway = members.take("is_highway", \.boolValue)
    isPopular = members.take("is_popular", \.boolValue)
    tags = members.take("_tags", \.stringsValue)
    additionalMembers = members.rest.filter { name, value in
      HitMember(rawValue: name) == nil && !value.isNull
    }
  }

  package var members: [String: JSON] {
    func json(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }
    var members = additionalMembers
    if let localeNames { members["locale_names"] = localeNames.json(json) }
    if let city { members["city"] = city.json(json) }
    if let suburb { members["suburb"] = json(suburb) }
    if let village { members["village"] = json(village) }
    if let district { members["district"] = .string(district) }
    if let county { members["county"] = county.json(json) }
    if let administrative { members["administrative"] = json(administrative) }
    if let country { members["country"] = country.json(JSON.string) }
    if let countryCode { members["country_code"] = .string(countryCode) }
    if let postcode { members["postcode"] = json(postcode) }
    members.set("population", population)
    members.set("importance", importance)
    members.set("admin_level", adminLevel)
    members.set("is_country", isCountry)
    members.set("is_city", isCity)
    members.set("is_suburb", isSuburb)
    members.set("is_highway", isHighway)
    members.set("is_popular", isPopular)
    if let tags { members["_tags"] = json(tags) }
    return members
  }
}

extension Place: JSONNodeDecodable, JSONWritable {
  /// Reads a place. It skips the members of a hit, whose highlights can be long.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    guard node.kind == .object else { throw node.mismatch([String: Any].self) }
    var members: [String: JSON] = [:]
    for member in node.currentMembers where HitMember(rawValue: member.key) == nil {
      members[member.key] = JSON(node: member.value)
    }
    var reader = JSONMembersReader(members)
    self.init(reading: &reader)
  }
}

/// A value of a place, in one language or in several.
///
/// The response to a search with a language has values in that language only. The response to any
/// other search has values in all languages. A language whose value is `null` has none.
public enum Localized<Value: Hashable & Sendable>: Hashable, Sendable {
  /// In one language: the requested one, otherwise the place's own.
  case single(Value)
  /// In several languages. The default is in the place's own language; `default` on the wire.
  case translated(default: Value?, [Language: Value])

  /// The only value, or the one in the place's own language.
  public var value: Value? {
    switch self {
    case .single(let value): value
    case .translated(let value, _): value
    }
  }

  /// Returns the value in a language, or else ``value``.
  public func value(in language: Language) -> Value? {
    switch self {
    case .single(let value): value
    case .translated(let value, let translations): translations[language] ?? value
    }
  }

  /// The languages that have a value, by code; none for a single value.
  public var languages: [Language] {
    switch self {
    case .single: []
    case .translated(_, let translations):
      translations.keys.sorted { $0.rawValue < $1.rawValue }
    }
  }
}

extension Localized {
  private static var defaultKey: String { "default" }

  private init(members: [String: Value?]) {
    var members = members.compactMapValues { $0 }
    let value = members.removeValue(forKey: Self.defaultKey)
    let translations = members.map { (Language(rawValue: $0.key), $0.value) }
    self = .translated(default: value, Dictionary(uniqueKeysWithValues: translations))
  }

  /// The values as they are written; `nil` for a single one.
  private var members: [String: Value]? {
    guard case .translated(let value, let translations) = self else { return nil }
    var members = Dictionary(
      uniqueKeysWithValues: translations.map { ($0.key.rawValue, $0.value) })
    members[Self.defaultKey] = value ?? members[Self.defaultKey]
    return members
  }

  /// Reads either form; `nil` for anything else.
  init?(_ json: JSON, _ read: (JSON) -> Value?) {
    if let value = read(json) {
      self = .single(value)
    } else if let members = json.memberValues({ $0.isNull ? .some(nil) : read($0).map { $0 } }) {
      self.init(members: members)
    } else {
      return nil
    }
  }

  /// The value as it is written.
  func json(_ write: (Value) -> JSON) -> JSON {
    switch self {
    case .single(let value): write(value)
    case .translated: .object((members ?? [:]).mapValues(write))
    }
  }
}

extension Localized: Decodable where Value: Decodable {
  /// Reads an object as values by language, and anything else as a single value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let members = try? container.decode([String: Value?].self) {
      self.init(members: members)
    } else {
      self = .single(try container.decode(Value.self))
    }
  }
}

extension Localized: Encodable where Value: Encodable {
  /// Writes the value itself, or an object of the values by language.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .single(let value): try container.encode(value)
    case .translated: try container.encode(members ?? [:])
    }
  }
}
