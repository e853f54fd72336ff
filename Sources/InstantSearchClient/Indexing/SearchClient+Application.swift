import InstantSearchJSON

// Sources and logs belong to the application.
extension SearchClient {
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
    let body = try JSON(encoding: sources).bytes
    _ = try await response(to: EndpointCall(.sources(.replace), body: body), options: options)
  }

  /// Adds a network from which the application accepts requests.
  @concurrent
  public func appendSource(
    _ source: AllowedSource, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) {
    let body = try JSON(encoding: source).bytes
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
}

extension SearchClient {
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

  /// Returns the value of a part of a response.
  func decode<Value: Decodable>(
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
