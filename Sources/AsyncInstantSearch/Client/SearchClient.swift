// A program imports the product and finds the types of the search API.
@_exported public import InstantSearchAPI
import InstantSearchJSON

/// Sends typed queries to a transport and decodes typed responses.
///
/// A client is a value without state: copy it, share it between tasks, drop it. There is nothing
/// to shut down.
///
/// Every call ends: at the latest when its task is cancelled, with `cancelled`, or when its
/// `RequestOptions.timeout` has passed, with `timedOut`. This holds for any transport, also for one
/// that ignores cancellation and deadlines, but not for one that blocks the threads of Swift
/// concurrency. What such a transport returns later is dropped, and what it holds is released when
/// it ends. A response that has arrived is decoded first.
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
  ///   - decoding: The decoding strategies of records. Defaults to those of `JSONDecoder`.
  ///   - clock: The clock that measures `RequestOptions.timeout`. Defaults to `ContinuousClock`.
  ///   - executor: Runs a transport that may not end in time, in a task of its own. Defaults to the
  ///     global executor, or that of the searcher that makes the call.
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

  /// Returns the client with an executor, unless it has one.
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
  ///     numbers, is counted without its own filters, as in a ``HitsSearcher``. Defaults to
  ///     `false`. The additional queries are part of the same HTTP request.
  ///   - options: Options of the call.
  @concurrent
  public func search<Record>(
    _ request: SearchRequest<Record>,
    disjunctive: Bool = false,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> HitsPage<Record> {
    guard disjunctive else {
      return try await content(of: request, options: options).page(for: request)
    }
    return try await DisjunctiveFaceting.standard.content(
      of: request.reading(JSON.self), from: self, options: options
    ).page(for: request)
  }

  /// Returns the result of a search without decoding its hits.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot of an earlier response, to get other pages of the same data. It
  ///     becomes the snapshot of the result. Defaults to none.
  ///   - requiresHits: Whether a result without hits is an error, unless the query requested one.
  ///     Defaults to `false`.
  func content<Record>(
    of request: SearchRequest<Record>, isBrowsing: Bool = false,
    from snapshot: (any Sendable)? = nil, requiresHits: Bool = false, options: RequestOptions
  ) async throws(SearchError) -> UndecodedHits {
    let index = request.indexName
    let call = EndpointCall(
      isBrowsing ? .browse(index: index) : .search(index: index), body: request.body,
      snapshot: snapshot)
    return try await content(
      of: call, to: request.query, requiresHits: requiresHits, options: options)
  }

  /// Returns the result of a call that has one result.
  func content(
    of call: EndpointCall, to query: SearchQuery? = nil, requiresHits: Bool = false,
    options: RequestOptions
  ) async throws(SearchError) -> UndecodedHits {
    let response = try await response(to: call, options: options)
    return try UndecodedHits(
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

/// One result of a hits query, parsed but not decoded.
struct UndecodedHits: Sendable {
  private let node: JSONNode
  private let options: JSONDecodingOptions
  /// The merged responses to all queries of the search; `nil` if there was no other query.
  var answer: IndexAnswer?
  /// The snapshot of the result, for other pages of the same data.
  let snapshot: (any Sendable)?
  /// The transport that produced the response, if known.
  let origin: ResponseOrigin?

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
  var json: JSON { JSON(node: node) }

  /// The text of the whole result.
  var text: String { String(decoding: node.source, as: UTF8.self) }

  /// Returns the hit at a position of the result as JSON; `nil` if there is none.
  func rawHit(at position: Int) -> JSON? {
    node["hits"]?[position].map(JSON.init(node:))
  }

  /// Returns the result as a page of the request's record type.
  func page<Record>(
    for request: SearchRequest<Record>, generation: UInt64 = 0
  ) -> HitsPage<Record> {
    var page = HitsPage<Record>(node: node, options: options, query: request.query)
    page.request = request
    page.generation = generation
    page.origin = origin
    answer?.complete(&page)
    return page
  }
}

extension HitsPage {
  /// The page's failures as one error; `nil` if every hit was decoded.
  package var failureError: SearchError? { error(for: failures) }

  /// Returns some of the page's failures as one error; `nil` if there are none.
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
  /// Whether the query requests hits, or other fields only; `nil` if the settings decide.
  fileprivate var requestsHits: Bool? {
    var query = self
    query.adoptAdditional(.responseFields)
    return query.responseFields.map { $0.contains("hits") || $0.contains("*") }
  }
}
