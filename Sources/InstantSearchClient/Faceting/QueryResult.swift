import InstantSearchJSON

/// The result of one query, parsed and not decoded.
package struct QueryResult: Sendable {
  private let node: JSONNode
  private let options: JSONDecodingOptions
  /// The snapshot of the result, for other pages of the same data.
  package let snapshot: (any Sendable)?
  /// The transport that produced the response, if known.
  private let origin: ResponseOrigin?

  /// Validates a result.
  ///
  /// - Parameters:
  ///   - query: The query of the result, which may have requested a result without hits. So may the
  ///     settings of the index, if the query says nothing.
  ///   - requiresHits: Whether the settings may not do so. Defaults to `false`.
  init(
    _ node: JSONNode?, to query: SearchQuery?, requiresHits: Bool = false,
    options: JSONDecodingOptions, context: CallContext,
    snapshot: (any Sendable)? = nil, origin: ResponseOrigin? = nil
  ) throws(SearchError) {
    guard let node, node.kind == .object else {
      throw context.error(.decoding, "The response has no result for this query.")
    }
    if let hits = node["hits"] {
      guard hits.kind == .array else {
        throw context.error(.decoding, "The hits of the response are not an array.")
      }
    } else {
      let isMeant =
        query?.requestsHits.map { !$0 }
        ?? (!requiresHits && Self.members.contains { node[$0] != nil })
      if let error = context.error(in: node, lacking: isMeant ? nil : "hits") { throw error }
      guard isMeant else {
        throw context.error(
          .decoding,
          "The response has no hits. If none are needed, list the needed fields in responseFields."
        )
      }
    }
    self.node = node
    self.options = options
    self.snapshot = snapshot
    self.origin = origin
  }

  /// The members of a result other than hits, but for one that an error can have too.
  private static let members = SearchQuery.excludableResponseFields.subtracting(["hits", "index"])

  /// The whole result.
  package var json: JSON { JSON(node: node) }

  /// The text of the whole result.
  package var text: String { String(decoding: node.source, as: UTF8.self) }

  /// Returns the hit at a position of the result as JSON; `nil` if there is none.
  package func rawHit(at position: Int) -> JSON? {
    node["hits"]?[position].map(JSON.init(node:))
  }

  /// Returns the result as a page of the request's record type.
  package func page<Record>(
    for request: SearchRequest<Record>, generation: UInt64 = 0
  ) -> HitsPage<Record> {
    var page = HitsPage<Record>(node: node, options: options, query: request.query)
    page.request = request
    page.generation = generation
    page.origin = origin
    return page
  }
}

extension SearchQuery {
  /// Whether the query requests hits, or other fields only; `nil` if the settings decide.
  fileprivate var requestsHits: Bool? {
    var query = self
    query.adoptAdditional(.responseFields)
    return query.responseFields.map { $0.contains("hits") || $0.contains("*") }
  }
}
