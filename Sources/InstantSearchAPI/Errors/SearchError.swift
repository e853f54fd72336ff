#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The error of a call that did not return a result.
///
/// Every public call of the package throws this one type. Branch on ``code``. Show or log
/// ``description``, which never contains a credential or a user token.
public struct SearchError: Error, Sendable, Hashable {
  /// The kind of a failure.
  ///
  /// It is a structure rather than an enumeration, so a new code does not break an exhaustive
  /// `switch`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Value: String, Sendable {
      case invalidRequest, unauthorized, indexNotFound, objectNotFound, rateLimited, server
      case unreachable, timedOut, decoding, cancelled, superseded, transport, storage
    }

    private let value: Value

    /// The request is invalid. The message says why, and for a filter at which column. Not
    /// retryable.
    public static let invalidRequest = Code(value: .invalidRequest)
    /// The application ID or the key was refused, or the key lacks a permission. Not retryable.
    public static let unauthorized = Code(value: .unauthorized)
    /// The index does not exist. Not retryable.
    public static let indexNotFound = Code(value: .indexNotFound)
    /// The record does not exist. Not retryable.
    public static let objectNotFound = Code(value: .objectNotFound)
    /// Too many requests were sent. Retry later.
    public static let rateLimited = Code(value: .rateLimited)
    /// The server failed (5xx, or a status that the contract does not define). Retryable.
    public static let server = Code(value: .server)
    /// No host responded; see ``SearchError/attempts`` for each host. Retryable.
    public static let unreachable = Code(value: .unreachable)
    /// The deadline passed first. Retryable.
    public static let timedOut = Code(value: .timedOut)
    /// The response, or some of its hits, could not be decoded; see ``SearchError/failures``.
    public static let decoding = Code(value: .decoding)
    /// The surrounding task was cancelled.
    public static let cancelled = Code(value: .cancelled)
    /// A newer search superseded this one, so its result is no longer needed.
    public static let superseded = Code(value: .superseded)
    /// A transport threw an error of another type; see ``SearchError/underlying``.
    public static let transport = Code(value: .transport)
    /// Stored data could not be written or read, or there is no space left for it.
    public static let storage = Code(value: .storage)

    /// The code's name, such as `indexNotFound`.
    public var description: String { value.rawValue }
  }

  /// The attempt of one host during a call that no host answered.
  public struct Attempt: Sendable, Hashable, CustomStringConvertible {
    /// The host, without credentials.
    public var host: String
    /// A readable description of the outcome.
    public var outcome: String

    /// Creates an attempt.
    public init(host: String, outcome: String) {
      self.host = host
      self.outcome = outcome
    }

    /// `host: outcome`
    public var description: String { "\(host): \(outcome)" }
  }

  /// The kind of failure.
  public var code: Code
  /// A readable message; for API errors the server's text.
  public var message: String
  /// The index of the request, if there is one.
  public var indexName: String?
  /// The failed request as method and path, without its body.
  public var request: String?
  /// The HTTP status, if there was a response.
  public var status: Int?
  /// The `Correlation-ID` of the response, to quote to the provider's support.
  public var correlationID: String?
  /// The hosts that were tried, in order, for ``Code-swift.struct/unreachable``.
  public var attempts: [Attempt]
  /// The hits that could not be decoded, for ``Code-swift.struct/decoding``.
  public var failures: [HitFailure]
  /// The underlying error as text. Errors of other libraries are neither `Hashable` nor free of
  /// secrets, so only their type is kept.
  public var underlying: String?

  /// Creates an error. Everything except the code and the message is absent by default.
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

  /// The status with which a server answers its own client if a search fails.
  ///
  /// It is 400 for an invalid request, 404 for a missing index or record, 429 if too many requests
  /// were sent, 499 if the client cancelled, 504 if the time passed, and 503 if no host answered or
  /// the disk refused a write. All other failures map to 502, because the caller cannot fix the
  /// server's own credentials and back end.
  public var httpStatus: Int {
    switch code {
    case .invalidRequest: 400
    case .indexNotFound, .objectNotFound: 404
    case .rateLimited: 429
    case .cancelled, .superseded: 499
    case .timedOut: 504
    case .unreachable, .storage: 503
    default: 502
    }
  }

  /// Whether the same call may succeed if it is made again.
  public var isRetryable: Bool {
    switch code {
    case .rateLimited, .server, .unreachable, .timedOut, .transport: true
    default: false
    }
  }
}

