extension SearchClient {
  /// Searches several indices, or one several times, in one request; all records have one type.
  ///
  /// The pages come in the order of the requests. A request that fails makes the whole call fail,
  /// as the contract has it; without requests nothing is sent.
  ///
  /// - Parameters:
  ///   - requests: The searches.
  ///   - strategy: How the queries are run; all of them by default.
  ///   - disjunctive: Whether facets that are filtered by OR, or held to numbers, are counted
  ///     without their own filters; `false` by default. The queries for that go in the same HTTP
  ///     request, and count towards the number that the service takes in one, which is 50. Not
  ///     available with a strategy that may leave queries out.
  ///   - options: What to add to the call.
  @concurrent
  public func search<Record>(
    _ requests: [SearchRequest<Record>],
    strategy: MultiQueryStrategy = .none,
    disjunctive: Bool = false,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> [HitsPage<Record>] {
    var batch = FacetedBatch(isDisjunctive: disjunctive)
    for request in requests { batch.add(request) }
    let answers = try await answers(to: batch, strategy: strategy, options: options)
    return try await pages(of: batch.contents(in: answers), in: answers, for: requests)
  }

  /// Searches several indices in one request, each with a record type of its own.
  ///
  ///     let (films, people) = try await client.search(
  ///       SearchRequest("films", SearchQuery("tom"), of: Hit<Film>.self),
  ///       SearchRequest("people", SearchQuery("tom"), of: Hit<Person>.self))
  ///
  /// The pages come as a tuple, matched with the requests by position; without requests nothing is
  /// sent and the tuple is empty. The other parameters are those of the search for a list of
  /// requests.
  @concurrent
  public func search<each Record>(
    _ request: repeat SearchRequest<each Record>,
    strategy: MultiQueryStrategy = .none,
    disjunctive: Bool = false,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> (repeat HitsPage<each Record>) {
    var batch = FacetedBatch(isDisjunctive: disjunctive)
    for request in repeat each request { batch.add(request) }
    let answers = try await answers(to: batch, strategy: strategy, options: options)
    let contents = try batch.contents(in: answers)
    var positions = contents.indices.makeIterator()
    return (repeat contents[positions.next() ?? 0].page(for: each request))
  }

  /// Sends the queries of a batch in one request.
  private func answers(
    to batch: FacetedBatch, strategy: MultiQueryStrategy, options: RequestOptions
  ) async throws(SearchError) -> MultiQueryAnswers {
    guard strategy == .none || !batch.isDisjunctive else {
      throw SearchError(
        .invalidRequest,
        "Disjunctive counts need every query, which the strategy \"\(strategy.rawValue)\" does not run."
      )
    }
    return try await answers(to: batch.queries, strategy: strategy, options: options)
  }
}
