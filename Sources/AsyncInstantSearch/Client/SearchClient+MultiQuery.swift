import SearchJSON

extension SearchClient {
  /// Searches several indices, or one several times, in one request; all records have one type.
  ///
  /// The pages come in the order of the requests. A request that fails makes the whole call fail,
  /// as the contract has it; without requests nothing is sent.
  @concurrent
  public func search<Record>(
    _ requests: [SearchRequest<Record>],
    strategy: MultiQueryStrategy = .none,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> [HitsPage<Record>] {
    var results = try await results(
      of: requests.map { ($0.indexName, $0.sentQuery) }, strategy: strategy, options: options)
    var pages: [HitsPage<Record>] = []
    for request in requests { pages.append(try results.next(for: request)) }
    return pages
  }

  /// Searches several indices in one request, each with a record type of its own.
  ///
  ///     let (films, people) = try await client.search(
  ///       SearchRequest("films", SearchQuery("tom"), of: Hit<Film>.self),
  ///       SearchRequest("people", SearchQuery("tom"), of: Hit<Person>.self))
  ///
  /// The pages come as a tuple, matched with the requests by position; without requests nothing is
  /// sent and the tuple is empty.
  @concurrent
  public func search<each Record>(
    _ request: repeat SearchRequest<each Record>,
    strategy: MultiQueryStrategy = .none,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> (repeat HitsPage<each Record>) {
    var queries: [(String, SearchQuery)] = []
    for request in repeat each request { queries.append((request.indexName, request.sentQuery)) }
    var results = try await results(of: queries, strategy: strategy, options: options)
    return (repeat try results.next(for: each request))
  }

  /// The answers to several queries of one index before they are given types, in order.
  func contents(
    of queries: [SearchQuery], in indexName: String, options: RequestOptions
  ) async throws(SearchError) -> [HitsContent] {
    var results = try await results(
      of: queries.map { (indexName, $0) }, strategy: .none, options: options)
    var contents: [HitsContent] = []
    for _ in queries { contents.append(try results.next()) }
    return contents
  }

  private func results(
    of queries: [(indexName: String, query: SearchQuery)],
    strategy: MultiQueryStrategy,
    options: RequestOptions
  ) async throws(SearchError) -> MultiQueryResults {
    let call = Call(
      path: ["1", "indexes", "*", "queries"],
      body: queries.isEmpty ? [] : Self.body(of: queries, strategy: strategy),
      indexNames: queries.map(\.indexName))
    let document = queries.isEmpty ? nil : try await document(of: call, options: options)
    return MultiQueryResults(
      nodes: document?.root["results"].map { Array($0.elements) } ?? [],
      options: decoding.options,
      context: CallContext(call))
  }

  private static func body(
    of queries: [(indexName: String, query: SearchQuery)], strategy: MultiQueryStrategy
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("requests")
    writer.beginArray()
    for (indexName, query) in queries {
      writer.beginObject()
      writer.key("indexName")
      writer.string(indexName)
      query.writeMembers(to: &writer)
      writer.endObject()
    }
    writer.endArray()
    if strategy != .none {
      writer.key("strategy")
      writer.string(strategy.rawValue)
    }
    writer.endObject()
    return writer.bytes
  }
}

/// The results of a multi-query request, handed out in order.
private struct MultiQueryResults {
  let nodes: [JSONNode]
  let options: JSONDecodingOptions
  let context: CallContext
  var position = 0

  init(nodes: [JSONNode], options: JSONDecodingOptions, context: CallContext) {
    self.nodes = nodes
    self.options = options
    self.context = context
  }

  mutating func next<Record>(
    for request: SearchRequest<Record>
  ) throws(SearchError) -> HitsPage<Record> {
    try next().page(for: request)
  }

  mutating func next() throws(SearchError) -> HitsContent {
    defer { position += 1 }
    let node = position < nodes.count ? nodes[position] : nil
    return try HitsContent(node, options: options, context: context)
  }
}
