// A program imports the product and finds the types of the search API.
@_exported public import InstantSearchAPI
@_exported public import InstantSearchHTTP
import InstantSearchJSON
import LocalSearch

/// Sends calls to the nodes of a Typesense cluster.
///
/// Use it where records must survive a machine, or where one machine does not answer enough
/// searches. Every node holds all records in memory, so a cluster gives availability and reads, not
/// room for more data than one machine has.
///
/// ```swift
/// let client = SearchClient(
///   transport: TypesenseTransport(
///     nodes: ["search-1", "search-2", "search-3"].map { SearchHost("\($0).example.com") },
///     apiKey: key))
/// ```
///
/// The same programs run on it as on every other transport: searches, facets, filters, browsing,
/// records, settings and replicas. <doc:OnATypesenseCluster> has what differs. A call that the
/// cluster cannot answer as the contract describes is an error that says what to do instead.
///
/// Indices are the transport's own: it derives the fields of a collection from the settings of the
/// index, and keeps the settings on the cluster, in the collection
/// ``Configuration/directory``. It does not read collections of other programs.
///
/// A call tries the nodes in turn, the nearest first if there is one. A node that fails is left out
/// for a minute. A read is tried once more than there are nodes. A write goes on until its
/// deadline, because while the cluster elects a leader every node refuses writes.
///
/// Descriptions, mirrors and errors never contain the API key. Creating a transport cannot fail:
/// for an empty key or an invalid ``Configuration``, every call throws `invalidRequest`, and sends
/// nothing.
public final class TypesenseTransport: SearchTransport {
  /// Calls end in time.
  public var isPrompt: Bool { true }

  private let configuration: Configuration
  private let caller: NodeCaller
  private let commonHeaders: HeaderFields
  private let configurationError: SearchError?
  private let directory: IndexDirectory
  private let apiKey: Lock<HiddenKey>
  private let lastTaskID = Lock<Int64>(0)
  private let knownDialect = Lock<Dialect?>(nil)

  /// Creates a transport. It sends nothing.
  ///
  /// - Parameters:
  ///   - nodes: The nodes of the cluster, without the nearest one if the configuration has it.
  ///   - apiKey: A key of the cluster. Searches need the action `documents:search`; writes and
  ///     settings need an admin key.
  ///   - configuration: Timeouts, the nearest node, and the HTTP library.
  public init(
    nodes: [SearchHost], apiKey: String, configuration: Configuration = Configuration()
  ) {
    var generator = configuration.randomNumberGenerator
    self.configuration = configuration
    let states = NodeStates(
      nodes.shuffled(using: &generator), nearest: configuration.nearestNode,
      interval: configuration.healthCheckInterval)
    let calls = configuration.calls(to: states.nodes)
    caller = NodeCaller(calls, states, pause: configuration.retryInterval)
    commonHeaders = configuration.commonHeaders
    configurationError = configuration.validationError(calls)
    directory = IndexDirectory(
      collection: configuration.directory, makeVersion: configuration.makeName)
    self.apiKey = Lock(HiddenKey(apiKey))
  }

  /// Replaces the API key for calls that begin later.
  public func replaceAPIKey(with apiKey: String) {
    let newKey = HiddenKey(apiKey)
    self.apiKey.withLock { $0 = newKey }
    // A node tells its version to some keys only.
    knownDialect.withLock { $0 = nil }
  }

  /// Reports what becomes of settings, without a call.
  ///
  /// Only settings with another value than the default are reported.
  public static func report(for settings: IndexSettings) -> SettingsReport {
    SettingsReport(settings)
  }

  /// Sends a call to the cluster; see ``TypesenseTransport``.
  ///
  /// - Throws: `CancellationError`, or a `SearchError`: `invalidRequest` before anything is sent,
  ///   `unreachable` or `timedOut` with the attempts of the last request, or the `SearchError` an
  ///   exchange threw.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try request.checkNotCancelledOrExpired()
    if let configurationError { throw configurationError }
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await send(request, flag)
    } onCancel: {
      flag.set()
    }
  }

  private func send(
    _ request: TransportRequest, _ flag: CancellationFlag
  ) async throws -> TransportResponse {
    do {
      let call = try await call(request, flag)
      return try await call.retrying { try await call.response() }
    } catch let error as APIError {
      return TransportResponse(error: error)
    } catch let error as ServerError {
      return TransportResponse(error: error.apiError)
    } catch let error as JSONError {
      throw SearchError(.server, "A document of the cluster is no record: \(error.message)")
    }
  }

  private func call(
    _ request: TransportRequest, _ flag: CancellationFlag
  ) async throws -> Call {
    let apiKey = apiKey.withLock { $0 }
    guard !apiKey.isEmpty else {
      throw SearchError(.invalidRequest, "The API key is empty. Pass a key of the cluster.")
    }
    var headers = commonHeaders
    headers.set(Cluster.keyHeader, to: apiKey.plainText)
    headers.merge(request.headers)
    let deadline =
      request.deadline
      ?? Deadline(after: configuration.callTimeout ?? .seconds(120), clock: configuration.clock)
    var cluster = Cluster(
      caller: caller, clock: configuration.clock, headers: headers, deadline: deadline,
      attemptTimeout: request.attemptTimeout)
    let dialect = try await dialect(cluster)
    // What a call writes depends on what it reads.
    if request.callType == .write || configuration.readsOwnWrites {
      cluster.readLeader = KnownLeader()
      cluster.isWrite = request.callType == .write
    }
    return Call(
      request: request, cluster: cluster,
      directory: directory, flag: flag, now: configuration.now,
      makeName: configuration.makeName,
      nextTaskID: { [self] in nextTaskID() },
      readTimeout: configuration.readTimeout, propagation: configuration.propagation,
      onRebuild: configuration.onRebuild,
      dialect: dialect)
  }

  /// What the version of the servers determines, which is asked for once.
  private func dialect(_ cluster: Cluster) async throws -> Dialect {
    if let version = configuration.serverVersion { return Dialect(majorVersion: version) }
    if let dialect = knownDialect.withLock({ $0 }) { return dialect }
    let dialect = Dialect(majorVersion: try await cluster.majorVersion())
    knownDialect.withLock { $0 = dialect }
    return dialect
  }

  private func nextTaskID() -> Int64 {
    let time = configuration.now()
    return lastTaskID.withLock {
      $0 = max($0 + 1, time)
      return $0
    }
  }
}

extension TypesenseTransport: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The nodes, without the key.
  public var description: String { "TypesenseTransport(nodes: \(caller.nodes.listed))" }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The nodes, without the key.
  public var customMirror: Mirror {
    Mirror(self, children: ["nodes": caller.nodes.listed], displayStyle: .class)
  }
}
