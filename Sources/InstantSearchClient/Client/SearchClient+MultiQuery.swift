package import InstantSearchJSON

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
    let needs = try SearchNeeds(isDisjunctive: disjunctive, in: strategy)
    let plans = requests.map { SearchPlan($0.reading(JSON.self), needs: needs) }
    let responses = try await responses(to: plans, strategy: strategy, options: options)
    let answers = try responses.answers(to: plans)
    return await pages(plans.count, in: responses) { answers[$0].decode(Record.self) }
  }

  /// Searches several indices in one request, each with a separate record type.
  ///
  ///     let (films, people) = try await client.search(
  ///       SearchRequest("films", SearchQuery("tom"), of: Hit<Film>.self),
  ///       SearchRequest("people", SearchQuery("tom"), of: Hit<Person>.self))
  ///
  /// The pages are a tuple in the order of the requests. Without requests nothing is sent and the
  /// tuple is empty. The other parameters match the search for a list of requests.
  @concurrent
  public func search<each Record>(
    _ request: repeat SearchRequest<each Record>,
    strategy: MultiQueryStrategy = .none,
    disjunctive: Bool = false,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> (repeat HitsPage<each Record>) {
    let needs = try SearchNeeds(isDisjunctive: disjunctive, in: strategy)
    var plans: [SearchPlan] = []
    for request in repeat each request {
      plans.append(SearchPlan(request.reading(JSON.self), needs: needs))
    }
    let responses = try await responses(to: plans, strategy: strategy, options: options)
    let answers = try responses.answers(to: plans)
    var positions = answers.indices.makeIterator()
    return (repeat answers[positions.next() ?? 0].decode((each Record).self))
  }

  /// Searches several indices and the values of facets in one request.
  ///
  ///     let (films, facets) = try await client.search(
  ///       SearchRequest("films", SearchQuery("tom"), of: Hit<Film>.self),
  ///       facetValues: [FacetRequest("films", attribute: "genres", facetQuery: "we")])
  ///
  /// The parameters match the search without facet values. The pages are a tuple in the order of
  /// the requests; a single page is not wrapped in a tuple.
  @concurrent
  public func search<each Record>(
    _ request: repeat SearchRequest<each Record>,
    facetValues facetRequests: [FacetRequest],
    disjunctive: Bool = false,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> (
    pages: (repeat HitsPage<each Record>), facetValues: [FacetValuesPage]
  ) {
    var plans: [SearchPlan] = []
    for request in repeat each request {
      plans.append(
        SearchPlan(
          request.reading(JSON.self), needs: SearchNeeds(isDisjunctive: disjunctive)))
    }
    let queries = plans.flatMap(\.multiQueries)
    let responses = try await responses(
      to: queries + facetRequests.map(MultiQuery.facetValues), strategy: .none, options: options)
    let answers = try responses.answers(to: plans)
    var values: [FacetValuesPage] = []
    for (number, request) in facetRequests.enumerated() {
      values.append(try responses.facetValues(at: queries.count + number, of: request))
    }
    var positions = answers.indices.makeIterator()
    return ((repeat answers[positions.next() ?? 0].decode((each Record).self)), values)
  }

  /// Sends the queries of several searches in one request.
  package func responses(
    to plans: [SearchPlan], strategy: MultiQueryStrategy = .none, options: RequestOptions
  ) async throws(SearchError) -> MultiQueryResponses {
    try await responses(
      to: plans.flatMap(\.multiQueries), strategy: strategy, options: options)
  }
}

extension SearchNeeds {
  /// - Throws: `invalidRequest` if the strategy can skip queries that counts need.
  fileprivate init(
    isDisjunctive: Bool, in strategy: MultiQueryStrategy
  ) throws(SearchError) {
    guard strategy == .none || !isDisjunctive else {
      throw SearchError(
        .invalidRequest,
        "Disjunctive counts need every query. The strategy \"\(strategy.rawValue)\" can skip some."
      )
    }
    self.init(isDisjunctive: isDisjunctive)
  }
}

/// One query of a multi-query request.
package enum MultiQuery: Sendable {
  /// A search for hits.
  case hits(indexName: String, SearchQuery)
  /// A search for values of a facet.
  case facetValues(FacetRequest)

  package var indexName: String {
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

extension SearchPlan {
  /// All queries as queries of one request.
  package var multiQueries: [MultiQuery] {
    queries.map { .hits(indexName: indexName, $0) } + nested.flatMap(\.multiQueries)
  }
}

/// The responses to the queries of one multi-query request, by position.
///
/// A missing response, an error response or one of another kind is an error of its position only.
package struct MultiQueryResponses: Sendable {
  let nodes: [JSONNode]
  let options: JSONDecodingOptions
  let context: CallContext
  /// The snapshot of the responses.
  var snapshot: (any Sendable)?
  /// The transport that produced the responses, if known.
  var origin: ResponseOrigin?

  package init(
    nodes: [JSONNode], options: JSONDecodingOptions, context: CallContext,
    snapshot: (any Sendable)? = nil, origin: ResponseOrigin? = nil
  ) {
    self.nodes = nodes
    self.options = options
    self.context = context
    self.snapshot = snapshot
    self.origin = origin
  }

  /// Returns the answer to a search.
  ///
  /// - Parameters:
  ///   - plan: The queries of the search.
  ///   - position: The position of its first response.
  ///   - generation: The number of the search. Defaults to 0, without a searcher.
  ///   - report: Receives hits that do not decode. By default they are not reported.
  package func answer(
    to plan: SearchPlan, at position: Int, generation: UInt64 = 0,
    report: @escaping @Sendable (SearchError) -> Void = { _ in }
  ) throws(SearchError) -> SearchAnswer {
    var results: [QueryResult] = []
    for index in 0...plan.countQueries.count {
      do throws(SearchError) {
        results.append(try result(at: position + index, to: index == 0 ? plan.hitsQuery : nil))
      } catch {
        var error = error
        error.indexName = plan.indexName
        throw error
      }
    }
    var next = position + results.count
    var nested: [SearchAnswer] = []
    for plan in plan.nested {
      nested.append(try answer(to: plan, at: next))
      next += plan.queryCount
    }
    return SearchAnswer(to: plan, results, nested: nested, generation: generation, report: report)
  }

  /// Returns the answers to searches, in order.
  ///
  /// - Throws: The error of the first search that has no answer.
  package func answers(to plans: [SearchPlan]) throws(SearchError) -> [SearchAnswer] {
    var answers: [SearchAnswer] = []
    var position = 0
    for plan in plans {
      answers.append(try answer(to: plan, at: position))
      position += plan.queryCount
    }
    return answers
  }

  /// Returns the result of a query for hits. The query determines whether it must have hits.
  package func result(at position: Int, to query: SearchQuery?) throws(SearchError) -> QueryResult {
    try QueryResult(
      node(at: position), to: query, options: options, context: context.ofQuery(at: position),
      snapshot: snapshot, origin: origin)
  }

  /// Returns the response to a search for facet values.
  package func facetValues(
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

  /// The total length of the responses in bytes.
  package var byteCount: Int { nodes.reduce(0) { $0 + $1.sourceRange.count } }

  private func node(at position: Int) -> JSONNode? {
    nodes.indices.contains(position) ? nodes[position] : nil
  }
}

extension SearchClient {
  /// Sends several queries in one request. Without queries nothing is sent.
  package func responses(
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

  /// Returns a number of pages in order. Long responses are read in parallel.
  ///
  /// - Parameter page: Reads the page at a position.
  func pages<Record>(
    _ count: Int, in responses: MultiQueryResponses,
    _ page: @escaping @Sendable (Int) -> HitsPage<Record>
  ) async -> [HitsPage<Record>] {
    let isLong = count > 1 && responses.byteCount >= bytesToReadInParallel
    guard isLong else { return (0..<count).map(page) }
    let pages = await withTaskGroup { group in
      for position in 0..<count { group.addTask { (position, page(position)) } }
      return await group.reduce(into: [Int: HitsPage<Record>]()) { $0[$1.0] = $1.1 }
    }
    return (0..<count).compactMap { pages[$0] }
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
