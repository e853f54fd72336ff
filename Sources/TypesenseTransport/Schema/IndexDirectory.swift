import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

/// The descriptions of all indices, which the cluster keeps in a collection.
///
/// A search uses the descriptions that the transport knows, and asks in the same request whether
/// they are still current. So no search uses settings that another program has replaced.
final class IndexDirectory: Sendable {
  /// The collection of the descriptions.
  let collection: String
  private let known = Lock<[String: IndexDescription]>([:])

  /// Returns a new text for the version of a description.
  private let makeVersion: @Sendable () -> String

  init(collection: String, makeVersion: @escaping @Sendable () -> String) {
    self.collection = collection
    self.makeVersion = makeVersion
  }

  private var schema: JSON {
    [
      "name": .string(collection),
      "fields": [
        ["name": "kind", "type": "string"], ["name": "version", "type": "string"],
        ["name": .string(FieldName.codes), "type": "string[]"],
      ],
    ]
  }

  /// Returns descriptions, from memory if it has them. An index that does not exist has none, and a
  /// replica comes with its primary.
  func descriptions(
    of names: Set<String>, in cluster: Cluster
  ) async throws -> [String: IndexDescription] {
    guard names.count <= Self.maximumNameCount else {
      throw APIError(
        "A call can name \(Self.maximumNameCount) indices on this cluster, got \(names.count)")
    }
    var result = known.withLock { known -> [String: IndexDescription] in
      // Names that are equal in Unicode are indices of their own here.
      names.reduce(into: [:]) { result, name in
        if let description = known[name], description.name.hasSameBytes(as: name) {
          result[name] = description
        }
      }
    }
    var missing = names.subtracting(result.keys)
    // A replica, then its primary.
    for _ in 0..<2 {
      if !missing.isEmpty {
        for description in try await read(missing, in: cluster) {
          result[description.name] = description
        }
      }
      missing = Set(result.values.compactMap(\.primary)).subtracting(result.keys)
      if missing.isEmpty { break }
    }
    return result
  }

  /// Returns current descriptions, regardless of what is in memory. A replica comes alone.
  func currentDescriptions(
    of names: Set<String>, in cluster: Cluster
  ) async throws -> [String: IndexDescription] {
    try await read(names, in: cluster).reduce(into: [:]) { $0[$1.name] = $1 }
  }

  /// Returns the description of one index as it is now, or `nil`.
  func current(_ name: String, in cluster: Cluster) async throws -> IndexDescription? {
    try await currentDescriptions(of: [name], in: cluster)[name]
  }

  /// Returns all descriptions as they are now, by name.
  func all(in cluster: Cluster) async throws -> [String: IndexDescription] {
    var result: [String: IndexDescription] = [:]
    var page = 1
    while true {
      var search = Cluster.search(collection, where: "kind:=index")
      search["page"] = .int(Int64(page))
      let answer = try await cluster.multiSearch([.object(search)])[0]
      for hit in try hits(in: answer) { result[hit.name] = hit }
      let isFull = answer.list("hits").count == Cluster.pageLength
      if !isFull || page * Cluster.pageLength >= answer.count(of: "found") { return result }
      page += 1
    }
  }

  /// The maximum number of indices of a call, which with their primaries are on one page.
  private static let maximumNameCount = 100

  private func read(
    _ names: Set<String>, in cluster: Cluster
  ) async throws -> [IndexDescription] {
    if names.isEmpty { return [] }
    let answer = try await cluster.multiSearch([search(names, fields: nil)])[0]
    let hits = try hits(in: answer)
    known.withLock { known in
      for name in names { known[name] = nil }
      for hit in hits { known[hit.name] = hit }
    }
    return hits
  }

  private func hits(in answer: JSONNode) throws -> [IndexDescription] {
    if let error = ServerError(result: answer) {
      if error.status == 404 { return [] }
      throw error
    }
    return answer.list("hits").compactMap { hit in
      hit["document"].flatMap(IndexDescription.init)
    }
  }

  private func search(_ names: some Sequence<String>, fields: String?) -> JSON {
    // Digits only, so that no name is read as a filter.
    let ids = names.map(IndexDescription.id).sorted()
    return .object(
      Cluster.search(
        collection, where: "id:=[\(ids.joined(separator: ","))]", fields: fields))
  }

