import InstantSearchJSON

extension SearchClient {
  /// Searches several indices, or one index several times, in one request, with one record type.
  ///
  /// The pages have the order of the requests. According to the contract, a request that fails
  /// makes the whole call fail. Without requests nothing is sent.
  ///
  /// - Parameters:
  ///   - requests: The searches.
  ///   - strategy: The strategy for running the queries. Defaults to all of them.
  ///   - disjunctive: Whether facets that are filtered by OR, or have numeric filters, are counted
  ///     without their own filters. Defaults to `false`. The additional queries are part of the
  ///     same HTTP request and count toward the service's limit of 50 queries. Not available with
  ///     a strategy that can skip queries.
  ///   - options: Options of the call.
  @concurrent
  public func search<Record>(
    _ requests: [SearchRequest<Record>],
    strategy: MultiQueryStrategy = .none,
    disjunctive: Bool = false,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> [HitsPage<Record>] {
    var batch = FacetedBatch(isDisjunctive: disjunctive)
    for request in requests { batch.add(request) }
    let responses = try await responses(to: batch, strategy: strategy, options: options)
    return try await pages(of: batch.contents(in: responses), in: responses, for: requests)
  }

  /// Searches several indices in one request, each with a separate record type.
  ///
  ///     let (films, people) = try await client.search(
  ///       SearchRequest("films", SearchQuery("tom"), of: Hit<Film>.self),
  ///       SearchRequest("people", SearchQuery("tom"), of: Hit<Person>.self))
  ///
  /// The pages are a tuple in the order of the requests. Without requests nothing is sent and the
  /// tuple is empty. The other parameters are those of the search for a list of requests.
  @concurrent
  public func search<each Record>(
    _ request: repeat SearchRequest<each Record>,
    strategy: MultiQueryStrategy = .none,
    disjunctive: Bool = false,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> (repeat HitsPage<each Record>) {
    var batch = FacetedBatch(isDisjunctive: disjunctive)
    for request in repeat each request { batch.add(request) }
    let responses = try await responses(to: batch, strategy: strategy, options: options)
    let contents = try batch.contents(in: responses)
    var positions = contents.indices.makeIterator()
    return (repeat contents[positions.next() ?? 0].page(for: each request))
  }

  /// Searches several indices and the values of facets in one request.
  ///
  ///     let (films, facets) = try await client.search(
  ///       SearchRequest("films", SearchQuery("tom"), of: Hit<Film>.self),
  ///       facetValues: [FacetRequest("films", attribute: "genres", facetQuery: "we")])
  ///
  /// The parameters are those of the search without facet values. The pages are a tuple in the
  /// order of the requests, and not a tuple for a single one.
  @concurrent
  public func search<each Record>(
    _ request: repeat SearchRequest<each Record>,
    facetValues facetRequests: [FacetRequest],
    disjunctive: Bool = false,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> (
    pages: (repeat HitsPage<each Record>), facetValues: [FacetValuesPage]
  ) {
    var batch = FacetedBatch(isDisjunctive: disjunctive)
    for request in repeat each request { batch.add(request) }
    let first = batch.queries.count
    let responses = try await responses(
      to: batch.queries + facetRequests.map(MultiQuery.facetValues), strategy: .none,
      options: options)
    let contents = try batch.contents(in: responses)
    var values: [FacetValuesPage] = []
    for (number, request) in facetRequests.enumerated() {
      values.append(try responses.facetValues(at: first + number, of: request))
    }
    var positions = contents.indices.makeIterator()
    return ((repeat contents[positions.next() ?? 0].page(for: each request)), values)
  }

  /// Sends the queries of a batch in one request.
  private func responses(
    to batch: FacetedBatch, strategy: MultiQueryStrategy, options: RequestOptions
  ) async throws(SearchError) -> MultiQueryResponses {
    guard strategy == .none || !batch.isDisjunctive else {
      throw SearchError(
        .invalidRequest,
        "Disjunctive counts need every query. The strategy \"\(strategy.rawValue)\" can skip some."
      )
    }
    return try await responses(to: batch.queries, strategy: strategy, options: options)
  }
}

/// One query of a multi-query request.
enum MultiQuery: Sendable {
  /// A search for hits.
  case hits(indexName: String, SearchQuery)
  /// A search for values of a facet.
  case facetValues(FacetRequest)

  var indexName: String {
    switch self {
    case .hits(let indexName, _): indexName
    case .facetValues(let request): request.indexName
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("indexName")
    writer.string(indexName)
    switch self {
    case .hits(_, let query): query.writeMembers(to: &writer)
    case .facetValues(let request):
      writer.key("type")
      writer.string("facet")
      writer.key("facet")
      writer.string(request.attribute.rawValue)
      if !request.facetQuery.isEmpty {
        writer.key("facetQuery")
        writer.string(request.facetQuery)
      }
      if let maxFacetHits = request.maxFacetHits {
        writer.key("maxFacetHits")
        writer.int(maxFacetHits)
      }
      request.sentContext.writeMembers(to: &writer)
    }
    writer.endObject()
  }
}

/// The responses to the queries of one multi-query request, by position.
///
/// A response that is missing, an error, or of another kind is an error of its own position only.
struct MultiQueryResponses: Sendable {
  let nodes: [JSONNode]
  let options: JSONDecodingOptions
  let context: CallContext
  /// The snapshot of the responses.
  var snapshot: (any Sendable)?
  /// The transport that produced the responses, if known.
  var origin: ResponseOrigin?

  /// Returns the response to a search for hits. The query determines whether it must have hits.
  func hits(at position: Int, to query: SearchQuery?) throws(SearchError) -> UndecodedHits {
    try UndecodedHits(
      node(at: position), to: query, options: options, context: context.ofQuery(at: position),
      snapshot: snapshot, origin: origin)
  }

  /// Returns the response to a search for facet values.
  func facetValues(
    at position: Int, of request: FacetRequest
  ) throws(SearchError) -> FacetValuesPage {
    let context = context.ofQuery(at: position)
    guard let node = node(at: position) else {
      throw context.error(.decoding, "The response has no result for this query.")
    }
    if let error = context.error(in: node, lacking: "facetHits") { throw error }
    do {
      return try FacetValuesPage(
        node: node, options: options, tags: HighlightedString.Tags(request.context))
    } catch {
      throw context.error(.decoding, "The response is not a list of facet values: \(error)")
    }
  }

  /// Returns responses to searches for hits as pages, in order.
  ///
  /// - Parameter isParallel: Whether each page is read by a separate task.
  static func pages<Record>(
    of contents: [UndecodedHits], for requests: [SearchRequest<Record>], inParallel isParallel: Bool
  ) async -> [HitsPage<Record>] {
    guard isParallel else { return zip(contents, requests).map { $0.page(for: $1) } }
    let pages = await withTaskGroup { group in
      for (position, content) in contents.enumerated() {
        group.addTask { (position, content.page(for: requests[position])) }
      }
      return await group.reduce(into: [Int: HitsPage<Record>]()) { $0[$1.0] = $1.1 }
    }
    return requests.indices.compactMap { pages[$0] }
  }

  /// The total length of the responses in bytes.
  var byteCount: Int { nodes.reduce(0) { $0 + $1.sourceRange.count } }

  private func node(at position: Int) -> JSONNode? {
    nodes.indices.contains(position) ? nodes[position] : nil
  }
}

extension SearchClient {
  /// Sends several queries in one request. Without queries nothing is sent.
  func responses(
    to queries: [MultiQuery], strategy: MultiQueryStrategy, options: RequestOptions
  ) async throws(SearchError) -> MultiQueryResponses {
    let call = EndpointCall(
      .multiQuery,
      body: queries.isEmpty ? [] : Self.body(of: queries, strategy: strategy),
      indexNames: queries.map(\.indexName))
    return try await responses(to: call, count: queries.count, options: options)
  }

  /// Returns the responses to a call of `count` queries. Without queries nothing is sent.
  func responses(
    to call: EndpointCall, count: Int, options: RequestOptions
  ) async throws(SearchError) -> MultiQueryResponses {
    let response = count == 0 ? nil : try await response(to: call, options: options)
    let context = CallContext(call)
    let nodes = try response.map { response throws(SearchError) in
      try Self.results(in: response.document.root, count: count, context: context)
    }
    return MultiQueryResponses(
      nodes: nodes ?? [],
      options: decoding.options,
      context: context,
      snapshot: response?.snapshot,
      origin: response?.origin)
  }

  /// Returns the results in a response to `count` queries. There can be fewer, because each one is
  /// validated separately.
  ///
  /// - Throws: `decoding` if there are more, because they cannot be matched with the queries.
  private static func results(
    in root: JSONNode, count: Int, context: CallContext
  ) throws(SearchError) -> [JSONNode] {
    guard let results = root["results"] else {
      throw context.error(in: root, lacking: "results")
        ?? context.error(.decoding, "The response has no results.")
    }
    let nodes = Array(results.elements)
    guard nodes.count <= count else {
      throw context.error(
        .decoding, "The response has \(nodes.count) results for \(count) queries.")
    }
    return nodes
  }

  /// Returns the responses to searches as pages. Long ones are read in parallel.
  func pages<Record>(
    of contents: [UndecodedHits], in responses: MultiQueryResponses,
    for requests: [SearchRequest<Record>]
  ) async -> [HitsPage<Record>] {
    let isLong = requests.count > 1 && responses.byteCount >= bytesToReadInParallel
    return await MultiQueryResponses.pages(of: contents, for: requests, inParallel: isLong)
  }

  /// Returns the body of a call with several searches.
  package static func body<Record>(
    of requests: [SearchRequest<Record>], strategy: MultiQueryStrategy = .none
  ) -> [UInt8] {
    body(of: queries(of: requests), strategy: strategy)
  }

  /// Returns searches as queries of one call.
  static func queries<Record>(of requests: [SearchRequest<Record>]) -> [MultiQuery] {
    requests.map { .hits(indexName: $0.indexName, $0.sentQuery) }
  }

  private static func body(of queries: [MultiQuery], strategy: MultiQueryStrategy) -> [UInt8] {
    var writer = JSONWriter(capacity: 1_024 * queries.count)
    writer.beginObject()
    writer.key("requests")
    writer.beginArray()
    for query in queries { query.write(to: &writer) }
    writer.endArray()
    if strategy != .none {
      writer.key("strategy")
      writer.string(strategy.rawValue)
    }
    writer.endObject()
    return writer.bytes
  }
}
