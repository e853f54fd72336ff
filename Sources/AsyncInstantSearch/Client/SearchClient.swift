@_exported public import InstantSearchAPI
import InstantSearchJSON

/// Sends typed queries to a transport and decodes typed answers.
///
/// A client is a value without state of its own: copy it, share it between tasks, drop it. There is
/// nothing to shut down.
public struct SearchClient: Sendable {
  /// What answers the calls.
  public var transport: any SearchTransport
  /// How dates, keys and unusual numbers of records are read.
  public var decoding: RecordDecoding
  /// From how many bytes on the answers to several searches are read at the same time.
  ///
  /// Measured on two cores, the benchmarks' cases `parallel`: two small pages take 1.4 times as
  /// long that way, 120 KB as long, 400 KB nine tenths and 1.4 MB four fifths of the time.
  package var bytesToReadInParallel = 250_000

  let clock: any Clock<Duration>

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - transport: answers the calls.
  ///   - decoding: how records are read; as `JSONDecoder` reads by default.
  ///   - clock: measures `RequestOptions.timeout`; a continuous clock by default.
  public init(
    transport: some SearchTransport,
    decoding: RecordDecoding = RecordDecoding(),
    clock: some Clock<Duration> = ContinuousClock()
  ) {
    self.transport = transport
    self.decoding = decoding
    self.clock = clock
  }
}

extension SearchClient {
  /// What a call was answered.
  struct ParsedResponse: Sendable {
    var document: JSONDocument
    /// The data that it was made from, where the back end keeps such a thing.
    var snapshot: (any Sendable)?
    /// Who answered, where the transport tells.
    var origin: ResponseOrigin?
  }

  /// Sends a call and parses the answer, off any actor.
  @concurrent
  func answer(
    to call: EndpointCall, options: RequestOptions
  ) async throws(SearchError) -> ParsedResponse {
    let response = try await call.response(over: transport, clock: clock, options: options)
    let context = CallContext(call)
    guard (200..<300).contains(response.status) else { throw context.error(from: response) }
    do {
      return ParsedResponse(
        document: try JSONDocument(response.body), snapshot: response.snapshot,
        origin: response.origin)
    } catch {
      throw context.error(
        .decoding, "The answer is not JSON: \(error)", status: response.status)
    }
  }
}

extension SearchClient {
  /// Searches one index.
  ///
  ///     let page = try await client.search("films", SearchQuery("godfathr"), of: Hit<Film>.self)
  ///
  /// Hits that do not fit `Record` are in the page's `failures`; the others are delivered.
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
  ///   - disjunctive: Whether a facet that the request's `filterGroups` filter by OR, or hold to
  ///     numbers, is counted without its own filters, as a ``HitsSearcher`` counts it; `false` by
  ///     default. The queries for that go in the same HTTP request.
  ///   - options: What to add to the call.
  @concurrent
  public func search<Record>(
    _ request: SearchRequest<Record>,
    disjunctive: Bool = false,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> HitsPage<Record> {
    guard disjunctive else {
      return try await content(of: request, options: options).page(for: request)
    }
    let search = DisjunctiveFaceting(isDisjunctive: true, keepsSelected: true)
    return try await search.content(
      of: request.reading(JSON.self), from: self, options: options
    ).page(for: request)
  }

  /// The answer to a search before it is given a type.
  ///
  /// - Parameter snapshot: The data to be answered from, which is kept as the answer's own: that of
  ///   an earlier answer, for other pages of it.
  func content<Record>(
    of request: SearchRequest<Record>, isBrowsing: Bool = false,
    from snapshot: (any Sendable)? = nil, options: RequestOptions
  ) async throws(SearchError) -> UndecodedHits {
    let index = request.indexName
    let call = EndpointCall(
      isBrowsing ? .browse(index: index) : .search(index: index), body: request.body,
      snapshot: snapshot)
    return try await content(of: call, to: request.query, options: options)
  }

  /// The answer to a call that has one result.
  func content(
    of call: EndpointCall, to query: SearchQuery? = nil, options: RequestOptions
  ) async throws(SearchError) -> UndecodedHits {
    let answer = try await answer(to: call, options: options)
    return try UndecodedHits(
      answer.document.root, to: query, options: decoding.options, context: CallContext(call),
      snapshot: call.snapshot ?? answer.snapshot, origin: answer.origin)
  }
}

extension SearchRequest {
  /// The parameters as they are sent, as one JSON object.
  package var body: [UInt8] {
    var writer = JSONWriter(capacity: 1_024)
    // A copy of the query is made only where something is added to it.
    if filterGroups.isEmpty {
      query.write(to: &writer)
    } else {
      sentQuery.write(to: &writer)
    }
    return writer.bytes
  }
}

/// One result of a hits query, parsed and not yet given a type.
struct UndecodedHits: Sendable {
  private let node: JSONNode
  private let options: JSONDecodingOptions
  /// What other queries of the same search found out about facets.
  var facets: DisjunctiveFacets?
  /// The data that this was made from, for other pages of it.
  let snapshot: (any Sendable)?
  /// Who answered.
  let origin: ResponseOrigin?

  /// Takes a result apart from what cannot be one.
  ///
  /// - Parameter query: The query that was sent, which may have asked for a result without hits.
  init(
    _ node: JSONNode?, to query: SearchQuery?, options: JSONDecodingOptions, context: CallContext,
    snapshot: (any Sendable)? = nil, origin: ResponseOrigin? = nil
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
    facets?.merge(into: &page)
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
