// A program imports the product and finds the types of the search API.
@_exported public import InstantSearchAPI
import InstantSearchJSON

/// Sends typed queries to a transport and decodes typed responses.
///
/// Use it for awaited calls; a searcher, such as `HitsSearcher`, follows a request that changes.
///
/// A client is a value without state: copy it, share it between tasks, drop it. There is nothing
/// to shut down.
///
/// Every call ends: at the latest when its task is cancelled, with `cancelled`, or when its
/// `RequestOptions.timeout` has passed, with `timedOut`. This holds for any transport that does not
/// block the threads of Swift concurrency, even if it ignores cancellation and deadlines. A late
/// result of such a transport is dropped, and its resources are released when it ends. A response
/// that has arrived is decoded first.
public struct SearchClient: Sendable {
  /// The transport of the calls.
  public var transport: any SearchTransport
  /// The decoding strategies for dates, keys and special numbers of records.
  public var decoding: RecordDecoding
  /// The encoding strategies of records that are written. `nil`, the default, writes them as
  /// ``decoding`` reads them.
  public var encoding: RecordEncoding?
  /// The size in bytes above which the responses to several searches are read in parallel.
  ///
  /// Measured on two cores: in parallel, two small pages take 1.4 times as long, 120 KB the same
  /// time, 400 KB 90 percent and 1.4 MB 80 percent of the time.
  package var bytesToReadInParallel = 250_000

  let clock: any Clock<Duration>
  private var executor: (any TaskExecutor)?

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - transport: The transport of the calls.
  ///   - decoding: The decoding strategies of records. Defaults to the strategies of `JSONDecoder`.
  ///   - clock: The clock that measures `RequestOptions.timeout`. Defaults to `ContinuousClock`.
  ///   - executor: Runs a transport that may not end in time, in a separate task. Defaults to the
  ///     global executor, or to the executor of the searcher that makes the call.
  public init(
    transport: some SearchTransport,
    decoding: RecordDecoding = RecordDecoding(),
    clock: some Clock<Duration> = ContinuousClock(),
    executor: (any TaskExecutor)? = nil
  ) {
    self.transport = transport
    self.decoding = decoding
    self.clock = clock
    self.executor = executor
  }

  /// Returns the client with an executor, unless it already has one.
  package func running(on executor: (any TaskExecutor)?) -> SearchClient {
    var client = self
    client.executor = self.executor ?? executor
    return client
  }
}

extension SearchClient {
  /// The parsed response to a call.
  struct ParsedResponse: Sendable {
    var document: JSONDocument
    /// The snapshot of the response, if the back end supports snapshots.
    var snapshot: (any Sendable)?
    /// The transport that produced the response, if known.
    var origin: ResponseOrigin?
  }

  /// Sends a call and returns its response, regardless of its status.
  @concurrent
  func rawResponse(
    to call: EndpointCall, options: RequestOptions
  ) async throws(SearchError) -> TransportResponse {
    try await call.response(over: transport, clock: clock, executor: executor, options: options)
  }

  /// Sends a call and parses the response, outside of any actor.
  @concurrent
  func response(
    to call: EndpointCall, options: RequestOptions
  ) async throws(SearchError) -> ParsedResponse {
    let response = try await rawResponse(to: call, options: options)
    let context = CallContext(call)
    guard (200..<300).contains(response.status) else { throw context.error(from: response) }
    do {
      return ParsedResponse(
        document: try JSONDocument(response.body), snapshot: response.snapshot,
        origin: response.origin)
    } catch {
      throw context.error(
        .decoding, "The response is not valid JSON: \(error)", status: response.status)
    }
  }
}

