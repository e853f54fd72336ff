import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

/// One call of the contract: its request, and the cluster that answers it.
struct Call: Sendable {
  let request: TransportRequest
  var cluster: Cluster
  let directory: IndexDirectory
  /// Tells the work between two requests that the call was cancelled.
  var flag: CancellationFlag
  /// Returns the number of milliseconds since 1970.
  let now: @Sendable () -> Int64
  /// Returns a name that nothing has yet.
  let makeName: @Sendable () -> String
  /// Returns the number of a write.
  let nextTaskID: @Sendable () -> Int64
  /// The timeout of one node for a read.
  let readTimeout: Duration
  /// How long a write may be unseen by some nodes.
  let propagation: Duration
  let onRebuild: (@Sendable (RebuildProgress) -> Void)?
  /// What the version of the servers determines.
  let dialect: Dialect

  /// How often a call begins again because an index has changed meanwhile.
  static let maximumAttemptCount = 20

  /// A new check of the work between two requests.
  var check: CancellationCheck { CancellationCheck(flag: flag, deadline: cluster.deadline) }

  /// The same call, whose requests another cluster makes.
  func on(_ cluster: Cluster) -> Call {
    var call = self
    call.cluster = cluster
    return call
  }

  /// Waits before the call begins again, the second time and later.
  ///
  /// - Parameter attempt: The number of attempts so far.
  func pause(before attempt: Int) async throws {
    if attempt < 2 { return }
    try await cluster.sleep(for: .milliseconds(100))
  }

  /// Makes a change, and makes it again if another program changes the same index meanwhile.
  func retrying<Value>(_ change: () async throws -> Value) async throws -> Value {
    var names: Set<String> = []
    for attempt in 0..<Self.maximumAttemptCount {
      try await pause(before: attempt)
      do {
        return try await change()
      } catch let conflict as IndexDirectory.Conflict {
        names = conflict.names
      }
    }
    if let error = await goneCollection(of: names) { throw error }
    throw APIError(
      status: 409, "Other programs kept changing the index during the call; try again")
  }

  /// Waits until every node shows what was written.
  func waitForNodes() async throws { try await cluster.sleep(for: propagation) }

  /// Rejects a call that would have to leave its work half done.
  func requireTimeForReplacing() throws(SearchError) {
    guard cluster.deadline.remaining > propagation * 3 else {
      throw SearchError(
        .timedOut,
        "Replacing a collection takes more than \(propagation * 3); set a later deadline.")
    }
  }

  /// The error of a call during which an index did not stay the same.
  static let changing = APIError(
    status: 503, "The settings of the index kept changing during the call; try again")

  /// The error of a call during which indices did not stay the same, or of which one has no
  /// collection.
  func changingOrGone(_ names: Set<String>) async -> APIError {
    await goneCollection(of: names) ?? Self.changing
  }

  /// The error of a call about an index whose collection is gone, if there is one. Not every key
  /// may list the collections.
  private func goneCollection(of names: Set<String>) async -> APIError? {
    guard let descriptions = try? await directory.currentDescriptions(of: names, in: cluster),
      let collections = try? await cluster.collections(),
      let gone = descriptions.values.first(where: {
        !$0.collection.isEmpty && collections[$0.collection] == nil
      })
    else { return nil }
    return APIError(
      status: 503,
      "The collection of the index \(gone.name) is gone from the cluster; clear the index, and"
        + " write its records again")
  }

  /// Parses the body.
  func body() throws -> RequestBody { try RequestBody(request.body, check) }

  /// Answers the call.
  func response() async throws -> TransportResponse {
    switch request.endpoint {
    case .search(let index):
      let query = try RequestBody.query(in: body().root, check)
      return TransportResponse(
        json: try await answers([.hits(query, indexName: index)])[0])
    case .multiQuery: return try await answerQueries()
    case .facetValues(let index, let facet):
      let query = Query.facet(try body().root, facet: facet, indexName: index)
      return TransportResponse(json: try await answers([query])[0])
    case .browse(let index): return try await answerBrowse(index)
    case .getObject(let index, let objectID): return try await answerObject(index, objectID)
    case .getObjects: return try await answerObjects()
    case .settings(let index): return try await answerSettings(index)
    case .listIndices: return try await answerList()
    case .task, .appTask:
      return TransportResponse {
        $0.key("status")
        $0.string("published")
        $0.key("pendingTask")
        $0.bool(false)
      }
    case .saveObject, .replaceObject, .partialUpdate, .deleteObject, .batch, .multiBatch, .deleteBy,
      .clear:
      return try await answerWrite()
    case .synonyms(let index, let call): return try await answerEntries(call, .synonyms, index)
    case .rules(let index, let call): return try await answerEntries(call, .rules, index)
    case .deleteIndex(let index): return try await answerDeletion(index)
    case .setSettings(let index): return try await answerNewSettings(index)
    case .operation(let index): return try await answerOperation(index)
    default:
      throw APIError(
        status: 402, "This cluster does not answer \(request.endpoint.route)")
    }
  }
}