  // MARK: Checking

  /// The search that tells whether descriptions are current.
  func check(_ descriptions: [String: IndexDescription]) -> JSON {
    search(descriptions.keys, fields: "id,version")
  }

  /// Whether descriptions are current, by the result of ``check(_:)``. Forgets the ones that
  /// aren't.
  func isCurrent(_ descriptions: [String: IndexDescription], _ result: JSONNode) throws -> Bool {
    if let error = ServerError(result: result), error.status != 404 { throw error }
    var versions: [String: String] = [:]
    for hit in result.list("hits") {
      guard let id = hit["document"]?["id"]?.string else { continue }
      versions[id] = hit["document"]?["version"]?.string
    }
    let old = descriptions.values.filter {
      versions[IndexDescription.id(of: $0.name)] != $0.version
    }
    forget(old.map(\.name))
    return old.isEmpty
  }

  /// Forgets descriptions, so that they are read again.
  func forget(_ names: some Sequence<String>) {
    known.withLock { known in
      for name in names { known[name] = nil }
    }
  }

  // MARK: Writing

  /// Another program has changed a description since it was read.
  struct Conflict: Error {
    let name: String
  }

  /// Writes a description with a new version, and returns it.
  ///
  /// - Parameter onWrite: Called before it is sent.
  /// - Throws: ``Conflict`` if the index has another version than the description, or if it exists
  ///   and the description is new.
  @discardableResult
  func save(
    _ description: IndexDescription, in cluster: Cluster, onWrite: () -> Void = {}
  ) async throws -> IndexDescription {
    defer { forget([description.name]) }
    if !description.version.isEmpty {
      var saved = description
      try await change(description.name, in: cluster) { stored in
        guard stored?.version == description.version else {
          throw Conflict(name: description.name)
        }
        saved = renewed(description)
        let document = try saved.document()
        onWrite()
        return .write(document)
      }
      return saved
    }
    let new = renewed(description)
    let document = try new.document()
    do {
      onWrite()
      try await put(document, action: "create", in: cluster)
    } catch let error as ServerError where error.status == 409 {
      // The first of two attempts can have written it.
      let stored = try await cluster.document(
        IndexDescription.id(of: description.name), in: collection)
      guard stored?["version"]?.string == new.version else {
        throw Conflict(name: description.name)
      }
    }
    return new
  }

  /// Adds attributes whose texts rank from now on, unless the index is gone.
  ///
  /// - Throws: ``Conflict`` for an index whose collection moves to another one.
  func add(
    textRankings: Set<String>, to name: String, in cluster: Cluster
  ) async throws {
    defer { forget([name]) }
    try await change(name, in: cluster) { stored in
      guard var description = stored, !description.textRankings.isSuperset(of: textRankings) else {
        return .nothing
      }
      if description.movingTo != nil { throw Conflict(name: name) }
      description.textRankings.formUnion(textRankings)
      return .write(try renewed(description).document())
    }
  }

  private func renewed(_ description: IndexDescription) -> IndexDescription {
    var description = description
    description.version = makeVersion()
    return description
  }

  private func put(_ document: JSON, action: String, in cluster: Cluster) async throws {
    do {
      try await cluster.put(document, action: action, in: collection)
    } catch let error as ServerError where error.status == 404 {
      try await cluster.create(schema)
      try await cluster.put(document, action: action, in: collection)
    }
  }

  /// Deletes a description that has not changed since it was read.
  func remove(_ description: IndexDescription, in cluster: Cluster) async throws {
    defer { forget([description.name]) }
    try await change(description.name, in: cluster) { stored in
      guard stored?.version == description.version else { throw Conflict(name: description.name) }
      return .remove
    }
  }

  // MARK: Locking

  /// How long a lock can stay the same. A later program takes it for abandoned then. The time is
  /// the waiting program's own, because clocks differ.
  private static let longestHold = Cluster.extraTime * 2

