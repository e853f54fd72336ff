import InstantSearchAPI
import InstantSearchJSON

extension APIKey {
  /// Reads the members that a caller sends for a key.
  ///
  /// - Parameters:
  ///   - node: The object. Missing members have their defaults.
  ///   - value: The key.
  ///   - createdAt: The time of its creation, in milliseconds since 1970.
  /// - Throws: Status 400 with the member that is wrong.
  init(_ node: JSONNode, value: String, createdAt: Int64) throws(ServiceError) {
    guard node.kind == .object else {
      throw ServiceError(400, "Malformed body: expected a JSON object")
    }
    for member in node.members {
      guard Self.memberNames.contains(member.key) else {
        throw ServiceError(400, "Unknown member \"\(member.key)\" of a key")
      }
      if member.isSuperseded {
        throw ServiceError(400, "The member \"\(member.key)\" of a key occurs twice")
      }
    }
    func list(_ name: String) throws(ServiceError) -> [String] {
      guard let member = node[name], !member.isNull else { return [] }
      guard member.kind == .array, member.count <= Self.maximumListCount,
        member.elements.allSatisfy({ $0.string.map { !$0.isEmpty } ?? false })
      else {
        throw ServiceError(
          400,
          "Invalid value for \"\(name)\", expected at most \(Self.maximumListCount) texts that are"
            + " not empty")
      }
      return member.elements.compactMap(\.string)
    }
    func number(_ name: String) throws(ServiceError) -> Int {
      guard let member = node[name], !member.isNull else { return 0 }
      guard let number = member.int, number >= 0 else {
        throw ServiceError(
          400, "Invalid value for \"\(name)\", expected a number that is not negative")
      }
      return number
    }
    func text(_ name: String) throws(ServiceError) -> String {
      guard let member = node[name], !member.isNull else { return "" }
      guard let text = member.string, text.utf8.count <= Self.maximumTextLength else {
        throw ServiceError(
          400,
          "Invalid value for \"\(name)\", expected a text of at most \(Self.maximumTextLength) bytes"
        )
      }
      return text
    }
    guard node["acl"]?.kind == .array else { throw ServiceError(400, "A key needs a list \"acl\"") }
    let acl = try list("acl")
    for name in acl where !Right.known.contains(name) {
      throw ServiceError(400, "Invalid ACL: \(name)")
    }
    self.init(
      value, acl: acl.map { Right(rawValue: $0) }, indexes: try list("indexes"),
      referers: try list("referers"),
      queryParameters: try text("queryParameters"), maxHitsPerQuery: try number("maxHitsPerQuery"),
      maxQueriesPerIPPerHour: try number("maxQueriesPerIPPerHour"),
      validity: try number("validity"), note: try text("description"), createdAt: createdAt)
  }

  /// Reads a key with its value and the time of its creation.
  ///
  /// - Throws: Status 400 with the reason.
  init(stored node: JSONNode) throws(ServiceError) {
    guard let value = node["value"]?.string, let createdAt = node["createdAt"]?.int else {
      throw ServiceError(400, "A key needs \"value\" and \"createdAt\"")
    }
    try self.init(node, value: value, createdAt: Int64(createdAt))
  }

  /// Checks that the key can be read back.
  ///
  /// - Throws: Status 400 with the member that is wrong.
  func check() throws(ServiceError) {
    var writer = JSONWriter()
    write(to: &writer)
    do {
      _ = try APIKey(stored: JSONDocument(writer.bytes).root)
    } catch let error as ServiceError {
      throw error
    } catch {
      throw ServiceError(400, "The key cannot be written as JSON")
    }
  }

  /// The members of a key that a caller can send. The service sets the value and the times.
  private static let memberNames: Set<String> = [
    "acl", "description", "indexes", "referers", "queryParameters", "maxHitsPerQuery",
    "maxQueriesPerIPPerHour", "validity", "value", "createdAt", "key", "updatedAt",
  ]
  private static let maximumListCount = 1_000
  private static let maximumTextLength = 16_384
}

extension Right {
  /// The names of rights that a key may have. Rights for other services are stored and have no
  /// effect here.
  static let known: Set<String> = [
    "search", "browse", "addObject", "deleteObject", "deleteIndex", "listIndexes", "settings",
    "editSettings", "logs", "seeUnretrievableAttributes", "analytics", "recommendation", "usage",
    "personalization", "inference", "nluWriteProject", "nluReadProject", "nluWriteEntity",
    "nluReadEntity", "nluWriteIntent", "nluReadIntent", "nluPrediction", "nluReadAnswers",
  ]
}

extension Decoder {
  /// Reads a value from the JSON of the decoder.
  func read<Value>(_ read: (JSONNode) throws(ServiceError) -> Value) throws -> Value {
    let json = try JSON(from: self)
    do {
      return try read(JSONDocument(Array(json.text.utf8)).root)
    } catch let error as ServiceError {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: error.message))
    }
  }
}