extension SearchError {
  /// Returns the error with a change to every text that came from another program or may quote one.
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
  /// One line with the code, the message and the context, safe to log: line breaks and other
  /// control characters of the texts are spaces.
  ///
  /// Hits that failed for the same reason share one entry; see ``failures`` for each of them.
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
    return text.onOneLine
  }
}

extension String {
  /// The start of a text, for messages about texts that may be long.
  package func excerpt(_ length: Int = 200) -> String {
    if utf8.count <= length { return self }
    let scalars = unicodeScalars.prefix(length)
    return scalars.endIndex == endIndex ? self : String(scalars) + "…"
  }

  /// The text with a space for each run of control characters and line breaks, so that it cannot
  /// look like more than one line of a log.
  package var onOneLine: String {
    // Most texts are ASCII, whose properties need no table.
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
    func isControl(_ scalar: Unicode.Scalar) -> Bool {
      [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }
    guard unicodeScalars.contains(where: isControl) else { return self }
    return unicodeScalars.split(whereSeparator: isControl).map(String.init).joined(separator: " ")
  }
}

extension SearchError {
  /// The error of a call whose deadline passed first.
  package static var deadlinePassed: SearchError {
    SearchError(.timedOut, "The deadline passed before a response arrived.")
  }
}

/// A hit that did not match the requested type, or a record that was not saved. The others are
/// delivered, or saved.
public struct HitFailure: Sendable, Hashable {
  /// The hit's rank in the whole result list, counted from 1 as in ``SearchMetadata/position``, or
  /// the record's position in the call, from 1; `nil` if it is unknown.
  public var position: Int?
  /// The record's ID, if it could be read.
  public var objectID: String?
  /// The location in the record, one step per key or index; empty for the record itself.
  public var codingPath: [String]
  /// The reason of the failure. A position in the text of a service counts from 0, and in the batch
  /// that had the record.
  public var reason: String

  /// Creates a failure.
  public init(position: Int?, objectID: String?, codingPath: [String], reason: String) {
    self.position = position
    self.objectID = objectID
    self.codingPath = codingPath
    self.reason = reason
  }
}

extension HitFailure: CustomStringConvertible {
  /// `record 3 (objectID 42) at cast.0: …`, or `a record` if the rank is unknown.
  public var description: String {
    var text = position.map { "record \($0)" } ?? "a record"
    if let objectID { text += " (objectID \(objectID))" }
    if !codingPath.isEmpty { text += " at " + codingPath.joined(separator: ".") }
    return text + ": " + reason
  }
}

extension HitFailure {
  /// The location and reason that hits can share.
  fileprivate struct Cause: Hashable {
    let codingPath: [String]
    let reason: String
  }

  fileprivate var cause: Cause { Cause(codingPath: codingPath, reason: reason) }
}

extension [HitFailure] {
  /// The maximum number of entries in a summary, and of positions in an entry.
  private static var summaryLimits: (entries: Int, positions: Int) { (5, 3) }

  /// The failures in readable text. Failures with the same location and reason share an entry:
  /// `20 records (1, 2, 3, …) at year: …`. After five entries, one more entry counts the others.
  var summary: [String] {
    var causes: [HitFailure.Cause] = []
    var groups: [HitFailure.Cause: [HitFailure]] = [:]
    for failure in self {
      if groups[failure.cause] == nil { causes.append(failure.cause) }
      groups[failure.cause, default: []].append(failure)
    }
    let limits = Self.summaryLimits
    var entries = causes.prefix(limits.entries).compactMap { groups[$0]?.entry(limits.positions) }
    let left = causes.dropFirst(limits.entries).reduce(0) { $0 + (groups[$1]?.count ?? 0) }
    if left > 0 { entries.append("\(left) more \(left == 1 ? "record" : "records")") }
    return entries
  }