extension SearchClient {
  /// Searches one index.
  ///
  ///     let page = try await client.search("films", SearchQuery("godfathr"), of: Hit<Film>.self)
  ///
  /// Hits that do not match `Record` are in the page's `failures`. The others are returned.
  public func search<Record>(
    _ indexName: String,
    _ query: SearchQuery = SearchQuery(),
    of type: Record.Type,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> HitsPage<Record> {
    try await search(SearchRequest(indexName, query, of: type), options: options)
  }

  /// Searches one index.
  ///
  ///     var filters = FilterGroups()
  ///     filters[or: "genres"].add("genres" == "Western", "genres" == "War")
  ///     let query = SearchQuery().with { $0.facets = ["genres"] }
  ///     let page = try await client.search(
  ///       SearchRequest("films", query, of: Hit<Film>.self, filterGroups: filters),
  ///       disjunctive: true)
  ///
  /// - Parameters:
  ///   - request: The index, the query, the filters and the type of the hits.
  ///   - disjunctive: Whether a facet that the request's `filterGroups` filter by OR, or by
  ///     numbers, is counted without its own filters, as in a `HitsSearcher`. Defaults to
  ///     `false`. The additional queries are part of the same HTTP request.
  ///   - options: Options of the call.
  @concurrent
  public func search<Record>(
    _ request: SearchRequest<Record>,
    disjunctive: Bool = false,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> HitsPage<Record> {
    let plan = SearchPlan(
      request.reading(JSON.self), needs: SearchNeeds(isDisjunctive: disjunctive))
    return try await answer(to: plan, options: options).decode(Record.self)
  }

  /// Searches with one request, which is a plain search if there is only the query for hits.
  ///
  /// - Parameters:
  ///   - plan: The queries.
  ///   - snapshot: The snapshot of an earlier answer, to get other pages of the same data. It
  ///     becomes the snapshot of the result. Defaults to none.
  ///   - options: Options of the call.
  ///   - generation: The number of the search. Defaults to 0, without a searcher.
  ///   - report: Receives hits that do not decode. By default they are not reported.
  package func answer(
    to plan: SearchPlan, from snapshot: (any Sendable)? = nil, options: RequestOptions,
    generation: UInt64 = 0, report: @escaping @Sendable (SearchError) -> Void = { _ in }
  ) async throws(SearchError) -> SearchAnswer {
    if plan.countQueries.isEmpty, plan.nested.isEmpty {
      let request = SearchRequest(plan.indexName, plan.hitsQuery, of: JSON.self)
      return SearchAnswer(
        to: plan, [try await result(of: request, from: snapshot, options: options)],
        generation: generation, report: report)
    }
    let responses = try await responses(
      to: plan.multiQueries, strategy: .none, options: options)
    return try responses.answer(to: plan, at: 0, generation: generation, report: report)
  }

  /// Returns the result of a search without decoding its hits.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot of an earlier response, to get other pages of the same data. It
  ///     becomes the snapshot of the result. Defaults to none.
  ///   - requiresHits: Whether a result without hits is an error, unless the query requested such a
  ///     result. Defaults to `false`.
  func result<Record>(
    of request: SearchRequest<Record>, isBrowsing: Bool = false,
    from snapshot: (any Sendable)? = nil, requiresHits: Bool = false, options: RequestOptions
  ) async throws(SearchError) -> QueryResult {
    let index = request.indexName
    let call = EndpointCall(
      isBrowsing ? .browse(index: index) : .search(index: index), body: request.body,
      snapshot: snapshot)
    return try await result(
      of: call, to: request.query, requiresHits: requiresHits, options: options)
  }

  /// Returns the result of a call that has one result.
  func result(
    of call: EndpointCall, to query: SearchQuery? = nil, requiresHits: Bool = false,
    options: RequestOptions
  ) async throws(SearchError) -> QueryResult {
    let response = try await response(to: call, options: options)
    return try QueryResult(
      response.document.root, to: query, requiresHits: requiresHits, options: decoding.options,
      context: CallContext(call), snapshot: call.snapshot ?? response.snapshot,
      origin: response.origin)
  }
}

extension SearchRequest {
  /// The parameters as one JSON object, as they are sent.
  package var body: [UInt8] {
    var writer = JSONWriter(capacity: 1_024)
    // The query is copied only if something is added to it.
    if filterGroups.isEmpty {
      query.write(to: &writer)
    } else {
      sentQuery.write(to: &writer)
    }
    return writer.bytes
  }
}

extension HitsPage {
  /// The page's failures as one error; `nil` if every hit was decoded.
  package var failureError: SearchError? { error(for: failures) }

  /// Returns some of the page's failures as one error; `nil` without failures.
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
