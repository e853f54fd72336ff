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

  /// Returns a new text for the version of a description, or of a lock.
  let makeVersion: @Sendable () -> String
  /// The locks of other programs, with the time from which each is taken for abandoned.
  let seenLocks = Lock<[String: SeenLock]>([:])

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
    try await allDocuments(in: cluster).compactMap(IndexDescription.init).reduce(into: [:]) {
      $0[$1.name] = $1
    }
  }

  /// Returns the documents of all descriptions.
  ///
  /// If a description is deleted between two pages, another one moves to the page before, and is
  /// not read. So several pages are read until they have the same descriptions twice.
  private func allDocuments(in cluster: Cluster) async throws -> [JSONNode] {
    var seen: Set<String> = []
    for _ in 0..<20 {
      var documents: [String: JSONNode] = [:]
      var page = 0
      var isLast = false
      while !isLast {
        page += 1
        var search = Cluster.search(collection, where: "kind:=index")
        search["page"] = .int(Int64(page))
        let answer = try await cluster.multiSearch([.object(search)])[0]
        for document in try Self.documents(in: answer) {
          documents[document["id"]?.string ?? ""] = document
        }
        isLast = page * Cluster.pageLength >= answer.count(of: "found")
      }
      let found = Set(documents.keys)
      if page == 1 || found == seen { return Array(documents.values) }
      seen = found
    }
    throw APIError(status: 503, "The indices kept changing during the call; try again")
  }

  /// The maximum number of indices of a call, which with their primaries are on one page.
  private static let maximumNameCount = 100

  private func read(
    _ names: Set<String>, in cluster: Cluster
  ) async throws -> [IndexDescription] {
    if names.isEmpty { return [] }
    let answer = try await cluster.multiSearch([search(names, fields: nil)])[0]
    let descriptions = try Self.documents(in: answer).compactMap(IndexDescription.init)
    known.withLock { known in
      for name in names { known[name] = nil }
      for description in descriptions { known[description.name] = description }
    }
    return descriptions
  }

  private static func documents(in answer: JSONNode) throws -> [JSONNode] {
    if let error = ServerError(result: answer) {
      if error.status == 404 { return [] }
      throw error
    }
    return answer.list("hits").compactMap { $0["document"] }
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

  /// Another program has changed a description since it was read, or the time of a lock was over.
  struct Conflict: Error {
    let names: Set<String>
    /// Whether a node may still make the change that was tried.
    var canBeLate = false
  }

  /// Whether an error says that a change was not made, and will not be.
  static func isRefusal(_ error: any Error) -> Bool {
    error is ServerError || (error as? Conflict)?.canBeLate == false
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
    try await locking(description, in: cluster) { locked in
      try await locked.write(description, onWrite: onWrite)
    }
  }

  /// Adds attributes whose texts rank from now on, unless the index is gone.
  ///
  /// - Throws: ``Conflict`` for an index whose collection moves to another one.
  func add(
    textRankings: Set<String>, to name: String, in cluster: Cluster
  ) async throws {
    try await locking([name], in: cluster) { locked in
      guard var description = locked[name], !description.textRankings.isSuperset(of: textRankings)
      else { return }
      if description.movingTo != nil { throw Conflict(names: [name]) }
      description.textRankings.formUnion(textRankings)
      _ = try await locked.write(description)
    }
  }

  /// Deletes a description that has not changed since it was read.
  func remove(_ description: IndexDescription, in cluster: Cluster) async throws {
    try await locking(description, in: cluster) { try await $0.remove(description) }
  }

  /// Deletes those of some collections that no index has.
  func deleteUnnamed(
    _ collections: [String], in cluster: Cluster, _ dialect: Dialect
  ) async throws {
    let documents = try await cluster.onLeader(of: collection) { try await allDocuments(in: $0) }
    let descriptions = documents.compactMap(IndexDescription.init)
    // A later version of the package can have written the others.
    guard descriptions.count == documents.count else { return }
    let named = Set(descriptions.flatMap(\.collections))
    for name in collections where !named.contains(name) {
      try await cluster.deleteCollection(name, dialect)
    }
  }

  /// Writes a document of the collection, which is created with the first one.
  func put(_ document: JSON, action: String, in cluster: Cluster) async throws {
    do {
      try await cluster.put(document, action: action, in: collection)
    } catch let error as ServerError where error.status == 404 {
      try await cluster.create(schema)
      try await cluster.put(document, action: action, in: collection)
    }
  }
}
