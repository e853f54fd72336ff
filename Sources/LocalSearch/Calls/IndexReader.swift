/// The state of indices at one moment, on which calls that read are performed.
///
/// The engine creates a reader of all indices for each call. The response to a search has a reader
/// of the searched indices as its snapshot, which keeps these and nothing else of the engine. A
/// request with this snapshot is performed on that reader. See ``ReadCall``.
package struct IndexReader: Sendable {
  let configuration: EngineConfiguration
  /// The browse sessions.
  let browsing: BrowseSessions
  let snapshots: [String: IndexSnapshot]
  /// The dictionaries, which every index uses.
  let dictionaries: Dictionaries
  /// The number of the latest write.
  let lastTaskID: Int64
  /// The engine of the indices.
  private let identity: EngineIdentity
  private let isSnapshot: Bool

  /// Creates a reader of the current indices.
  ///
  /// - Parameters:
  ///   - state: The indices.
  ///   - browsing: The browse sessions of the engine.
  ///   - identity: The engine.
  init(_ state: EngineState, _ browsing: BrowseSessions, of identity: EngineIdentity) {
    configuration = state.configuration
    self.browsing = browsing
    (snapshots, dictionaries, lastTaskID) = state.indexStore.current
    self.identity = identity
    isSnapshot = false
  }

  private init(of snapshots: [String: IndexSnapshot], in reader: IndexReader) {
    configuration = reader.configuration
    // The browse sessions of a snapshot end with it.
    browsing = BrowseSessions()
    self.snapshots = snapshots
    dictionaries = reader.dictionaries
    lastTaskID = reader.lastTaskID
    identity = reader.identity
    isSnapshot = true
  }

  /// Whether these are indices of an engine.
  func belongs(to engine: EngineIdentity) -> Bool { identity === engine }

  /// Returns a reader of some of the indices, the snapshot of a response.
  func restricted(toIndices names: some Sequence<String>) -> IndexReader {
    if isSnapshot { return self }
    var snapshots: [String: IndexSnapshot] = [:]
    for name in names { snapshots[name] = self.snapshots[name] }
    return IndexReader(of: snapshots, in: self)
  }

  /// Returns the snapshot of an index, or throws if it does not exist.
  func snapshot(of name: String) throws(APIError) -> IndexSnapshot {
    if let snapshot = snapshots[name] {
      return snapshot.with(dictionaries, configuration.segmenter)
    }
    if !isSnapshot { throw APIError.indexNotFound(name) }
    throw APIError(
      "Index \(name) is not part of this snapshot. Send the request without a snapshot.")
  }

  /// The objects that the reader keeps in memory. An index shares them until it changes them.
  package var parts: [AnyObject] {
    snapshots.values.flatMap { $0.segments.map(\.segment) }
  }
}

/// The identity of an engine, as long as any part of it exists.
final class EngineIdentity: Sendable {}

extension IndexReader: CustomStringConvertible, CustomReflectable {
  /// The names of the indices, without their records.
  package var description: String {
    "a snapshot of " + snapshots.keys.sorted().joined(separator: ", ")
  }

  /// A mirror with the names of the indices.
  package var customMirror: Mirror {
    Mirror(self, children: ["indices": snapshots.keys.sorted()], displayStyle: .struct)
  }
}
