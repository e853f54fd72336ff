import Dispatch
import InstantSearchAPI
import InstantSearchJSON

extension ReadCall {
  /// Performs `POST /1/indexes/{index}/query`.
  func answerQuery(_ indexName: String) throws -> TransportResponse {
    let elapsed = configuration.stopwatch()
    let snapshot = try snapshot(of: indexName)
    let search = try resolved(query(), indexName, snapshot)
    let mistakes = try mistakes(of: search, in: snapshot)
    let result = try SearchExecution(snapshot: snapshot, search: search, cancellation: cancellation)
      .result()
    var writer = JSONWriter(capacity: 16_384)
    try SearchResponse(
      search: search, result: result, source: HitSource(snapshot, cancellation),
      cancellation: cancellation,
      mistakes: mistakes, processingTime: elapsed()
    ).write(to: &writer)
    return try response(writer, indexNames: [indexName])
  }

  /// Performs `POST /1/indexes/{index}/facets/{facet}/query`.
  func answerFacetQuery(_ indexName: String, _ facet: String) throws -> TransportResponse {
    let elapsed = configuration.stopwatch()
    let snapshot = try snapshot(of: indexName)
    let facetRequest = try FacetSearchRequest(
      body().root, indexName: indexName, facet: facet, cancellation)
    let search = try facetRequest.search(in: snapshot, cancellation)
    try rejectMistakes(of: search, in: snapshot)
    var writer = JSONWriter()
    try write(facetRequest, search, snapshot, elapsed, to: &writer)
    return try response(writer)
  }

  /// Performs `POST /1/indexes/*/queries`. All queries see the indices at one moment.
  func answerQueries() throws -> TransportResponse {
    let body = try body()
    let requests = try body.objects("requests", cancellation)
    guard requests.count <= Endpoint.maximumQueryCount else {
      throw APIError(
        "Too many queries in one request: \(requests.count), expected at most"
          + " \(Endpoint.maximumQueryCount)")
    }
    var names: Set<String> = []
    var answers: [BatchedQuery] = []
    for (number, node) in requests.enumerated() {
      try cancellation.check()
      let answer = try naming(node, number, of: requests.count) {
        let indexName = try RequestBody.string("indexName", in: node)
        names.insert(indexName)
        let answer = try BatchedQuery(
          node, indexName: indexName, snapshot: snapshot(of: indexName), cancellation)
        if case .hits(let search) = answer.kind { try checkRight(to: search.query) }
        return answer
      }
      answers.append(answer)
    }
    for (number, node) in requests.enumerated() {
      let snapshot = answers[number].snapshot
      try naming(node, number, of: requests.count) {
        switch answers[number].kind {
        case .hits(let search):
          answers[number].mistakes = try mistakes(of: search, in: snapshot)
        case .facet(_, let search):
          try rejectMistakes(of: search, in: snapshot)
        }
      }
    }
    try run(&answers, stopsEarly: stopsEarly(body))
    let hasSkipped = answers.contains { $0.isSkipped }
    var writer = JSONWriter(capacity: 16_384)
    writer.beginObject()
    writer.key("results")
    writer.beginArray()
    for (number, answer) in answers.enumerated() {
      switch answer.kind {
      case .hits: try write(answer, hasSkipped: hasSkipped, to: &writer)
      case .facet:
        // Errors of facet searches are found while they run.
        try naming(requests[number], number, of: requests.count) {
          try write(answer, hasSkipped: hasSkipped, to: &writer)
        }
      }
    }
    writer.endArray()
    writer.endObject()
    return try response(writer, indexNames: names)
  }

  /// Runs code for one of several queries, and adds the query to its errors.
  private func naming<Result>(
    _ node: JSONNode, _ number: Int, of count: Int, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as APIError where count > 1 && error.status != 404 {
      let indexName = node["indexName"]?.string.map { ", index \($0)" } ?? ""
      throw error.at(location: "request \(number)\(indexName)")
    }
  }

  private func stopsEarly(_ body: RequestBody) throws(APIError) -> Bool {
    let strategy = body.root["strategy"]
    switch strategy?.string {
    case nil where strategy?.isNull ?? true: return false
    case "none": return false
    case "stopIfEnoughMatches": return true
    default:
      throw .invalidValue(
        of: "strategy", expected: "\"none\" or \"stopIfEnoughMatches\"",
        got: strategy?.excerpt ?? "")
    }
  }

