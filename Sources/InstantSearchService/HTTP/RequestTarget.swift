/// The parsed target of a request.
struct RequestTarget {
  /// The components of the path, decoded.
  let path: [String]
  /// The items of the query, decoded.
  let queryItems: [QueryItem]

  /// The maximum length of a target, in bytes.
  static let maximumLength = 16_384

  /// Parses a target.
  ///
  /// - Throws: Status 414 for a long target, and 400 for one with invalid percent-encoding.
  init(_ target: Substring) throws(ServiceError) {
    guard target.utf8.count <= Self.maximumLength else {
      throw ServiceError(414, "The target is longer than \(Self.maximumLength) bytes")
    }
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0]
    guard path.first == "/" else { throw ServiceError(400, "The path must begin with a slash") }
    var components: [String] = []
    for component in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let text = PercentEncoding.decode(component) else { throw Self.invalidEncoding }
      components.append(text)
    }
    self.path = components
    var items: [QueryItem] = []
    for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentEncoding.decode(halves[0], plusIsSpace: true),
        let value = PercentEncoding.decode(halves.dropFirst().first ?? "", plusIsSpace: true)
      else { throw Self.invalidEncoding }
      items.append(QueryItem(name: name, value: value))
    }
    queryItems = items
  }

  private static let invalidEncoding = ServiceError(
    400, "The target is not valid percent-encoding of UTF-8")
}

/// The credentials of a request, which are not forwarded.
struct Credentials {
  var applicationID: String?
  var key: String?
  /// The query items without the credentials.
  var queryItems: [QueryItem]

  /// Reads the credentials. A header wins over a query item, as on the hosted service.
  init(headers: [HTTPHeader], queryItems: [QueryItem]) {
    func value(_ name: String) -> String? {
      headers.firstValue(named: name)
        ?? queryItems.first { $0.name.lowercased() == name }?.value
    }
    applicationID = value(Self.applicationIDName)
    key = value(Self.keyName)
    self.queryItems = queryItems.filter { !Self.names.contains($0.name.lowercased()) }
  }

  /// Returns the credentials with the bearer token of a request as the key, if it has no other key.
  ///
  /// Programs for language models have a setting for such a token.
  func orBearerToken(in headers: [HTTPHeader]) -> Credentials {
    let values = headers.filter { $0.name.lowercased() == "authorization" }.map(\.value)
    // Of several, a proxy could have checked another one.
    guard key == nil, values.count == 1, let value = values.first,
      value.prefix(7).lowercased() == "bearer "
    else { return self }
    var credentials = self
    credentials.key = String(value.dropFirst(7)).trimmingSpaces()
    return credentials
  }

  private static let applicationIDName = "x-algolia-application-id"
  private static let keyName = "x-algolia-api-key"
  /// The names of parameters that identify the caller rather than the call.
  private static let names: Set<String> = [
    applicationIDName, keyName, "x-algolia-agent", "x-algolia-request-id",
  ]
}
