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
  ///   - onWrite: Called before the destination is sent.
  /// - Returns: The destination as it is now, and the collections that it had.
  /// - Throws: ``IndexDirectory/Conflict`` if another program has changed the source, or the
  ///   destination in a way that matters.
  func move(
    _ source: IndexDescription, to target: IndexDescription, seen version: String?,
    onWrite: () -> Void
  ) async throws -> (moved: IndexDescription, old: [String]) {
    _ = try target.document()
    return try await directory.locking([source.name, target.name], in: cluster) { locked in
      guard locked[source.name]?.version == source.version else {
        throw IndexDirectory.Conflict(name: source.name)
      }
      let old = locked[target.name]
      if let old, old.version != version {
        // Two moves into each other would change both indices without end otherwise.
        guard old.primary == nil, old.takenFrom == nil, old.movingTo == nil,
          old.settings.replicaNames == target.settings.replicaNames
        else { throw IndexDirectory.Conflict(name: target.name) }
      }
      var moving = source
      moving.movingTo = target.name
      _ = try await locked.write(moving)
      return (try await locked.write(target, onWrite: onWrite), old?.collections ?? [])
    }
  }

  /// Returns an index as it is now, after a move that ended half way.
  ///
  /// - Throws: `APIError` with status 409 for an index that has moved just now: what is asked for
  ///   may not be meant for a new index.
  func settled(_ name: String) async throws -> IndexDescription? {
    guard var description = try await directory.current(name, in: cluster) else { return nil }
    if let source = description.takenFrom {
      _ = try await endMove(of: source, to: name)
      description.takenFrom = nil
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
    guard let source = try await removeSource(name, of: destination) else { return false }
    let (dialect, propagation) = (dialect, propagation)
    await cluster.finish(waiting: propagation) { cluster in
      try await cluster.sleep(for: propagation)
      try await cluster.deleteCollection(source.collection, dialect)
    }
    return true
  }

  /// Removes an index from which a move took the records, and returns it. Otherwise withdraws the
  /// move.
  func removeSource(
    _ name: String, of destination: String
  ) async throws -> IndexDescription? {
    var removed: IndexDescription?
    for attempt in 0..<Self.maximumAttemptCount {
      try await pause(before: attempt)
      // It can be gone although the attempt failed.
      guard try await directory.current(name, in: cluster)?.movingTo == destination else {
        return removed
      }
      do {
        try await directory.locking([name, destination], in: cluster) { locked in
          guard var source = locked[name], source.movingTo == destination else { return }
          if let target = locked[destination], target.takenFrom == name,
            target.collection == source.next?.collection
          {
            removed = source
            try await locked.remove(source)
          } else {
            source.movingTo = nil
            _ = try await locked.write(source)
          }
        }
        return removed
      } catch is IndexDirectory.Conflict {}
    }
    throw IndexDirectory.Conflict(name: name)
  }
}
