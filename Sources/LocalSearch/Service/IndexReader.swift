/// Answers the calls that read, from the state that indices had at one moment.
///
/// The engine makes one of all indices for each call. The answer of a search carries one of the
/// indices that were searched, its snapshot: it holds these and nothing else of the engine. A
/// request that brings it back is answered by it.
package struct IndexReader: Sendable {
  let configuration: LocalSearch.Configuration
  /// The browsing that is under way.
  let browsing: BrowseSessions
  let snapshots: [String: Snapshot]
  /// The engine whose indices these are.
  private let identity: EngineIdentity
  private let isSnapshot: Bool

  /// Creates a reader of the indices as they are now.
  init(_ engine: LocalSearch) {
    configuration = engine.configuration
    browsing = engine.browsing
    snapshots = engine.indexStore.snapshots
    identity = engine.identity
    isSnapshot = false
  }

  private init(of snapshots: [String: Snapshot], in reader: IndexReader) {
    configuration = reader.configuration
    // What is browsed in a snapshot is forgotten with it.
    browsing = BrowseSessions()
    self.snapshots = snapshots
    identity = reader.identity
    isSnapshot = true
  }

  /// Whether these are indices of that engine.
  func belongs(to engine: LocalSearch) -> Bool { identity === engine.identity }

  /// What the answer to a search in these indices has as its snapshot.
  func snapshot(ofIndices names: some Sequence<String>) -> IndexReader {
    if isSnapshot { return self }
    var snapshots: [String: Snapshot] = [:]
    for name in names { snapshots[name] = self.snapshots[name] }
    return IndexReader(of: snapshots, in: self)
  }

  /// The state of an index; throws when there is no such index.
  func snapshot(of name: String) throws(APIError) -> Snapshot {
    if let snapshot = snapshots[name] { return snapshot }
    if !isSnapshot { throw APIError.indexNotFound(name) }
    throw APIError("Index \(name) is not in \(self)")
  }

  /// What it keeps in memory; an index shares the same objects as long as it has not changed them.
  package var parts: [AnyObject] {
    snapshots.values.flatMap { $0.segments.map(\.segment) }
  }

  /// Answers a call; writes are refused.
  func answer(
    _ request: TransportRequest, _ checkpoint: Checkpoint
  ) throws -> TransportResponse {
    switch request.endpoint {
    case .multiQuery: try answerQueries(request, checkpoint)
    case .search(let index): try answerQuery(request, index, checkpoint)
    case .facetValues(let index, let facet):
      try answerFacetQuery(request, index, facet, checkpoint)
    case .browse(let index): try answerBrowse(request, index, checkpoint)
    case .getObjects: try answerObjects(request, checkpoint)
    case .getObject(let index, let objectID): try answerObject(request, index, objectID, checkpoint)
    case .listIndices: try answerList(checkpoint)
    case .settings(let index): try answerSettings(index, checkpoint)
    case .task(_, let taskID): try answerTask(taskID)
    case .places: try answerPlaces(request, checkpoint)
    case .reversePlaces: try answerPlacesAround(request, checkpoint)
    case .place(let objectID):
      try answerObject(request, configuration.placesIndexName, objectID, checkpoint)
    default:
      throw request.endpoint.callType == .write
        ? APIError("Cannot write to \(self); write to the engine itself")
        : APIError(noCall: request)
    }
  }
}

/// Distinguishes an engine from others, for as long as anything of it is kept.
final class EngineIdentity: Sendable {}

extension IndexReader: CustomStringConvertible, CustomReflectable {
  /// The names of the indices; a reader may hold millions of records.
  package var description: String {
    "a snapshot of " + snapshots.keys.sorted().joined(separator: ", ")
  }

  /// A mirror of what the description shows.
  package var customMirror: Mirror {
    Mirror(self, children: ["indices": snapshots.keys.sorted()], displayStyle: .struct)
  }
}
