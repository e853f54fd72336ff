import InstantSearchAPI
import InstantSearchHTTP
import InstantSearchJSON
import LocalSearch

extension Cluster {
  /// Returns the number of the node that leads the cluster, as it says itself. During an election
  /// it waits until one leads.
  ///
  /// A single node is taken for the leader, because a load balancer hides which one answers.
  ///
  /// - Throws: `APIError` with status 403 for a key that may not ask, `unreachable` if no node
  ///   leads for half a minute during a read, and the error of the deadline.
  func leader() async throws -> Int {
    let nodes = caller.nodes
    if nodes.count == 1 { return 0 }
    let end = Deadline(after: .seconds(30), clock: clock)
    while true {
      var failures: [String] = []
      for node in caller.orderForLeader() {
        let host = nodes[node]
        do {
          let response = try await send(.read, .get, ["debug"], node: node)
          if try Self.root(of: response)["state"]?.int64 == 1 {
            caller.note(leader: node)
            readLeader?.number.withLock { $0 = node }
            return node
          }
          failures.append("\(host) follows")
        } catch let error as SearchError
          where error.code == .unreachable || error.code == .timedOut
        {
          if deadline.hasPassed { throw error }
          failures.append("\(host) does not answer")
        } catch let error as ServerError where error.status == 401 {
          throw APIError(
            status: 403,
            "Invalid API key, or one that may not ask which node leads, as writes and readsOwnWrites"
              + " do; use an admin key")
        }
      }
      caller.note(leader: nil)
      if end.hasPassed, !isWrite {
        throw SearchError(
          .unreachable,
          "No node of the cluster leads, so none has the newest records: "
            + failures.joined(separator: ", "))
      }
      try await sleep(for: .milliseconds(200))
    }
  }

  /// Reads from one node that shows all that was written to some collections before.
  ///
  /// A node that has just become the leader says so before it shows the last writes. It makes them
  /// before it answers another write, which here finds nothing.
  ///
  /// - Parameter read: Gets the cluster whose reads go to that node. It is done again with another
  ///   node if that one does not answer.
  func onLeader<Value>(
    of collections: String..., read: (Cluster) async throws -> Value
  ) async throws -> Value {
    while true {
      let number = try await leader()
      for collection in collections { _ = try await delete(where: "id:=0", in: collection) }
      guard try await leader() == number else { continue }
      var pinned = self
      pinned.readNode = number
      do {
        return try await read(pinned)
      } catch let error as SearchError
        where error.code == .unreachable || error.code == .timedOut
      {
        if deadline.hasPassed { throw error }
        try await sleep(for: .milliseconds(100))
      }
    }
  }
}