  /// The number of records of all queries from which running several at once is faster.
  private static let parallelCount = 5000

  private func run(_ answers: inout [BatchedQuery], stopsEarly: Bool) throws {
    let searches = answers.indices.filter { index in
      if case .hits = answers[index].kind { true } else { false }
    }
    let recordCount = searches.reduce(0) { $0 + answers[$1].snapshot.recordCount }
    // A custom executor limits concurrency itself.
    if !stopsEarly, searches.count > 1, configuration.executor == nil,
      recordCount >= Self.parallelCount
    {
      // Other calls keep the places that they have or wait for.
      let spare = configuration.threads.takeSpareReads(atMost: searches.count - 1)
      defer { configuration.threads.returnReads(spare) }
      if spare > 0 { return try runAtOnce(&answers, searches, on: 1 + spare) }
    }
    for index in answers.indices {
      guard case .hits(let search) = answers[index].kind else { continue }
      let elapsed = configuration.stopwatch()
      let result = try SearchExecution(
        snapshot: answers[index].snapshot, search: search, cancellation: cancellation
      ).result()
      answers[index].result = result
      answers[index].processingTime = elapsed()
      if stopsEarly, result.hitCount >= max(1, search.pagination.length) {
        for later in (index + 1)..<answers.endIndex { answers[later].isSkipped = true }
        return
      }
    }
  }

  /// Runs several searches on a number of threads. None starts after one has failed.
  private func runAtOnce(
    _ answers: inout [BatchedQuery], _ searches: [Int], on threadCount: Int
  ) throws {
    let queries = answers
    let left = Lock(searches[...])
    let results = Lock<[Int: Result<(SearchResult, Int), any Error>]>([:])
    let (makeCancellation, configuration) = (cancellation.makeForThreads(), configuration)
    DispatchQueue.concurrentPerform(iterations: threadCount) { _ in
      // One for all queries of a thread, which have one budget and take turns together.
      let cancellation = makeCancellation()
      while let index = left.withLock({ $0.popFirst() }) {
        guard case .hits(let search) = queries[index].kind else { continue }
        let elapsed = configuration.stopwatch()
        let result = Result<(SearchResult, Int), any Error> {
          let result = try SearchExecution(
            snapshot: queries[index].snapshot, search: search, cancellation: cancellation
          ).result()
          return (result, elapsed())
        }
        results.withLock { $0[index] = result }
        if case .failure = result { left.withLock { $0 = [] } }
      }
    }
    let found = results.withLock { $0 }
    for index in searches {
      // The searches before a failed one were started.
      guard let result = found[index] else { continue }
      (answers[index].result, answers[index].processingTime) = try result.get()
    }
  }

  private func write(_ answer: BatchedQuery, hasSkipped: Bool, to writer: inout JSONWriter) throws {
    switch answer.kind {
    case .hits(let search):
      let result = try answer.result ?? .empty(search, cancellation)
      var response = try SearchResponse(
        search: search, result: result, source: HitSource(answer.snapshot, cancellation),
        cancellation: cancellation,
        mistakes: answer.mistakes, processingTime: answer.processingTime)
      if hasSkipped { response.isProcessed = !answer.isSkipped }
      try response.write(to: &writer)
    case .facet(let request, let search):
      if answer.isSkipped {
        try FacetSearch.write([], 0, isProcessed: false, to: &writer, cancellation)
      } else {
        try write(
          request, search, answer.snapshot, configuration.stopwatch(),
          isProcessed: hasSkipped ? true : nil, to: &writer)
      }
    }
  }

  // MARK: Facet values

  private func write(
    _ request: FacetSearchRequest, _ search: ResolvedSearch, _ snapshot: IndexSnapshot,
    _ elapsed: () -> Int, isProcessed: Bool? = nil, to writer: inout JSONWriter
  ) throws {
    let hits = try FacetSearch(
      snapshot: snapshot, search: search, attribute: request.facet,
      facetQuery: request.facetQuery, maxFacetHits: request.maxFacetHits, cancellation: cancellation
    ).run()
    try FacetSearch.write(hits, elapsed(), isProcessed: isProcessed, to: &writer, cancellation)
  }
}
