import InstantSearchJSON

/// A part of an index to copy, instead of everything.
///
/// Source: the scopes of `operation` in the OpenAPI description of the hosted service.
public enum IndexScope: String, Sendable, Hashable, CaseIterable {
  case settings
  case rules
  case synonyms
}

/// An index as the service lists it.
public struct IndexInfo: Sendable, Hashable, Decodable {
  /// The name.
  public var name: String
  /// The number of records.
  public var entries: Int
  /// The size of the records, in bytes.
  public var dataSize: Int?
  /// The time of its creation, as ISO 8601 text; empty without records.
  public var createdAt: String?
  /// The time of its latest change, as ISO 8601 text.
  public var updatedAt: String?
  /// The primary of a replica.
  public var primary: String?
  /// The replicas of a primary.
  public var replicas: [String]?
}

extension SearchClient {
  /// Copies an index with its records, settings, rules and synonyms, and replaces the destination.
  ///
  /// - Parameters:
  ///   - indexName: The index. If it is missing, the destination becomes an empty index.
  ///   - destination: The index to write, which must neither be a replica nor have replicas.
  ///   - scopes: The parts to copy. Each part is replaced as a whole, and the records stay.
  ///     Defaults to none, which copies everything.
  ///   - options: Options of the call.
  @concurrent @discardableResult
  public func copyIndex(
    _ indexName: String, to destination: String, scopes: [IndexScope] = [],
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> IndexTask {
    try await operate("copy", indexName, destination, scopes, options)
  }

  /// Moves an index with everything to another name, and replaces the index of that name in one
  /// step.
  ///
  /// - Parameters:
  ///   - indexName: The index, which must neither be a replica nor have replicas. If it is missing,
  ///     nothing happens.
  ///   - destination: The new name. An index with that name keeps its list of replicas.
  ///   - options: Options of the call.
  @concurrent @discardableResult
  public func moveIndex(
    _ indexName: String, to destination: String, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> IndexTask {
    try await operate("move", indexName, destination, [], options)
  }

  private func operate(
    _ operation: String, _ indexName: String, _ destination: String, _ scopes: [IndexScope],
    _ options: RequestOptions
  ) async throws(SearchError) -> IndexTask {
    try EndpointCall.check(indexName: destination)
    var body: [String: JSON] = [
      "operation": .string(operation), "destination": .string(destination),
    ]
    if !scopes.isEmpty { body["scope"] = .array(scopes.map { .string($0.rawValue) }) }
    return try await write(
      .operation(index: indexName), to: indexName, body: JSON.object(body).bytes,
      also: [destination], options: options)
  }

  /// Deletes an index with everything. A missing index is not an error. Replicas stay, as
  /// independent indices.
  @concurrent @discardableResult
  public func deleteIndex(
    _ indexName: String, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> IndexTask {
    try await write(.deleteIndex(index: indexName), to: indexName, options: options)
  }

  /// Returns the indices that the key may access, by name.
  @concurrent
  public func listIndices(
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> [IndexInfo] {
    let call = EndpointCall(.listIndices)
    let root = try await response(to: call, options: options).document.root
    guard let items = root["items"], items.kind == .array else {
      throw CallContext(call).error(.decoding, "The response has no list of indices.")
    }
    do {
      return try JSONValueDecoder().decode([IndexInfo].self, from: items)
    } catch {
      throw CallContext(call).error(
        .decoding, "The response is not a list of indices: \(DecodingIssue(error).reason)")
    }
  }

  /// Returns whether an index exists.
  @concurrent
  public func indexExists(
    _ indexName: String, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> Bool {
    do throws(SearchError) {
      _ = try await settings(of: indexName, options: options)
      return true
    } catch {
      if error.status == 404 { return false }
      throw error
    }
  }

  // MARK: Settings

  /// Returns the settings of an index.
  ///
  /// - Throws: `indexNotFound` if the index does not exist.
  @concurrent
  public func settings(
    of indexName: String, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> IndexSettings {
    try EndpointCall.check(indexName: indexName)
    var options = options
    // Version 1 repeats the synonyms.
    options.queryItems.append(QueryItem(name: "getVersion", value: "2"))
    let call = EndpointCall(.settings(index: indexName))
    let root = try await response(to: call, options: options).document.root
    do {
      return try JSONValueDecoder().decode(IndexSettings.self, from: root)
    } catch {
      throw CallContext(call).error(
        .decoding, "The response has no settings: \(DecodingIssue(error).reason)")
    }
  }

  /// Replaces the settings of an index. A missing index is created.
  ///
  /// All settings of `IndexSettings` are set, including default values: settings without replicas
  /// remove the replicas of an index. To change some settings, use
  /// ``updateSettings(of:forwardToReplicas:options:_:)``.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - indexName: The index.
  ///   - forwardToReplicas: Whether the replicas that exist get the same settings. Defaults to
  ///     `false`.
  ///   - options: Options of the call.
  @concurrent @discardableResult
  public func setSettings(
    _ settings: IndexSettings, of indexName: String, forwardToReplicas: Bool = false,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> IndexTask {
    var members = try settings.members
    for name in IndexSettings.names where members[name] == nil { members[name] = .null }
    return try await send(members, to: indexName, forwardToReplicas, options)
  }

  /// Changes some settings of an index, and keeps the others. A missing index is created.
  ///
  ///     try await client.updateSettings(of: "films") { $0.hitsPerPage = 50 }
  ///
  /// It reads the settings, and sends the settings that the closure changes. A concurrent change by
  /// another program is kept, unless it changes the same setting.
  ///
  /// - Returns: The task to wait for; `nil` if the closure changes nothing.
  @concurrent @discardableResult
  public func updateSettings(
    of indexName: String, forwardToReplicas: Bool = false,
    options: RequestOptions = RequestOptions(), _ change: @Sendable (inout IndexSettings) -> Void
  ) async throws(SearchError) -> IndexTask? {
    let old: IndexSettings
    do throws(SearchError) {
      old = try await settings(of: indexName, options: options)
    } catch {
      guard error.code == .indexNotFound else { throw error }
      old = IndexSettings()
    }
    var new = old
    change(&new)
    let (before, after) = try (old.members, new.members)
    var members = after.filter { before[$0.key] != $0.value }
    for name in before.keys where after[name] == nil { members[name] = .null }
    if members.isEmpty { return nil }
    return try await send(members, to: indexName, forwardToReplicas, options)
  }

  private func send(
    _ members: [String: JSON], to indexName: String, _ forwardToReplicas: Bool,
    _ options: RequestOptions
  ) async throws(SearchError) -> IndexTask {
    try await write(
      .setSettings(index: indexName), to: indexName, body: JSON.object(members).bytes,
      queryItems: forwardToReplicas ? [.forwardToReplicas] : [], options: options)
  }
}

extension IndexSettings {
  /// The settings as they are sent, without read-only settings.
  fileprivate var members: [String: JSON] {
    get throws(SearchError) {
      var members = try JSON(encoding: self).objectValue ?? [:]
      for name in ["primary", "version"] { members[name] = nil }
      return members
    }
  }
}

extension QueryItem {
  /// The item that applies a change to the replicas as well.
  static let forwardToReplicas = QueryItem(name: "forwardToReplicas", value: "true")
}
