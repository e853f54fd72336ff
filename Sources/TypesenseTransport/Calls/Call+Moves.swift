import InstantSearchAPI
import LocalSearch

// A move gives the collection of one index to another, while it has the locks of both. The source
// says where it moves to, so that nothing is written into it; then the destination has the
// collection; then the source is removed. A program can end in between: then every later change or
// write of either index first finishes the move, or withdraws it if the destination does not have
// the collection.
extension Call {
  /// Gives the collection of an index to another one, and removes it.
  ///
  /// - Parameters:
  ///   - target: The destination with the collection and the settings of the source.
  ///   - old: The destination as it is, or `nil` if it does not exist.
  /// - Returns: The destination as it is now.
  func move(
    _ source: IndexDescription, to target: IndexDescription, replacing old: IndexDescription?
  ) async throws -> IndexDescription {
    try await directory.locking([source.name, target.name], in: cluster) { locked in
      guard locked[source.name]?.version == source.version,
        locked[target.name]?.version == old?.version
      else { throw IndexDirectory.Conflict(name: source.name) }
      try await locked.cluster.putAlias(of: target.collection, for: target.name)
      var moving = source
      moving.movingTo = target.name
      moving = try await locked.write(moving)
      let moved = try await locked.write(target)
      try await remove(moving, &locked)
      return moved
    }
  }

  /// Removes an index whose collection another one has taken.
  private func remove(
    _ source: IndexDescription, _ locked: inout IndexDirectory.Locked
  ) async throws {
    // Programs that do not know of the move write into the destination until now. They look whether
    // the index has changed afterwards.
    try await locked.cluster.deleteAlias(of: source.collection, for: source.name)
    try await locked.remove(source)
  }

  /// Returns an index as it is now, after a move that ended half way.
  ///
  /// - Throws: `APIError` with status 409 for an index that has moved just now: what is asked for may
  ///   not be meant for a new index.
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

  /// Ends a move that another program has begun: finishes it if the destination has the collection,
  /// otherwise withdraws it. Returns whether it is finished.
  func endMove(of name: String, to destination: String) async throws -> Bool {
    guard try await directory.current(name, in: cluster)?.movingTo == destination else {
      return false
    }
    return try await directory.locking([name, destination], in: cluster) { locked in
      guard var source = locked[name], source.movingTo == destination else { return false }
      if let target = locked[destination], target.takenFrom == name,
        target.collection == source.collection
      {
        try await remove(source, &locked)
        return true
      }
      try await locked.cluster.deleteAlias(of: source.collection, for: destination)
      source.movingTo = nil
      _ = try await locked.write(source)
      return false
    }
  }
}
