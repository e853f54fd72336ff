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
    var result = known.withLock { known in
      names.reduce(into: [:]) { $0[$1] = known[$1] }
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

  /// Returns current descriptions, regardless of what is in memory.
  func currentDescriptions(
    of names: Set<String>, in cluster: Cluster
  ) async throws -> [String: IndexDescription] {
    forget(names)
    return try await descriptions(of: names, in: cluster)
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
      let answer = try await cluster.multiSearch([
        [
          "collection": .string(collection), "q": "*", "filter_by": "kind:=index",
          "per_page": .int(Int64(Self.pageLength)), "page": .int(Int64(page)),
          "highlight_fields": "none", "enable_highlight_v1": false,
        ]
      ])[0]
      let hits = try hits(in: answer)
      for hit in hits { result[hit.name] = hit }
      if hits.count < Self.pageLength { return result }
      page += 1
    }
  }

  private static let pageLength = 250

  private func read(
    _ names: Set<String>, in cluster: Cluster
  ) async throws -> [IndexDescription] {
    let answer = try await cluster.multiSearch([search(names, fields: nil)])[0]
    let hits = try hits(in: answer)
    known.withLock { known in
      for hit in hits { known[hit.name] = hit }
    }
    return hits
  }

  private func hits(in answer: JSONNode) throws -> [IndexDescription] {
    if let error = ServerError(result: answer) {
      if error.status == 404 { return [] }
      throw error
    }
    return (answer["hits"].map { Array($0.elements) } ?? []).compactMap { hit in
      hit["document"].flatMap(IndexDescription.init)
    }
  }

  private func search(_ names: some Sequence<String>, fields: String?) -> JSON {
    // Digits only, so that no name is read as a filter.
    let ids = names.map(IndexDescription.id).sorted()
    var search: [String: JSON] = [
      "collection": .string(collection), "q": "*",
      "filter_by": .string("id:=[\(ids.joined(separator: ","))]"),
      "per_page": .int(Int64(Self.pageLength)), "highlight_fields": "none",
      "enable_highlight_v1": false,
    ]
    if let fields { search["include_fields"] = .string(fields) }
    return .object(search)
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
    for hit in result["hits"].map({ Array($0.elements) }) ?? [] {
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

  /// Writes a description with a new version.
  func save(_ description: IndexDescription, in cluster: Cluster) async throws {
    try await put(description, action: "upsert", in: cluster)
    forget([description.name])
  }

  /// Writes the description of a new index, unless there is one.
  func add(_ description: IndexDescription, in cluster: Cluster) async throws {
    do {
      try await put(description, action: "create", in: cluster)
    } catch let error as ServerError where error.status == 409 {}
    forget([description.name])
  }

  private func put(
    _ description: IndexDescription, action: String, in cluster: Cluster
  ) async throws {
    var description = description
    description.version = makeVersion()
    let document = try description.document()
    do {
      try await cluster.put(document, action: action, in: collection)
    } catch let error as ServerError where error.status == 404 {
      try await cluster.create(schema)
      try await cluster.put(document, action: action, in: collection)
    }
  }

  /// Deletes a description, if it exists.
  func remove(_ name: String, in cluster: Cluster) async throws {
    try await cluster.delete(IndexDescription.id(of: name), in: collection)
    forget([name])
  }
}
