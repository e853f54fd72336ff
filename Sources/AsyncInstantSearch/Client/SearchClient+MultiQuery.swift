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
    let answers = try await answers(
      to: Self.queries(of: requests), strategy: strategy, options: options)
    return try await pages(of: answers, for: requests)
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
    var queries: [MultiQuery] = []
    for request in repeat each request {
      queries.append(.hits(indexName: request.indexName, request.sentQuery))
    }
    let answers = try await answers(to: queries, strategy: strategy, options: options)
    var positions = (0..<queries.count).makeIterator()
    return (repeat try answers.hits(at: positions.next() ?? 0).page(for: each request))
  }
}
