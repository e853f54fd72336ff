import InstantSearchJSON

/// An error response of the engine: a status and `{"message": …, "status": …}`.
package struct APIError: Error, Sendable, Hashable {
  /// The HTTP status, such as 400 or 404.
  package var status: Int
  /// The description of the error.
  package var message: String
  /// The position of the refused request in its batch, if there is one.
  package var position: Int?
  /// The ID of the refused record, if it is known.
  package var objectID: String?

  /// Creates an error, with status 400 (a bad request) by default.
  ///
  /// Messages quote what they reject. A long message is shortened.
  package init(status: Int = 400, _ message: String) {
    self.status = status
    self.message = message.excerpt(Self.maximumLength)
  }

  /// The maximum length of a message, in characters.
  private static let maximumLength = 2000

  /// The error for an index that does not exist.
  package static func indexNotFound(_ name: String) -> APIError {
    APIError(status: 404, "Index \(name) does not exist")
  }

  /// The error for a parameter value that the contract does not allow.
  package static func invalidValue(
    of parameter: String, expected: String, got value: String
  ) -> APIError {
    APIError("Invalid value for \"\(parameter)\" parameter, expected \(expected), got \(value)")
  }

  /// Returns the error with a location before its message, as in `record 3: …`.
  ///
  /// - Parameter location: The location of the error, or `nil` if only one is possible.
  package func at(location: String?) -> APIError {
    location.map { APIError(status: status, "\($0): \(message)") } ?? self
  }

  /// Returns the error with the position of its request in a batch, unless it has one.
  package func at(position: Int, objectID: String?) -> APIError {
    if self.position != nil { return self }
    var error = at(location: "request \(position)")
    error.position = position
    error.objectID = objectID
    return error
  }
}

extension APIError {
  /// Creates the error for a call that the engine does not have.
  ///
  /// The status is 402, for a missing feature, if the API has the call, and 405 if it has other
  /// methods at the path. Otherwise it is 400, not 404, because a wrong path is a mistake and not a
  /// missing record.
  init(noCall request: TransportRequest) {
    let path = request.pathComponents
    let shownPath = request.endpoint.redactedPath
    guard case .custom = request.endpoint else {
      self.init(
        status: 402, "LocalSearch does not answer \(request.method.rawValue) \(shownPath)")
      return
    }
    let methods = Endpoint.methods(at: path)
    if !methods.isEmpty, !methods.contains(request.method) {
      self.init(status: 405, "Method \(request.method.rawValue) not allowed for \(shownPath)")
      return
    }
    switch Endpoint.invalidName(in: path) {
    case .indexName(let name): self.init("Invalid index name \"\(name)\"")
    case .other: self.init("Invalid request: an objectID or a facet name is empty")
    case nil: self.init("Unknown path \(shownPath)")
    }
  }
}

extension SearchError {
  /// Creates the public error for an error inside the engine.
  init(engine error: any Error, indexName: String?) {
    switch error {
    case let error as SearchError:
      self = error
      self.indexName = error.indexName ?? indexName
    case is CancellationError:
      self.init(.cancelled, "The task was cancelled.", indexName: indexName)
    case let error as APIError:
      let isMissingIndex = indexName.map { error == .indexNotFound($0) } ?? false
      let code: Code =
        error.status == 404 ? (isMissingIndex ? .indexNotFound : .objectNotFound) : .invalidRequest
      self.init(code, error.message, indexName: indexName, status: error.status)
    case let error as JSONError:
      self.init(.invalidRequest, "\(error)", indexName: indexName)
    default:
      self.init(.invalidRequest, String(describing: error), indexName: indexName)
    }
  }
}
