/// Why a call did not end in a result.
///
/// Every public call of the package throws this one type. Branch on ``code``; show or log
/// ``description``, which never contains a credential or a user token.
public struct SearchError: Error, Sendable, Hashable {
  /// What kind of failure it is.
  ///
  /// A struct, not an enum: a code added later breaks no `switch` of yours.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Value: String, Sendable {
      case invalidRequest, unauthorized, indexNotFound, objectNotFound, rateLimited, server
      case unreachable, timedOut, decoding, cancelled, superseded, transport, storage
    }

    private let value: Value

    /// The request is wrong; the message says what, and for a filter at which column. Not
    /// retryable.
    public static let invalidRequest = Code(value: .invalidRequest)
    /// The application ID or the key was refused, or the key may not do this. Not retryable.
    public static let unauthorized = Code(value: .unauthorized)
    /// There is no such index. Not retryable.
    public static let indexNotFound = Code(value: .indexNotFound)
    /// There is no such record. Not retryable.
    public static let objectNotFound = Code(value: .objectNotFound)
    /// Too many requests; retry later.
    public static let rateLimited = Code(value: .rateLimited)
    /// The server failed (5xx, or a status the contract does not know); retryable.
    public static let server = Code(value: .server)
    /// No host gave an answer; ``SearchError/attempts`` tells what each one did. Retryable.
    public static let unreachable = Code(value: .unreachable)
    /// The deadline passed first; retryable.
    public static let timedOut = Code(value: .timedOut)
    /// The answer, or some hits of it, could not be decoded; see ``SearchError/failures``.
    public static let decoding = Code(value: .decoding)
    /// The surrounding task was cancelled.
    public static let cancelled = Code(value: .cancelled)
    /// A newer search took the place of this one, so its answer is not wanted any more.
    public static let superseded = Code(value: .superseded)
    /// A transport threw an error of its own; see ``SearchError/underlying``.
    public static let transport = Code(value: .transport)
    /// What was to be kept could not be written or read, or there is no room for it.
    public static let storage = Code(value: .storage)

    /// The code's name, such as `indexNotFound`.
    public var description: String { value.rawValue }
  }

  /// What one host did during a call that no host answered.
  public struct Attempt: Sendable, Hashable, CustomStringConvertible {
    /// The host, without credentials.
    public var host: String
    /// What happened, in words.
    public var outcome: String

    /// Creates an attempt.
    public init(host: String, outcome: String) {
      self.host = host
      self.outcome = outcome
    }

    /// `host: outcome`
    public var description: String { "\(host): \(outcome)" }
  }

  /// What kind of failure it is.
  public var code: Code
  /// What went wrong, in words; for API errors the server's text.
  public var message: String
  /// The index that was asked, where there is one.
  public var indexName: String?
  /// The request that failed, as method and path, without its body.
  public var request: String?
  /// The HTTP status, when there was an answer.
  public var status: Int?
  /// The answer's `Correlation-ID`, to be quoted to the provider's support.
  public var correlationID: String?
  /// The hosts that were tried, in order, for ``Code-swift.struct/unreachable``.
  public var attempts: [Attempt]
  /// The hits that could not be decoded, for ``Code-swift.struct/decoding``.
  public var failures: [HitFailure]
  /// The error beneath this one, as text; errors of other libraries are neither `Hashable` nor
  /// free of secrets, so their type and code are kept, not their contents.
  public var underlying: String?

  /// Creates an error; everything but the code and the message is absent by default.
  public init(
    _ code: Code,
    _ message: String,
    indexName: String? = nil,
    request: String? = nil,
    status: Int? = nil,
    correlationID: String? = nil,
    attempts: [Attempt] = [],
    failures: [HitFailure] = [],
    underlying: String? = nil
  ) {
    self.code = code
    self.message = message
    self.indexName = indexName
    self.request = request
    self.status = status
    self.correlationID = correlationID
    self.attempts = attempts
    self.failures = failures
    self.underlying = underlying
  }

  /// Whether the same call may succeed when it is made again.
  public var isRetryable: Bool {
    switch code {
    case .rateLimited, .server, .unreachable, .timedOut, .transport: true
    default: false
    }
  }
}

extension SearchError {
  /// The error with every text that others wrote, or that they may have quoted, changed.
  package func mappingTexts(_ change: (String) -> String) -> SearchError {
    var error = self
    error.message = change(message)
    error.underlying = underlying.map(change)
    error.request = request.map(change)
    error.correlationID = correlationID.map(change)
    error.attempts = attempts.map { attempt in
      Attempt(host: change(attempt.host), outcome: change(attempt.outcome))
    }
    return error
  }
}

extension SearchError: CustomStringConvertible {
  /// One line with the code, the message and the context; safe to log.
  ///
  /// Hits that failed for the same reason are one entry of it; see ``failures`` for each of them.
  public var description: String {
    var text = "\(code): \(message)"
    var context: [String] = []
    if let status { context.append("status \(status)") }
    if let indexName { context.append("index \(indexName)") }
    if let request { context.append(request) }
    if let correlationID { context.append("correlation \(correlationID)") }
    if let underlying, failures.allSatisfy({ $0.reason != underlying }) {
      context.append(underlying)
    }
    if !context.isEmpty { text += " (" + context.joined(separator: ", ") + ")" }
    for attempt in attempts { text += "; \(attempt)" }
    for line in failures.summary { text += "; \(line)" }
    return text
  }
}
