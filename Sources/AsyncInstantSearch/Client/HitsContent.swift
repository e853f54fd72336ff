import InstantSearchJSON

/// One result of a hits query, parsed and not yet given a type.
struct HitsContent: Sendable {
  private let node: JSONNode
  private let options: JSONDecodingOptions
  /// What other queries of the same search found out about facets.
  var facets: FacetAnswers?
  /// The data that this was made from, for other pages of it.
  let snapshot: (any Sendable)?
  /// Who answered.
  let origin: AnswerOrigin?

  /// Takes a result apart from what cannot be one.
  ///
  /// - Parameter query: The query that was sent, which may have asked for a result without hits.
  init(
    _ node: JSONNode?, to query: SearchQuery?, options: JSONDecodingOptions, context: CallContext,
    snapshot: (any Sendable)? = nil, origin: AnswerOrigin? = nil
  ) throws(SearchError) {
    guard let node, node.kind == .object else {
      throw context.error(.decoding, "The answer has no result for this query.")
    }
    if let hits = node["hits"] {
      guard hits.kind == .array else {
        throw context.error(.decoding, "The answer's hits are not an array.")
      }
    } else {
      let isMeant = query?.leavesOutHits ?? false
      if let error = context.error(in: node, lacking: isMeant ? nil : "hits") { throw error }
      guard isMeant else {
        throw context.error(
          .decoding,
          "The answer has no hits. If they are not wanted, name what is in the query's responseFields."
        )
      }
    }
    self.node = node
    self.options = options
    self.snapshot = snapshot
    self.origin = origin
  }

  /// The hit at that place of the result as JSON; `nil` when there is none.
  func rawHit(at position: Int) -> JSON? {
    node["hits"]?[position].map(JSON.init(node:))
  }

  /// The result as a page of the request's record type.
  func page<Record>(
    for request: SearchRequest<Record>, generation: UInt64 = 0
  ) -> HitsPage<Record> {
    var page = HitsPage<Record>(node: node, options: options, query: request.query)
    page.request = request
    page.generation = generation
    page.origin = origin
    facets?.complete(&page)
    return page
  }
}

extension HitsPage {
  /// The page's failures as one error; `nil` when every hit was decoded.
  package var failureError: SearchError? { error(for: failures) }

  /// Some of the page's failures as one error; `nil` when there are none.
  func error(for failures: [HitFailure]) -> SearchError? {
    guard let first = failures.first else { return nil }
    let count = failures.count
    return SearchError(
      .decoding,
      count == 1 ? "A hit could not be decoded." : "\(count) hits could not be decoded.",
      indexName: request?.indexName ?? index,
      failures: failures,
      underlying: count == 1 ? nil : first.reason)
  }
}

extension SearchQuery {
  /// Whether the answer comes without hits, because the query asks for other fields only.
  fileprivate var leavesOutHits: Bool {
    var query = self
    query.adoptAdditional(.responseFields)
    guard let fields = query.responseFields else { return false }
    return !fields.contains("hits") && !fields.contains("*")
  }
}
