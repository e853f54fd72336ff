import InstantSearchJSON

// Keys belong to the application. These calls need the admin key, except reading the own key.
extension SearchClient {
  /// Returns all keys except the admin key, with their rights and limits.
  @concurrent
  public func keys(
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> [APIKey] {
    try await list(EndpointCall(.keys(.list)), "keys", options)
  }

  /// Returns a key with its rights and limits. A key other than the admin key can read itself only.
  ///
  /// - Throws: `invalidRequest` with status 404 if there is no such key.
  @concurrent
  public func key(
    _ value: String, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> APIKey {
    try EndpointCall.check(key: value)
    let call = EndpointCall(.keys(.get(key: value)))
    return try await decoded(call, options)
  }

  /// Adds a key, and returns its value, which the service chooses.
  ///
  /// ```swift
  /// let value = try await client.addKey(
  ///   APIKey(acl: [.search], indexes: ["films"], maxHitsPerQuery: 50))
  /// ```
  ///
  /// The hosted service needs some seconds until all of its servers know a new key.
  ///
  /// - Parameters:
  ///   - key: The rights and the limits. Its value and its times are not sent.
  ///   - options: Options of the call.
  @concurrent @discardableResult
  public func addKey(
    _ key: APIKey, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> String {
    let call = EndpointCall(.keys(.add), body: key.requestBody)
    let root = try await response(to: call, options: options).document.root
    guard let value = root["key"]?.string else {
      throw CallContext(call).error(.decoding, "The response has no key.")
    }
    return value
  }

  /// Replaces the rights and the limits of the key with the same value.
  ///
  /// What the key does not set returns to its default, so read the key first and change it.
  ///
  /// ```swift
  /// var key = try await client.key(value)
  /// key.indexes = ["films"]
  /// try await client.updateKey(key)
  /// ```
  @concurrent
  public func updateKey(
    _ key: APIKey, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) {
    try EndpointCall.check(key: key.value)
    _ = try await response(
      to: EndpointCall(.keys(.update(key: key.value)), body: key.requestBody), options: options)
  }

  /// Deletes a key. Secured keys that derive from it end with it.
  @concurrent
  public func deleteKey(
    _ value: String, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) {
    try EndpointCall.check(key: value)
    _ = try await response(to: EndpointCall(.keys(.delete(key: value))), options: options)
  }

  /// Restores a deleted key, without an end of its validity. The hosted service keeps the last
  /// 1,000 deleted keys.
  @concurrent
  public func restoreKey(
    _ value: String, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) {
    try EndpointCall.check(key: value)
    _ = try await response(to: EndpointCall(.keys(.restore(key: value))), options: options)
  }

  // MARK: Sources

  /// Returns the networks from which the application accepts requests. An empty list means all.
  @concurrent
  public func sources(
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> [AllowedSource] {
    try await decoded(EndpointCall(.sources(.list)), options)
  }

  /// Replaces the networks from which the application accepts requests. An empty list means all.
  @concurrent
  public func replaceSources(
    with sources: [AllowedSource], options: RequestOptions = RequestOptions()
  ) async throws(SearchError) {
    let body = JSON.array(sources.map(\.json)).bytes
    _ = try await response(to: EndpointCall(.sources(.replace), body: body), options: options)
  }

  /// Adds a network from which the application accepts requests.
  @concurrent
  public func appendSource(
    _ source: AllowedSource, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) {
    let body = source.json.bytes
    _ = try await response(to: EndpointCall(.sources(.append), body: body), options: options)
  }

  /// Removes a network from which the application accepts requests, such as `10.0.0.0/8`.
  @concurrent
  public func deleteSource(
    _ source: String, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) {
    guard !source.isEmpty else {
      throw SearchError(.invalidRequest, "The source is empty: expected a network as 10.0.0.0/8.")
    }
    _ = try await response(
      to: EndpointCall(.sources(.delete(source: source))), options: options)
  }

  // MARK: Logs

  /// Returns the latest calls that the service answered, newest first.
  ///
  /// The hosted service keeps them for seven days, at most 1,000 for each of its servers.
  ///
  /// - Parameters:
  ///   - indexName: The index of the calls. Defaults to all.
  ///   - kind: The kind of the calls. Defaults to all.
  ///   - offset: The number of newest calls to leave out. Defaults to 0.
  ///   - length: The number of calls, at most 1,000. Defaults to 10.
  ///   - options: Options of the call.
  @concurrent
  public func logs(
    of indexName: String? = nil, kind: LogEntry.Kind = .all, offset: Int = 0, length: Int = 10,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> [LogEntry] {
    var options = options
    options.queryItems += [
      QueryItem(name: "offset", value: "\(offset)"), QueryItem(name: "length", value: "\(length)"),
      QueryItem(name: "type", value: kind.rawValue),
    ]
    if let indexName { options.queryItems.append(QueryItem(name: "indexName", value: indexName)) }
    return try await list(EndpointCall(.logs), "logs", options)
  }

  // MARK: Responses

  /// Returns the values in a member of a response.
  func list<Value: Decodable>(
    _ call: EndpointCall, _ name: String, _ options: RequestOptions
  ) async throws(SearchError) -> [Value] {
    let root = try await response(to: call, options: options).document.root
    guard let list = root[name], list.kind == .array else {
      throw CallContext(call).error(.decoding, "The response has no list \(name).")
    }
    return try decode(list, of: call)
  }

  /// Returns the value that a response is.
  func decoded<Value: Decodable>(
    _ call: EndpointCall, _ options: RequestOptions
  ) async throws(SearchError) -> Value {
    try decode(try await response(to: call, options: options).document.root, of: call)
  }

  private func decode<Value: Decodable>(
    _ node: JSONNode, of call: EndpointCall
  ) throws(SearchError) -> Value {
    do {
      return try JSONValueDecoder().decode(Value.self, from: node)
    } catch {
      let issue = DecodingIssue(error)
      throw CallContext(call).error(
        .decoding,
        "The response cannot be read at \(issue.codingPath.joined(separator: ".")): \(issue.reason)"
      )
    }
  }
}

/// A network from which an application accepts requests.
public struct AllowedSource: Sendable, Hashable, Codable {
  /// The network, such as `10.0.0.0/8`, or an address.
  public var source: String
  /// A human-readable note.
  public var description: String?

  /// Creates a source. It has no note by default.
  public init(_ source: String, description: String? = nil) {
    self.source = source
    self.description = description
  }

  fileprivate var json: JSON {
    var members: [String: JSON] = ["source": .string(source)]
    if let description { members["description"] = .string(description) }
    return .object(members)
  }
}

extension APIKey {
  /// The body of a call that writes the key.
  fileprivate var requestBody: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer, isRequest: true)
    return writer.bytes
  }
}

extension EndpointCall {
  /// Rejects an empty key, which would address all keys. The error does not quote a key.
  fileprivate static func check(key: String) throws(SearchError) {
    guard key.isEmpty else { return }
    throw SearchError(.invalidRequest, "The key is empty.")
  }
}
