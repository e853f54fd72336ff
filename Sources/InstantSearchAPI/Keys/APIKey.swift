package import InstantSearchJSON

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
}

/// An API key with its rights and its limits, as `GET /1/keys/{key}` returns it.
///
/// ```swift
/// let value = try await client.addKey(APIKey(acl: [.search], indexes: ["films"]))
/// ```
///
/// It is encoded in the form of the contract, which contains the key: use it to store keys. Its
/// description and its mirror do not show the key.
public struct APIKey: Sendable, Hashable {
  /// The key. A service that adds a key chooses it.
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
    _ value: String = "", acl: [Right], indexes: [String] = [], referers: [String] = [],
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

extension APIKey {
  /// Writes the key in the form of the contract, without members that have their defaults.
  ///
  /// - Parameters:
  ///   - showsNote: Whether the note is shown. Only an admin sees it.
  ///   - isRequest: Whether it is the body of a call, which the value and the times are no part of.
  package func write(
    to writer: inout JSONWriter, showsNote: Bool = true, isRequest: Bool = false
  ) {
    func write(_ name: String, _ list: [String]) {
      if list.isEmpty { return }
      writer.key(name)
      writer.beginArray()
      for text in list { writer.string(text) }
      writer.endArray()
    }
    func write(_ name: String, _ number: Int) {
      if number == 0 { return }
      writer.key(name)
      writer.int(number)
    }
    writer.beginObject()
    if !isRequest {
      writer.key("value")
      writer.string(value)
      writer.key("createdAt")
      writer.int(createdAt)
    }
    writer.key("acl")
    writer.beginArray()
    for right in acl { writer.string(right.rawValue) }
    writer.endArray()
    write("indexes", indexes)
    write("referers", referers)
    write("maxHitsPerQuery", maxHitsPerQuery)
    write("maxQueriesPerIPPerHour", maxQueriesPerIPPerHour)
    writer.key("validity")
    writer.int(validity)
    if !queryParameters.isEmpty {
      writer.key("queryParameters")
      writer.string(queryParameters)
    }
    if !note.isEmpty {
      writer.key("description")
      writer.string(showsNote ? note : "<redacted>")
    }
    writer.endObject()
  }
}

extension APIKey: Codable {
  /// Reads a key that was encoded, or that a service returns. Rights and members that this library
  /// does not know are accepted.
  ///
  /// - Throws: A `DecodingError` if the value or the rights are missing, or if a member has another
  ///   type.
  public init(from decoder: any Decoder) throws {
    let json = try JSON(from: decoder)
    func fail(_ name: String) -> any Error {
      DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "The member \(name) of a key is missing or has another type"))
    }
    func member<Value>(
      _ name: String, _ standard: Value?, _ read: (JSON) -> Value?
    ) throws -> Value {
      guard let value = json[name], !value.isNull else {
        guard let standard else { throw fail(name) }
        return standard
      }
      guard let result = read(value) else { throw fail(name) }
      return result
    }
    func texts(_ json: JSON) -> [String]? {
      let elements = json.arrayValue
      let texts = elements?.compactMap(\.stringValue)
      return texts?.count == elements?.count ? texts : nil
    }
    self.init(
      try member("value", nil, \.stringValue),
      acl: try member("acl", nil, texts).map { Right(rawValue: $0) },
      indexes: try member("indexes", [], texts), referers: try member("referers", [], texts),
      queryParameters: try member("queryParameters", "", \.stringValue),
      maxHitsPerQuery: try member("maxHitsPerQuery", 0, \.intValue),
      maxQueriesPerIPPerHour: try member("maxQueriesPerIPPerHour", 0, \.intValue),
      validity: try member("validity", 0, \.intValue),
      note: try member("description", "", \.stringValue),
      createdAt: try member("createdAt", 0) { json in
        if case .int(let number) = json { number } else { nil }
      })
  }

  /// Writes the key as `GET /1/keys/{key}` returns it to an admin. It contains the secret.
  public func encode(to encoder: any Encoder) throws {
    try encoder.write { write(to: &$0) }
  }
}

extension APIKey: CustomStringConvertible, CustomReflectable {
  /// The rights and the indices, without the key.
  public var description: String {
    "key with \(acl.map(\.rawValue).joined(separator: ", "))"
      + (indexes.isEmpty ? "" : " on \(indexes.joined(separator: ", "))")
  }

  /// A mirror of the rights and the indices.
  public var customMirror: Mirror {
    Mirror(self, children: ["acl": acl.map(\.rawValue), "indexes": indexes])
  }
}
