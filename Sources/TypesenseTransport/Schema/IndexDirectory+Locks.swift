import InstantSearchAPI
import InstantSearchJSON

// A lock is a document beside the description of an index, which only one program can create.
extension IndexDirectory {
  /// A lock of another program.
  struct SeenLock: Sendable {
    let owner: String
    /// When the lock is taken for abandoned.
    let end: Deadline
  }

  /// Descriptions that no other program changes meanwhile.
  struct Locked {
    let directory: IndexDirectory
    /// The cluster with the time in which the locks surely hold.
    fileprivate(set) var limited: Cluster
    fileprivate var stored: [String: IndexDescription] = [:]
    /// The versions of descriptions whose change is sent and not answered; `nil` for new ones.
    fileprivate var pending: [String: String?] = [:]

    /// The description of an index as it is now, or `nil`.
    subscript(name: String) -> IndexDescription? { stored[IndexDescription.id(of: name)] }

    /// Writes a description with a new version, and returns it.
    ///
    /// - Parameter onWrite: Called before it is sent.
    mutating func write(
      _ description: IndexDescription, onWrite: () -> Void = {}
    ) async throws -> IndexDescription {
      let id = IndexDescription.id(of: description.name)
      let isNew = stored[id] == nil
      var new = description
      new.version = directory.makeVersion()
      let document = try new.document()
      pending[id] = .some(stored[id]?.version)
      let lateCount = limited.lateWrites?.count.withLock { $0 } ?? 0
      onWrite()
      do {
        try await directory.put(document, action: isNew ? "create" : "upsert", in: limited)
      } catch let error as ServerError where isNew && error.status == 409 {
        // The first of two attempts can have written it.
        let stored = try await limited.document(id, in: directory.collection)
        guard stored?["version"]?.string == new.version else { throw Conflict(names: [new.name]) }
        // Only one attempt was not answered, so that one.
        limited.lateWrites?.count.withLock { if $0 == lateCount + 1 { $0 = lateCount } }
      }
      pending[id] = nil
      stored[id] = new
      return new
    }

    /// Deletes a description.
    mutating func remove(_ description: IndexDescription) async throws {
      let id = IndexDescription.id(of: description.name)
      pending[id] = .some(description.version)
      // A second attempt must not remove a new index of the name.
      _ = try await limited.delete(
        where: "id:=\(id) && version:=\(description.version)", in: directory.collection)
      pending[id] = nil
      stored[id] = nil
    }
  }

  /// How long a lock can stay the same. A later program takes it for abandoned then. The time is
  /// the waiting program's own, because clocks differ.
  static let longestHold = Cluster.extraTime * 2

  /// Changes a description that has not changed since it was read, or that is new.
  func locking<Value>(
    _ description: IndexDescription, in cluster: Cluster,
    _ body: (inout Locked) async throws -> Value
  ) async throws -> Value {
    try await locking([description.name], in: cluster) { locked in
      guard locked[description.name]?.version ?? "" == description.version else {
        throw Conflict(names: [description.name])
      }
      return try await body(&locked)
    }
  }

  /// Changes descriptions while no other program does.
  ///
  /// If a node has not answered, and may make a change late, the locks stay until others take them
  /// for abandoned: it must not replace a later change. They go before if the only change that can
  /// be late is seen.
  ///
  /// - Throws: What `body` throws, a `SearchError` in place of a `ServerError` if a change can
  ///   still be made, and ``Conflict`` if the cluster did not answer as long as the locks hold, so
  ///   that the change is made again.
  func locking<Value>(
    _ names: Set<String>, in cluster: Cluster, _ body: (inout Locked) async throws -> Value
  ) async throws -> Value {
    defer { forget(names) }
    let (owner, late) = (makeVersion(), LateWrites())
    var locked = Locked(directory: self, limited: cluster)
    // In the same order everywhere, so that no two programs wait for each other.
    let ordered = names.sorted()
    let ids = ordered.map(IndexDescription.id)
    let result: Result<Value, any Error>
    do {
      for name in ordered {
        locked.limited = try await acquire(name, owner, in: locked.limited)
      }
      locked.limited.lateWrites = late
      locked.stored = try await stored(ids, lockedBy: owner, in: locked.limited)
      result = .success(try await body(&locked))
    } catch {
      result = .failure(error)
    }
    let lateCount = late.count.withLock { $0 }
    let isLate = lateCount > 0
    if !isLate {
      await cluster.finish { [self] in try await unlock(owner, in: $0) }
    } else if lateCount == 1, locked.pending.count == 1, let (id, version) = locked.pending.first {
      TaskBag.start { [self] in
        try? await unlock(owner, ids, whenChanged: id, version, in: cluster)
      }
    }
    do {
      return try result.get()
    } catch let error as ServerError where isLate {
      throw SearchError(
        .server,
        "It is not known whether \(ordered.joined(separator: ", ")) was changed; make the change again:"
          + " \(error.message)",
        status: error.status)
    } catch let error as SearchError {
      let isOver = locked.limited.deadline.hasPassed && !cluster.deadline.hasPassed
      guard isOver else { throw error }
      throw Conflict(names: names, canBeLate: isLate)
    }
  }

