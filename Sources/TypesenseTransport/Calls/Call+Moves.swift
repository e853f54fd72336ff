import InstantSearchAPI
import LocalSearch

// A move copies the records of an index into a new collection, into which programs write meanwhile,
// as if the index were getting another collection. Then, under the locks of both indices, the
// source says where it moves to, so that nothing more is written into it, and the destination gets
// the collection. At last the source is removed. A program can end in between: then every later
// change or write of either index first finishes the move, or withdraws it if the destination does
// not have the collection.
extension Call {
  /// Gives the collection that was filled for a move to the destination.
  ///
  /// - Parameters:
  ///   - target: The destination with the collection.
  ///   - version: The version of the destination when the move began, or `nil` if it did not exist.
  ///   - onWrite: Called with the collections that the destination had, before it is sent.
  /// - Returns: The destination as it is now.
  /// - Throws: ``IndexDirectory/Conflict`` if another program has changed the source, or the
  ///   destination in a way that matters.
  func move(
    _ source: IndexDescription, to target: IndexDescription, seen version: String?,
    onWrite: ([String]) -> Void
  ) async throws -> IndexDescription {
    _ = try target.document()
    return try await directory.locking([source.name, target.name], in: cluster) { locked in
      guard locked[source.name]?.version == source.version else {
        throw IndexDirectory.Conflict(names: [source.name])
      }
      let old = locked[target.name]
      if old?.version != version {
        // Two moves into each other would change both indices without end otherwise. Replicas can
        // have settings that the collection does not suit.
        let isFree = old.map { $0.primary == nil && $0.takenFrom == nil && $0.movingTo == nil }
        guard isFree ?? true, old?.settings.replicaNames.isEmpty ?? true,
          target.settings.replicaNames.isEmpty
        else { throw IndexDirectory.Conflict(names: [target.name]) }
      }
      var moving = source
      moving.movingTo = target.name
      _ = try await locked.write(moving)
      return try await locked.write(target) { onWrite(old?.collections ?? []) }
    }
  }

  /// Returns an index as it is now, after a move that ended half way.
  ///
  /// - Throws: `APIError` with status 409 for an index that has moved just now: what is asked for
  ///   may not be meant for a new index.
  func settled(_ name: String) async throws -> IndexDescription? {
    guard var description = try await directory.current(name, in: cluster) else { return nil }
    if let source = description.takenFrom {
      if try await !endMove(of: source, to: name), let collection = description.takenCollection {
        await deleteUnnamed([collection])
      }
      description.takenFrom = nil
      description.takenCollection = nil
    }
    guard let destination = description.movingTo else { return description }
    if try await endMove(of: name, to: destination) {
      throw APIError(
        status: 409, "The index \(name) has been moved to \(destination), and is no more; try again"
      )
    }
    return try await directory.current(name, in: cluster)
  }

  /// Ends a move that has begun: finishes it if the destination has the collection, otherwise
  /// withdraws it. Returns whether it is finished.
  func endMove(of name: String, to destination: String) async throws -> Bool {
    guard let source = try await directory.current(name, in: cluster),
      source.movingTo == destination, try await removeSource(name, of: destination)
    else { return false }
    await deleteUnnamed([source.collection])
    return true
  }

  /// Removes an index from which a move took the records. Otherwise withdraws the move.
  ///
  /// - Returns: Whether the index is gone.
  func removeSource(_ name: String, of destination: String) async throws -> Bool {
    // The index can be gone although the time of an attempt was over.
    try await retrying {
      try await directory.locking([name, destination], in: cluster) { locked in
        guard var source = locked[name] else { return true }
        guard source.movingTo == destination else { return false }
        if let target = locked[destination], target.takenFrom == name,
          target.collection == source.next?.collection
        {
          try await locked.remove(source)
          return true
        }
        source.movingTo = nil
        _ = try await locked.write(source)
        return false
      }
    }
  }
}