  /// Describes failures with the same location and reason.
  private func entry(_ limit: Int) -> String? {
    guard let first else { return nil }
    if count == 1 { return first.description }
    var positions = compactMap(\.position).prefix(limit).map(String.init)
    if !positions.isEmpty, positions.count < count { positions.append("…") }
    let list = positions.isEmpty ? "" : " (\(positions.joined(separator: ", ")))"
    let location = first.codingPath.isEmpty ? "" : " at " + first.codingPath.joined(separator: ".")
    return "\(count) records\(list)\(location): \(first.reason)"
  }
}

extension HitFailure: Codable {
  /// Reads a saved failure.
  public init(from decoder: any Decoder) throws {
    guard let failure = HitFailure(try JSON(from: decoder)) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "expected a hit's failure with codingPath and reason"))
    }
    self = failure
  }

  /// Writes the failure as an object.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  /// Reads a failure; `nil` without a coding path or a reason.
  init?(_ json: JSON) {
    guard let codingPath = json["codingPath"]?.stringsValue,
      let reason = json["reason"]?.stringValue
    else { return nil }
    self.init(
      position: json["position"]?.intValue, objectID: json["objectID"]?.stringValue,
      codingPath: codingPath, reason: reason)
  }

  /// The failure as an object.
  var json: JSON {
    var members: [String: JSON] = [
      "codingPath": .array(codingPath.map(JSON.string)), "reason": .string(reason),
    ]
    members.set("position", position)
    if let objectID { members["objectID"] = .string(objectID) }
    return .object(members)
  }
}

extension SearchError: LocalizedError {
  /// The text of ``description``, which `localizedDescription` also returns. Safe to log.
  public var errorDescription: String? { description }

  /// The ``message`` alone.
  public var failureReason: String? { message }

  /// A suggestion for the user; `nil` if there is no general remedy.
  public var recoverySuggestion: String? {
    switch code {
    case .unreachable where connectionProblem != nil: connectionProblem?.suggestion
    case .unauthorized: "Check the application ID, the API key and the key's permissions."
    case .indexNotFound: "Check the name of the index, or save a record in it first."
    case .rateLimited: "Wait a moment before the next call, or make fewer calls."
    case .server, .unreachable, .timedOut, .transport: "Make the same call again later."
    case .storage: "Check that the disk has free space and that the folder is writable."
    case .decoding where !failures.isEmpty:
      "Compare the record type with the records; a property that may be absent must be optional."
    default: nil
    }
  }
}

extension SearchError {
  /// The common cause of the attempts, if it may be a setting of the transport.
  private var connectionProblem: ConnectionProblem? {
    ConnectionProblem.allCases.first { problem in
      !attempts.isEmpty && attempts.allSatisfy { $0.outcome.hasPrefix(problem.rawValue) }
    }
  }
}

/// The reason why a host could not be reached, with which the outcome of an attempt begins.
package enum ConnectionProblem: String, CaseIterable {
  case hostNotFound = "host not found"
  case couldNotConnect = "could not connect"
  case noSecureConnection = "no secure connection"
  case notHTTP = "the response was not HTTP"
  case refusedByProxy = "the proxy refused the connection"
  case noDescriptor = "no free file descriptor"

  /// The setting to check.
  fileprivate var suggestion: String {
    switch self {
    case .hostNotFound:
      """
      Check the application ID or the names of the hosts, which are without scheme and port, and the \
      connection to the network.
      """
    case .couldNotConnect:
      "Check that the server runs and listens on that port, and the connection to the network."
    case .noSecureConnection:
      """
      Check the scheme and the port of the hosts: a server without TLS needs the scheme http. Check the \
      server's certificate and the clock of this machine, too.
      """
    case .notHTTP:
      "Check the scheme and the port of the hosts: a server with TLS needs the scheme https."
    case .noDescriptor:
      "Raise the limit of open files of this process, or make fewer calls at once."
    case .refusedByProxy:
      "Check the proxy of the environment or of the configuration, its user and password."
    }
  }
}