  /// Returns descriptions as they are now, for a change of them.
  ///
  /// The node that leads since a moment ago may not show the last writes yet. If it shows the
  /// locks, it shows what was written before.
  private func stored(
    _ ids: [String], lockedBy owner: String, in cluster: Cluster
  ) async throws -> [String: IndexDescription] {
    let all = ids + ids.map(Self.lock)
    let request = Cluster.search(collection, where: "id:=[\(all.joined(separator: ","))]")
    while true {
      let answer = try await cluster.multiSearch([.object(request)])[0]
      if let error = ServerError(result: answer), error.status != 404 { throw error }
      let documents = answer.list("hits").compactMap { $0["document"] }.reduce(into: [:]) {
        $0[$1["id"]?.string ?? ""] = $1
      }
      if ids.allSatisfy({ documents[Self.lock($0)]?["version"]?.string == owner }) {
        return documents.compactMapValues(IndexDescription.init)
      }
      cluster.readLeader?.number.withLock { $0 = nil }
      try await cluster.sleep(for: .milliseconds(50))
    }
  }

  /// The ID of the lock of a description.
  private static func lock(_ id: String) -> String { "\(id)-lock" }

  /// Creates the lock of a description, and returns the cluster with the time in which it surely
  /// holds.
  private func acquire(
    _ name: String, _ owner: String, in cluster: Cluster
  ) async throws -> Cluster {
    let id = IndexDescription.id(of: name)
    let document: JSON = [
      "id": .string(Self.lock(id)), "kind": "lock", "version": .string(owner),
      FieldName.codes: [.string(ValueCode.description)],
    ]
    var isHeld = false
    do {
      while true {
        let limited = cluster.limited(to: Cluster.extraTime)
        do {
          try await put(document, action: "create", in: cluster)
          note(id, nil, in: cluster)
          return limited
        } catch let error as ServerError where error.status == 409 {
          let held = try await cluster.document(Self.lock(id), in: collection)?["version"]?.string
          if held == owner { return limited }
          isHeld = held != nil
          // The time of all its locks began with the first one.
          if let held, note(id, held, in: cluster) { try await unlock(held, in: cluster) }
          try await cluster.sleep(for: .milliseconds(100))
        }
      }
    } catch let error as SearchError where isHeld && error.code == .timedOut {
      throw SearchError(
        .timedOut,
        "The deadline passed while another program was changing the index \(name). Set a later one:"
          + " the lock of a program that has ended goes after a minute.")
    }
  }

  /// Notes who has the lock of a description, and returns whether it is abandoned. Calls with early
  /// deadlines would not see that each by itself.
  @discardableResult
  private func note(_ id: String, _ owner: String?, in cluster: Cluster) -> Bool {
    seenLocks.withLock { locks in
      if let owner, let seen = locks[id], seen.owner == owner { return seen.end.hasPassed }
      locks[id] = owner.map {
        SeenLock(owner: $0, end: Deadline(after: Self.longestHold, clock: cluster.clock))
      }
      return false
    }
  }

  /// Deletes the locks of a change as soon as a description has another version than before.
  private func unlock(
    _ owner: String, _ ids: [String], whenChanged id: String, _ version: String?,
    in cluster: Cluster
  ) async throws {
    let cluster = cluster.limited(to: Cluster.extraTime, outlastsCall: true)
    while try await stored(ids, lockedBy: owner, in: cluster)[id]?.version == version {
      try await cluster.sleep(for: .milliseconds(200))
    }
    try await unlock(owner, in: cluster)
  }

  /// Deletes the locks of a change.
  private func unlock(_ owner: String, in cluster: Cluster) async throws {
    _ = try await cluster.delete(where: "kind:=lock && version:=\(owner)", in: collection)
  }
}
