import InstantSearchJSON

/// A right that a key grants.
///
/// Source: the access control list of a key in the OpenAPI description of the hosted service.
public struct Right: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
  /// The name on the wire.
  public let rawValue: String

  /// Creates a right by its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a right by its name.
  public init(stringLiteral value: String) { rawValue = value }

  /// Searches, facet values and records by ID.
  public static let search: Right = "search"
  /// Reads whole indices.
  public static let browse: Right = "browse"
  /// Writes records, and copies and moves indices.
  public static let addObject: Right = "addObject"
  /// Deletes records by ID.
  public static let deleteObject: Right = "deleteObject"
  /// Deletes, clears, and deletes by filter.
  public static let deleteIndex: Right = "deleteIndex"
  /// Lists the indices.
  public static let listIndexes: Right = "listIndexes"
  /// Reads settings, synonyms, rules and dictionaries, and explanations of searches.
  public static let settings: Right = "settings"
  /// Writes settings, synonyms, rules and dictionaries.
  public static let editSettings: Right = "editSettings"
  /// Reads the log.
  public static let logs: Right = "logs"
  /// Reads `unretrievableAttributes`, as the admin key does.
  public static let seeUnretrievableAttributes: Right = "seeUnretrievableAttributes"

  /// The names of rights that a key may have. Rights for other services are stored and have no
  /// effect here.
  static let known: Set<String> = [
    "search", "browse", "addObject", "deleteObject", "deleteIndex", "listIndexes", "settings",
    "editSettings", "logs", "seeUnretrievableAttributes", "analytics", "recommendation", "usage",
    "personalization", "inference", "nluWriteProject", "nluReadProject", "nluWriteEntity",
    "nluReadEntity", "nluWriteIntent", "nluReadIntent", "nluPrediction", "nluReadAnswers",
  ]
}

/// An API key with its rights and its limits, as `GET /1/keys/{key}` returns it.
///
/// ```swift
/// let key = ServiceKey("films-only", acl: [.search], indexes: ["films"], maxHitsPerQuery: 2)
/// let keys = try ServiceKeys(adminKey: secret, changes: [.saved(key)])
/// ```
///
/// It is encoded in the form of the contract, which contains the key: use it to store keys. Its
/// description and its mirror do not show the key.
public struct ServiceKey: Sendable, Hashable {
  /// The key.
  public var value: String
  /// The rights of the key.
  public var acl: [Right]
  /// The indices that it may use, as names or patterns with `*` at an end. Empty for all.
  public var indexes: [String]
  /// The referers that it accepts, as patterns with `*` at an end. Empty for all.
  public var referers: [String]
  /// Search parameters, URL-encoded, that limit or override the parameters of each query. Filters
  /// are added. `restrictSources` is a network from which the key is accepted.
  public var queryParameters: String
  /// The number of hits of a query; 0 for no limit.
  public var maxHitsPerQuery: Int
  /// The number of requests of an IP address in an hour; 0 for no limit.
  public var maxQueriesPerIPPerHour: Int
  /// The lifetime of the key, in seconds from ``createdAt``; 0 for no limit.
  public var validity: Int
  /// A human-readable note, `description` on the wire.
  public var note: String
  /// The time of creation, in milliseconds since 1970. The calls about keys set it.
  public var createdAt: Int64

  /// Creates a key. Everything except the key and its rights has no limit by default.
  ///
  /// A key with a ``validity`` needs its ``createdAt``, from which the validity counts: with 0, it
  /// expired in 1970.
  public init(
    _ value: String, acl: [Right], indexes: [String] = [], referers: [String] = [],
    queryParameters: String = "", maxHitsPerQuery: Int = 0, maxQueriesPerIPPerHour: Int = 0,
    validity: Int = 0, note: String = "", createdAt: Int64 = 0
  ) {
    self.value = value
    self.acl = acl
    self.indexes = indexes
    self.referers = referers
    self.queryParameters = queryParameters
    self.maxHitsPerQuery = maxHitsPerQuery
    self.maxQueriesPerIPPerHour = maxQueriesPerIPPerHour
    self.validity = validity
    self.note = note
    self.createdAt = createdAt
  }
}
