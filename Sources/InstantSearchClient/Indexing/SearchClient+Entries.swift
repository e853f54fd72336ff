import InstantSearchJSON

/// A page of synonyms, rules or dictionary entries.
public struct EntriesPage<Entry: Sendable & Hashable>: Sendable, Hashable {
  /// The entries.
  public var hits: [Entry]
  /// The number of entries that match.
  public var nbHits: Int

  /// Creates a page.
  public init(hits: [Entry], nbHits: Int) {
    self.hits = hits
    self.nbHits = nbHits
  }
}

extension SearchClient {
  // MARK: Synonyms

  /// Saves synonyms of an index. A synonym replaces an older synonym with the same ID.
  ///
  /// - Parameters:
  ///   - synonyms: The synonyms.
  ///   - indexName: The index, which is created if it does not exist.
  ///   - replaceExisting: Whether all other synonyms are deleted, in the same step. Defaults to
  ///     `false`.
  ///   - forwardToReplicas: Whether the replicas get them as well. Defaults to `false`.
  ///   - options: Options of the call.
  @concurrent @discardableResult
  public func saveSynonyms(
    _ synonyms: [Synonym], in indexName: String, replaceExisting: Bool = false,
    forwardToReplicas: Bool = false, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> IndexTask {
    try await saveEntries(
      synonyms, .synonyms(index: indexName, .batch), indexName,
      replaceExisting ? "replaceExistingSynonyms" : nil, forwardToReplicas, options)
  }

  /// Returns the synonyms of an index that contain some words.
  ///
  /// - Parameters:
  ///   - query: The words; empty for all synonyms.
  ///   - indexName: The index.
  ///   - page: The page, from 0.
  ///   - hitsPerPage: The size of a page, 1 to 1,000. Defaults to 20.
  ///   - options: Options of the call.
  @concurrent
  public func searchSynonyms(
    _ query: String = "", in indexName: String, page: Int = 0, hitsPerPage: Int = 20,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> EntriesPage<Synonym> {
    try await searchEntries(
      .synonyms(index: indexName, .search), indexName, query, page, hitsPerPage, options)
  }

  /// Deletes a synonym. A missing synonym is not an error.
  @concurrent @discardableResult
  public func deleteSynonym(
    _ objectID: String, in indexName: String, forwardToReplicas: Bool = false,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> IndexTask {
    try EndpointCall.check(objectID: objectID, in: indexName)
    return try await write(
      .synonyms(index: indexName, .delete(objectID: objectID)), to: indexName,
      queryItems: forwardToReplicas ? [.forwardToReplicas] : [], options: options)
  }

  /// Deletes all synonyms of an index.
  @concurrent @discardableResult
  public func clearSynonyms(
    of indexName: String, forwardToReplicas: Bool = false,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> IndexTask {
    try await write(
      .synonyms(index: indexName, .clear), to: indexName,
      queryItems: forwardToReplicas ? [.forwardToReplicas] : [], options: options)
  }

  // MARK: Rules

  /// Saves rules of an index. A rule replaces an older rule with the same ID.
  ///
  /// - Parameters:
  ///   - rules: The rules.
  ///   - indexName: The index, which is created if it does not exist.
  ///   - clearExisting: Whether all other rules are deleted, in the same step. Defaults to `false`.
  ///   - forwardToReplicas: Whether the replicas get them as well. Defaults to `false`.
  ///   - options: Options of the call.
  @concurrent @discardableResult
  public func saveRules(
    _ rules: [Rule], in indexName: String, clearExisting: Bool = false,
    forwardToReplicas: Bool = false, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> IndexTask {
    try await saveEntries(
      rules, .rules(index: indexName, .batch), indexName,
      clearExisting ? "clearExistingRules" : nil, forwardToReplicas, options)
  }

  /// Returns the rules of an index that contain some words.
  ///
  /// - Parameters:
  ///   - query: The words; empty for all rules.
  ///   - indexName: The index.
  ///   - page: The page, from 0.
  ///   - hitsPerPage: The size of a page, 1 to 1,000. Defaults to 20.
  ///   - options: Options of the call.
  @concurrent
  public func searchRules(
    _ query: String = "", in indexName: String, page: Int = 0, hitsPerPage: Int = 20,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> EntriesPage<Rule> {
    try await searchEntries(
      .rules(index: indexName, .search), indexName, query, page, hitsPerPage, options)
  }

  /// Deletes a rule. A missing rule is not an error.
  @concurrent @discardableResult
  public func deleteRule(
    _ objectID: String, in indexName: String, forwardToReplicas: Bool = false,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> IndexTask {
    try EndpointCall.check(objectID: objectID, in: indexName)
    return try await write(
      .rules(index: indexName, .delete(objectID: objectID)), to: indexName,
      queryItems: forwardToReplicas ? [.forwardToReplicas] : [], options: options)
  }

  /// Deletes all rules of an index.
  @concurrent @discardableResult
  public func clearRules(
    of indexName: String, forwardToReplicas: Bool = false,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> IndexTask {
    try await write(
      .rules(index: indexName, .clear), to: indexName,
      queryItems: forwardToReplicas ? [.forwardToReplicas] : [], options: options)
  }

  // MARK: Both

  private func saveEntries(
    _ entries: [some Encodable], _ endpoint: Endpoint, _ indexName: String, _ flag: String?,
    _ forwardToReplicas: Bool, _ options: RequestOptions
  ) async throws(SearchError) -> IndexTask {
    let body: [UInt8]
    do {
      body = try JSONValueEncoder().encode(entries)
    } catch {
      throw SearchError(encodingFailure: error)
    }
    var items: [QueryItem] = forwardToReplicas ? [.forwardToReplicas] : []
    if let flag { items.append(QueryItem(name: flag, value: "true")) }
    return try await write(
      endpoint, to: indexName, body: body, queryItems: items, options: options)
  }

  private func searchEntries<Entry: Decodable & Hashable & Sendable>(
    _ endpoint: Endpoint, _ indexName: String, _ query: String, _ page: Int, _ hitsPerPage: Int,
    _ options: RequestOptions
  ) async throws(SearchError) -> EntriesPage<Entry> {
    try EndpointCall.check(indexName: indexName)
    let body: JSON = [
      "query": .string(query), "page": .int(Int64(page)), "hitsPerPage": .int(Int64(hitsPerPage)),
    ]
    return try await entriesPage(EndpointCall(endpoint, body: body.bytes), options)
  }

  /// Sends a search for entries, and returns its page.
  func entriesPage<Entry: Decodable & Hashable & Sendable>(
    _ call: EndpointCall, _ options: RequestOptions
  ) async throws(SearchError) -> EntriesPage<Entry> {
    let root = try await response(to: call, options: options).document.root
    guard let hits = root["hits"], hits.kind == .array, let nbHits = root["nbHits"]?.int else {
      throw CallContext(call).error(.decoding, "The response is not a page of entries.")
    }
    return EntriesPage(hits: try decode(hits, of: call), nbHits: nbHits)
  }
}