  /// Changes a description while no other program does.
  ///
  /// The lock is a document, which only one program can create. If it is not known whether the
  /// change was written, the lock stays until it is, or until others take it for abandoned: a
  /// change that is written late must not replace a later one.
  ///
  /// - Parameter decide: Returns the change of what is stored.
  private func change(
    _ name: String, in cluster: Cluster, _ decide: (IndexDescription?) throws -> Change
  ) async throws {
    let id = IndexDescription.id(of: name)
    let (lock, owner) = ("\(id)-lock", makeVersion())
    let late = LateWrites()
    var changed: String?
    do {
      var limited = try await acquire(lock, owner, in: cluster)
      limited.lateWrites = late
      let stored = try await stored(name, lockedBy: owner, in: limited)
      switch try decide(stored) {
      case .write(let document):
        changed = stored?.version
        try await put(document, action: "upsert", in: limited)
      case .remove:
        changed = stored?.version
        // A second attempt must not remove a new index of the name.
        _ = try await limited.delete(
          where: "id:=\(id) && version:=\(stored?.version ?? "")", in: collection)
      case .nothing: break
      }
    } catch {
      guard let changed, !(error is ServerError) || late.arePossible.withLock({ $0 }) else {
        await cluster.finish { [self] in try await release(lock, owner, in: $0) }
        throw error
      }
      TaskBag.start { [self] in
        try? await release(lock, owner, whenChanged: id, changed, in: cluster)
      }
      guard let refusal = error as? ServerError else { throw error }
      throw SearchError(
        .server,
        "It is not known whether the index \(name) was changed: \(refusal.message)",
        status: refusal.status)
    }
    // A node that did not answer may make the change later, in the place of another one. Others
    // take the lock for abandoned, after that.
    if late.arePossible.withLock({ $0 }) { return }
    await cluster.finish { [self] in try await release(lock, owner, in: $0) }
  }

  private enum Change {
    case write(JSON)
    case remove, nothing
  }

  /// Returns a description as it is now, for a change of it.
  ///
  /// The node that leads since a moment ago may not show the last writes yet. If it shows the lock,
  /// it shows what was written before.
  private func stored(
    _ name: String, lockedBy owner: String, in cluster: Cluster
  ) async throws -> IndexDescription? {
    let id = IndexDescription.id(of: name)
    let request = Cluster.search(collection, where: "id:=[\(id),\(id)-lock]")
    while true {
      let answer = try await cluster.multiSearch([.object(request)])[0]
      if let error = ServerError(result: answer), error.status != 404 { throw error }
      let documents = answer.list("hits").compactMap { $0["document"] }
      let lock = documents.first { $0["id"]?.string == "\(id)-lock" }?["version"]?.string
      if lock == owner {
        return documents.first { $0["id"]?.string == id }.flatMap(IndexDescription.init)
      }
      cluster.readLeader?.number.withLock { $0 = nil }
      try await cluster.sleep(for: .milliseconds(50))
    }
  }

  /// Creates a lock, and returns the cluster with the time in which it surely holds.
  private func acquire(
    _ id: String, _ owner: String, in cluster: Cluster
  ) async throws -> Cluster {
    let lock: JSON = [
      "id": .string(id), "kind": "lock", "version": .string(owner),
      FieldName.codes: [.string(ValueCode.description)],
    ]
    var seen: (version: String, end: Deadline)?
    while true {
      let limited = cluster.limited(to: Cluster.extraTime)
      do {
        try await put(lock, action: "create", in: cluster)
        return limited
      } catch let error as ServerError where error.status == 409 {
        let held = try await cluster.document(id, in: collection)?["version"]?.string
        if held == owner { return limited }
        if let held, let last = seen, last.version == held {
          if last.end.hasPassed { try await release(id, held, in: cluster) }
        } else {
          seen = held.map { ($0, Deadline(after: Self.longestHold, clock: cluster.clock)) }
        }
        try await cluster.sleep(for: .milliseconds(100))
      }
    }
  }

  /// Deletes a lock as soon as a description has another version than before.
  private func release(
    _ lock: String, _ owner: String, whenChanged id: String, _ version: String,
    in cluster: Cluster
  ) async throws {
    let cluster = cluster.limited(to: Cluster.extraTime, outlastsCall: true)
    while try await cluster.document(id, in: collection)?["version"]?.string == version {
      try await cluster.sleep(for: .milliseconds(200))
    }
    try await release(lock, owner, in: cluster)
  }

  /// Deletes a lock, unless another program has it by now.
  private func release(_ id: String, _ owner: String, in cluster: Cluster) async throws {
    _ = try await cluster.delete(where: "id:=\(id) && version:=\(owner)", in: collection)
  }
}
