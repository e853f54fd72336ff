import InstantSearchJSON

// The tools of a sender: the indices that it may search, as it may see them.
extension SearchService {
  /// Returns the tools that a sender may call.
  func tools(
    _ tools: Tools, for sender: Sender, until deadline: Deadline?
  ) async throws -> [SearchTool] {
    guard sender.caller.limits.map({ $0.acl.contains(.search) }) ?? true else { return [] }
    var indices: [SearchTool.Index] = []
    if tools.indices.isEmpty {
      indices = try await toolIndices(tools.about, for: sender, until: deadline)
    } else {
      for index in tools.indices where sender.allows(index: index.name) {
        if let settings = try await toolSettings(of: index.name, until: deadline) {
          indices.append(index.visible(to: sender, settings))
        }
      }
    }
    let client = SearchClient(transport: SenderTransport(self, for: sender, until: deadline))
    return SearchTool.all(for: indices, client: client, recommends: tools.recommends)
  }

  /// The most indices that are described by their settings.
  private static let maximumIndexCount = 20

  /// Describes the indices of a sender by their settings.
  private func toolIndices(
    _ about: [String: String], for sender: Sender, until deadline: Deadline?
  ) async throws -> [SearchTool.Index] {
    let response = try await response(to: TransportRequest(.listIndices, deadline: deadline))
    guard let items = try? JSONDocument(response.body).root["items"], items.kind == .array else {
      throw ServiceError(503, "The indices cannot be listed")
    }
    var indices: [SearchTool.Index] = []
    for item in items.elements where indices.count < Self.maximumIndexCount {
      // A replica is an order of its primary.
      guard let name = item["name"]?.string, item["primary"]?.string == nil,
        sender.allows(index: name), sender.knows(index: name), name.isPlainName
      else { continue }
      guard let settings = try await toolSettings(of: name, until: deadline) else { continue }
      var index = SearchTool.Index(
        name, settings: settings, about: about[name] ?? "the records of \(name)")
      index.sortOrders = settings.replicas.map(IndexSettings.indexName).filter(sender.knows).map {
        SearchTool.SortOrder($0, indexName: $0)
      }
      let visible = index.withPlainNames.visible(to: sender, settings)
      indices.append(try await withSeenAttributes(visible, for: sender, until: deadline))
    }
    return indices
  }

  /// Returns an index without the facets and numbers that no record has which a sender may see.
  /// Their names come from the settings, which the sender may not read.
  private func withSeenAttributes(
    _ index: SearchTool.Index, for sender: Sender, until deadline: Deadline?
  ) async throws -> SearchTool.Index {
    guard sender.caller.limits?.hidesRecords == true else { return index }
    let client = SearchClient(transport: SenderTransport(self, for: sender, until: deadline))
    var index = index
    let query = SearchQuery().with { $0.hitsPerPage = 0 }
    // At most 50 queries are possible in one request.
    index.numericAttributes = Array(index.numericAttributes.prefix(40))
    let requests =
      [SearchRequest(index.name, query.with { $0.facets = ["*"] }, of: JSON.self)]
      + index.numericAttributes.map { name in
        var groups = FilterGroups()
        groups[and: name].add(Filter.Numeric(Attribute(name), .greaterOrEqual, -1e300))
        return SearchRequest(index.name, query, of: JSON.self, filterGroups: groups)
      }
    let pages: [HitsPage<JSON>]
    do {
      pages = try await client.search(requests)
    } catch {
      guard [.invalidRequest, .unauthorized].contains(error.code) else { throw error }
      (index.facets, index.numericAttributes) = ([], [])
      return index
    }
    let seen = Set(pages.first?.facets.attributes ?? [])
    index.facets.removeAll { !seen.contains($0) }
    let counts = Dictionary(
      zip(index.numericAttributes, pages.dropFirst().map(\.nbHits))
    ) { first, _ in first }
    index.numericAttributes.removeAll { counts[$0] ?? 0 == 0 }
    return index
  }

  private func toolSettings(
    of indexName: String, until deadline: Deadline?
  ) async throws -> IndexSettings? {
    guard let node = try await settings(of: indexName, until: deadline) else { return nil }
    return try? JSONValueDecoder().decode(IndexSettings.self, from: node)
  }
}

extension SearchTool.Index {
  /// The index without attributes and orders whose names could be sentences, and with at most 50 of
  /// each. Who may write settings chooses the names, and a model reads them.
  fileprivate var withPlainNames: SearchTool.Index {
    var index = self
    index.sortOrders.removeAll { !$0.name.isPlainName }
    index.facets.removeAll { !$0.isPlainName }
    index.numericAttributes.removeAll { !$0.isPlainName }
    index.sortOrders = Array(index.sortOrders.prefix(50))
    index.facets = Array(index.facets.prefix(50))
    index.numericAttributes = Array(index.numericAttributes.prefix(50))
    return index
  }

  /// Returns the index without the attributes and the orders that a sender may not see.
  fileprivate func visible(to sender: Sender, _ settings: IndexSettings) -> SearchTool.Index {
    guard let limits = sender.caller.limits else { return self }
    var index = self
    index.sortOrders.removeAll { !limits.allows(index: $0.indexName) }
    let hidden =
      limits.acl.contains(.seeUnretrievableAttributes) ? [] : settings.unretrievableAttributes
    func isShown(_ attribute: String) -> Bool {
      limits.attributes?.allows(attribute) ?? true
        && !hidden.contains(where: attribute.isPath(overlapping:))
    }
    index.facets.removeAll { !isShown($0) || (try? limits.check(facet: $0)) == nil }
    index.numericAttributes.removeAll { !isShown($0) }
    if !index.attributes.isEmpty {
      index.attributes.removeAll { !isShown($0) }
      // An empty list would stand for all.
      if index.attributes.isEmpty { index.attributes = ["objectID"] }
    }
    return index
  }
}

extension String {
  /// Whether the text is a short name: ASCII letters, digits and `_`, `-`, `.`, at most 40.
  fileprivate var isPlainName: Bool {
    !isEmpty && utf8.count <= 40
      && utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "_-.".utf8.contains(byte)
      }
  }
}

extension Sender {
  /// Whether the sender may use an index.
  fileprivate func allows(index: String) -> Bool { caller.limits?.allows(index: index) ?? true }

  /// Whether the sender may know that an index exists.
  fileprivate func knows(index: String) -> Bool {
    guard let limits = caller.limits else { return true }
    // A key that hides records may not list indices, as over HTTP.
    return limits.acl.contains(.listIndexes) && !limits.hidesRecords || limits.names(index: index)
  }
}
