import InstantSearchJSON

extension SearchService {
  /// The tools that language models call at one path of the service, over the Model Context
  /// Protocol.
  ///
  /// ```swift
  /// configuration.tools = SearchService.Tools(name: "shop", version: "1.0.0", indices: [products])
  /// ```
  ///
  /// A client sends its key as a bearer token, or as a call of the API does. The key decides which
  /// tools are listed, and each call of a tool makes the searches that the key may make, with its
  /// limits: a tool answers nothing that a search with the same key would not answer. A message
  /// counts as a query of the key, and each query that a tool makes as well.
  public struct Tools: Sendable {
    /// The name of the service, as clients show it.
    public var name: String
    /// The version of the service.
    public var version: String
    /// What a model should know about the tools as a whole; `nil` for nothing.
    public var instructions: String?
    /// The path, in plain text: it begins with a slash, and is not one of the API.
    public var path: String
    /// The indices. Without any, there is a tool for each of the first 20 indices that the key may
    /// search and whose name it may know, described by its settings: the ones that the key names,
    /// or all with the right ``/InstantSearchAPI/Right/listIndexes`` if the key hides no records.
    public var indices: [SearchTool.Index]
    /// What the records of an index are, in a sentence, by its name, for indices that are described
    /// by their settings.
    public var about: [String: String]
    /// Whether there is a tool for recommendations.
    public var recommends: Bool

    /// Creates the tools of a service.
    ///
    /// - Parameters:
    ///   - name: The name of the service.
    ///   - version: The version of the service.
    ///   - instructions: What a model should know about the tools as a whole. Defaults to nothing.
    ///   - path: The path. Defaults to `/mcp`.
    ///   - indices: The indices. Defaults to all indices of the key.
    ///   - about: What the records of an index are, by its name. Defaults to nothing.
    ///   - recommends: Whether there is a tool for recommendations, which the back end must
    ///     answer. Defaults to `false`.
    public init(
      name: String, version: String, instructions: String? = nil, path: String = "/mcp",
      indices: [SearchTool.Index] = [], about: [String: String] = [:], recommends: Bool = false
    ) {
      self.name = name
      self.version = version
      self.instructions = instructions
      self.path = path
      self.indices = indices
      self.about = about
      self.recommends = recommends
    }

    /// The components of the path, as a target has them.
    var pathComponents: [String] {
      path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    }
  }
}

extension SearchService {
  /// Answers a request to the path of the tools.
  func answer(
    _ request: ServiceRequest, with credentials: Credentials, to tools: Tools,
    _ entry: inout AccessLogEntry, readingBody read: BodyReader?
  ) async throws -> ServiceResponse {
    entry.route = tools.path
    entry.note(credentials)
    do {
      let sender = try toolSender(of: request, credentials, from: entry.clientAddress)
      let deadline = Deadline(after: configuration.timeout, clock: configuration.clock)
      let maximumSize = try maximumBodySize(of: request, for: .multiQuery)
      let (body, reservation) = try await body(
        of: request, from: sender, maximumSize: maximumSize, until: deadline, &entry,
        readingBody: read)
      // The body, its JSON, and the values of its members.
      try reservation.take(24 * body.count)
      defer { reservation.set(0) }
      return try await toolResponse(
        to: ToolMessage(body), ToolHeaders(request.headers), of: tools, for: sender, &entry,
        until: deadline)
    } catch let error as ToolError {
      return ServiceResponse(error, status: 400)
    } catch let error as ServiceError {
      return ServiceResponse(error, to: nil)
    }
  }

  /// Checks what can be checked without the body of a request.
  private func toolSender(
    of request: ServiceRequest, _ credentials: Credentials, from address: String?
  ) throws(ServiceError) -> Sender {
    guard request.method == "POST" else {
      throw ServiceError(
        405, "Only POST is possible here", headers: [HTTPHeader(name: "Allow", value: "POST")])
    }
    let origin = request.headers.firstValue(named: "Origin")
    if let origin, configuration.allowedOrigin != "*", origin != configuration.allowedOrigin {
      throw ServiceError(403, "The origin is not allowed")
    }
    guard request.acceptsJSON else { throw ServiceError(406, "The response is JSON") }
    let caller: Caller
    do throws(ServiceError) {
      caller = try authorization.caller(credentials, from: address)
    } catch {
      guard error == .invalidCredentials else { throw error }
      throw ServiceError(
        401, error.message, headers: [HTTPHeader(name: "WWW-Authenticate", value: "Bearer")])
    }
    let sender = Sender(caller, credentials, address, request.headers)
    try authorization.check(
      caller, needs: nil, indices: [], concernsAllIndices: false, referer: sender.referer,
      address: address)
    return sender
  }

  private func toolResponse(
    to message: ToolMessage, _ headers: ToolHeaders, of tools: Tools, for sender: Sender,
    _ entry: inout AccessLogEntry, until deadline: Deadline?
  ) async throws -> ServiceResponse {
    switch message {
    case .request(let request):
      let revision = try headers.revision(of: request)
      do {
        let needsTools = ["tools/list", "tools/call"].contains(request.method)
        let server = ToolServer(
          name: tools.name, version: tools.version, instructions: tools.instructions,
          tools: needsTools ? try await self.tools(tools, for: sender, until: deadline) : [])
        let response = await server.response(to: request, in: revision)
        try Task.checkCancellation()
        return ServiceResponse(status: headers.status(of: response.error), json: response.message)
      } catch let error as ServiceError {
        return ServiceResponse(error, to: request.id)
      } catch let error where !(error is CancellationError) {
        let known = error as? SearchError
        if known?.code == .cancelled { throw error }
        // The message of an error can name a file of the server.
        entry.message = (known?.message ?? "The service failed with \(type(of: error))").onOneLine
        return ServiceResponse(
          ToolError(.failed, "The service cannot answer now", id: request.id),
          status: known?.httpStatus ?? 500)
      }
    case .notification:
      try headers.checkRevision()
      return ServiceResponse(status: 202)
    case .response:
      if try headers.isStateless {
        throw ToolError(.invalidRequest, "The service sends no requests, so there is no response.")
      }
      return ServiceResponse(status: 202)
    }
  }
}

extension ServiceResponse {
  /// Creates the response with an error of the protocol.
  fileprivate init(_ error: ToolError, status: Int) {
    self.init(status: status, json: ToolMessage.response(to: nil, error: error))
  }

  /// Creates the response to a request that the service refuses, as an error of the protocol.
  fileprivate init(_ error: ServiceError, to id: ToolRequestID?) {
    self.init(ToolError(.refused, error.message.onOneLine, id: id), status: error.status)
    headers += error.headers
  }
}
