/// A call in the log of a service.
///
/// Source: the operation `getLogs` in the OpenAPI description of the hosted service, which sends
/// all members as texts. A member that a service leaves out is `nil`.
public struct LogEntry: Sendable, Hashable {
  /// The kind of the calls in a log.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// All calls.
    case all
    /// Searches.
    case query
    /// Writes.
    case build
    /// Calls that failed.
    case error
  }

  /// The time, as ISO 8601 text.
  public var timestamp: String
  /// The HTTP method.
  public var method: String
  /// The path and the query.
  public var url: String
  /// The HTTP status.
  public var status: Int?
  /// The beginning of the body, at most 1,000 characters.
  public var body: String?
  /// The beginning of the response, at most 1,000 characters.
  public var response: String?
  /// The address of the client.
  public var address: String?
  /// The headers, with a masked key.
  public var headers: String?
  /// The processing time, in milliseconds.
  public var processingTimeMS: Int?
  /// The index.
  public var indexName: String?
  /// The parameters of a search, URL-encoded.
  public var parameters: String?
  /// The number of hits of a search.
  public var nbHits: Int?
  /// All members, with the names of the contract.
  public var members: [String: JSON]
}

extension LogEntry: Decodable {
  /// Reads an entry.
  ///
  /// - Throws: A `DecodingError` if it is not an object with a time, a method and a URL.
  public init(from decoder: any Decoder) throws {
    let json = try JSON(from: decoder)
    guard let members = json.objectValue, let timestamp = members["timestamp"]?.stringValue,
      let method = members["method"]?.stringValue, let url = members["url"]?.stringValue
    else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "An entry of the log needs the texts timestamp, method and url"))
    }
    func text(_ name: String) -> String? { members[name]?.stringValue }
    func number(_ name: String) -> Int? {
      members[name]?.intValue ?? text(name).flatMap { Int($0) }
    }
    self.timestamp = timestamp
    self.method = method
    self.url = url
    status = number("answer_code")
    body = text("query_body")
    response = text("answer")
    address = text("ip")
    headers = text("query_headers")
    processingTimeMS = number("processing_time_ms")
    indexName = text("index")
    parameters = text("query_params")
    nbHits = number("query_nb_hits")
    self.members = members
  }
}

extension LogEntry: CustomStringConvertible, CustomReflectable {
  /// The method, the path and the status, without the query and the bodies, which can have secrets.
  public var description: String {
    "\(method) \(Endpoint.redacting(encodedPath: url.prefix { $0 != "?" })) \(status ?? 0)"
  }

  /// A mirror of the description.
  public var customMirror: Mirror { Mirror(self, children: ["call": description]) }
}
