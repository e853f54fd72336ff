import InstantSearchAPI
import LocalSearch

// A move gives the collection of one index to another. The source first says where it moves to;
// then the destination has the collection; then the source is removed. A program can end in
// between, so every later change of either index begins by finishing the move.
extension Call {
  /// Returns an index as it is now, after a move that ended half way.
  ///
  /// - Parameter goal: The index to which the index may be moving.
  /// - Throws: `APIError` with status 409 for an index that is moving to another one, or has moved
  ///   just now: what is asked for may not be meant for a new index.
  func settled(_ name: String, movingTo goal: String? = nil) async throws -> IndexDescription? {
    guard var description = try await directory.current(name, in: cluster) else { return nil }
    if let source = description.takenFrom {
      _ = try await finishMove(of: source, to: name)
      description.takenFrom = nil
    }
    guard let destination = description.movingTo else { return description }
    if try await finishMove(of: name, to: destination) {
      throw APIError(
        status: 409, "The index \(name) has been moved to \(destination), and is no more; try again"
      )
    }
    // A replica takes no collection.
    if try await directory.current(destination, in: cluster)?.primary != nil {
      description.movingTo = nil
      return description
    }
    guard destination == goal else {
      throw APIError(
        status: 409, "The index \(name) is being moved to \(destination); make the move again")
    }
    return description
  }

  /// Removes an index whose collection another one has taken, and returns whether it did.
  func finishMove(of name: String, to destination: String) async throws -> Bool {
    guard let source = try await directory.current(name, in: cluster),
      source.movingTo == destination,
      let target = try await directory.current(destination, in: cluster),
      target.takenFrom == name, target.collection == source.collection
    else { return false }
    try await directory.remove(source, in: cluster)
    return true
  }
}
