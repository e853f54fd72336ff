import InstantSearchJSON

extension String {
  /// The beginning of a text that may be long, for messages.
  func excerpt(_ length: Int = 200) -> String {
    if utf8.count <= length { return self }
    let scalars = unicodeScalars.prefix(length)
    return scalars.endIndex == endIndex ? self : String(scalars) + "…"
  }
}

/// A refusal, answered as a status and `{"message": …, "status": …}`.
struct APIError: Error, Sendable, Hashable {
  /// The HTTP status, such as 400 or 404.
  var status: Int
  /// What is wrong, in words.
  var message: String

  /// Creates a refusal; 400, a bad request, by default.
  ///
  /// A message quotes what it refuses; one that is too long to be read is cut.
  init(status: Int = 400, _ message: String) {
    self.status = status
    self.message = message.excerpt(Self.maximumLength)
  }

  /// How many characters a message has.
  private static let maximumLength = 2000

  /// The answer to a call that names an index that was never written to.
  static func indexNotFound(_ name: String) -> APIError {
    APIError(status: 404, "Index \(name) does not exist")
  }

  /// The answer to a parameter with a value that the contract does not allow.
  static func invalidValue(
    of parameter: String, expected: String, got value: String
  ) -> APIError {
    APIError("Invalid value for \"\(parameter)\" parameter, expected \(expected), got \(value)")
  }

  /// The same refusal with the place of the mistake in front, as in `record 3: …`.
  ///
  /// - Parameter place: Where the mistake is; `nil` when there is only one place.
  func at(_ place: String?) -> APIError {
    place.map { APIError(status: status, "\($0): \(message)") } ?? self
  }

  /// The body of the answer.
  var body: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("message")
    writer.string(message)
    writer.key("status")
    writer.int(status)
    writer.endObject()
    return writer.bytes
  }
}

extension APIError {
  /// The refusal of a call that the engine does not have.
  ///
  /// It is of status 405 when the API has other methods at the path, else 400: a wrong path is a
  /// mistake and no missing record.
  init(noCall request: TransportRequest) {
    let path = request.pathComponents
    let methods = Endpoint.methods(at: path)
    if !methods.isEmpty, !methods.contains(request.method) {
      self.init(status: 405, "Method \(request.method.rawValue) not allowed for \(request.path)")
      return
    }
    // A path that would be one of the API with a name in place of an empty text or an asterisk.
    for text in ["", "*"] where path.contains(text) {
      let named = path.map { $0 == text ? "-" : $0 }
      guard let method = Endpoint.methods(at: named).first else { continue }
      if Endpoint(method, named).indexName == "-" {
        self.init("Invalid index name \"\(text)\"")
      } else {
        self.init("Invalid request: an objectID or a facet name is empty")
      }
      return
    }
    self.init("Unknown path \(request.path)")
  }
}

extension SearchError {
  /// What a caller of the engine sees of an error inside it.
  init(engine error: any Error, indexName: String?) {
    switch error {
    case let error as SearchError:
      self = error
      self.indexName = error.indexName ?? indexName
    case is CancellationError: self.init(.cancelled, "the task was cancelled", indexName: indexName)
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
