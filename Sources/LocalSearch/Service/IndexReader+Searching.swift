import InstantSearchJSON

extension IndexReader {
  /// The maximum number of queries in one call.
  static let maximumQueryCount = 50

  /// Performs `POST /1/indexes/{index}/query`.
  func answerQuery(
    _ request: TransportRequest, _ indexName: String, _ checkpoint: Checkpoint
  ) throws -> TransportResponse {
    let elapsed = configuration.stopwatch()
    let snapshot = try snapshot(of: indexName)
    let query = try RequestBody.query(in: RequestBody(request.body, checkpoint).root, checkpoint)
    let search = try ResolvedSearch(
      query, indexName: indexName, settings: snapshot.settings, checkpoint)
    let mistakes = try configuration.mistakePolicy.mistakes(of: search, in: snapshot, checkpoint)
    let result = try SearchExecution(snapshot: snapshot, search: search, checkpoint: checkpoint)
      .result()
    var writer = JSONWriter(capacity: 16_384)
    try SearchResponse(
      search: search, result: result, snapshot: snapshot, mistakes: mistakes,
      processingTime: elapsed()
    ).write(to: &writer, checkpoint)
    return try TransportResponse(
      writer, snapshot: self.restricted(toIndices: [indexName]), checkpoint)
  }

  /// Performs `POST /1/indexes/{index}/facets/{facet}/query`.
  func answerFacetQuery(
    _ request: TransportRequest, _ indexName: String, _ facet: String, _ checkpoint: Checkpoint
  ) throws -> TransportResponse {
    let elapsed = configuration.stopwatch()
    let snapshot = try snapshot(of: indexName)
    let body = try RequestBody(request.body, checkpoint)
    let facetRequest = try FacetSearchRequest(
      body.root, indexName: indexName, facet: facet, checkpoint)
    let search = try facetRequest.search(in: snapshot, checkpoint)
    try configuration.mistakePolicy.rejectMistakes(of: search, in: snapshot, checkpoint)
    var writer = JSONWriter()
    try write(facetRequest, search, snapshot, elapsed, to: &writer, checkpoint)
    return try TransportResponse(writer, checkpoint)
  }

  /// Performs `POST /1/indexes/*/queries`. All queries see the indices at one moment.
  func answerQueries(
    _ request: TransportRequest, _ checkpoint: Checkpoint
  ) throws -> TransportResponse {
    let body = try RequestBody(request.body, checkpoint)
    let requests = try body.objects("requests", checkpoint)
    guard requests.count <= Self.maximumQueryCount else {
      throw APIError(
        "Too many queries in one request: \(requests.count), expected at most"
          + " \(Self.maximumQueryCount)")
    }
    var names: Set<String> = []
    var answers: [BatchedQuery] = []
    for (number, node) in requests.enumerated() {
      try checkpoint.check()
      let answer = try naming(node, number, of: requests.count) {
        let indexName = try RequestBody.string("indexName", in: node)
        names.insert(indexName)
        return try BatchedQuery(
          node, indexName: indexName, snapshot: snapshot(of: indexName), checkpoint)
      }
      answers.append(answer)
    }
    for (number, node) in requests.enumerated() {
      let snapshot = answers[number].snapshot
      try naming(node, number, of: requests.count) {
        switch answers[number].kind {
        case .hits(let search):
          answers[number].mistakes = try configuration.mistakePolicy.mistakes(
            of: search, in: snapshot, checkpoint)
        case .facet(_, let search):
          try configuration.mistakePolicy.rejectMistakes(of: search, in: snapshot, checkpoint)
        }
      }
    }
    try run(&answers, stopsEarly: try stopsEarly(body), checkpoint)
    let hasSkipped = answers.contains { $0.isSkipped }
    var writer = JSONWriter(capacity: 16_384)
    writer.beginObject()
    writer.key("results")
    writer.beginArray()
    for (number, answer) in answers.enumerated() {
      switch answer.kind {
      case .hits: try write(answer, hasSkipped: hasSkipped, to: &writer, checkpoint)
      case .facet:
        // Errors of facet searches are found while they run.
        try naming(requests[number], number, of: requests.count) {
          try write(answer, hasSkipped: hasSkipped, to: &writer, checkpoint)
        }
      }
    }
    writer.endArray()
    writer.endObject()
    return try TransportResponse(writer, snapshot: restricted(toIndices: names), checkpoint)
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

  private func run(
    _ answers: inout [BatchedQuery], stopsEarly: Bool, _ checkpoint: Checkpoint
  ) throws {
    for index in answers.indices {
      guard case .hits(let search) = answers[index].kind else { continue }
      let elapsed = configuration.stopwatch()
      let result = try SearchExecution(
        snapshot: answers[index].snapshot, search: search, checkpoint: checkpoint
      ).result()
      answers[index].result = result
      answers[index].processingTime = elapsed()
      if stopsEarly, result.hitCount >= search.pagination.length {
        for later in (index + 1)..<answers.endIndex { answers[later].isSkipped = true }
        return
      }
    }
  }

  private func write(
    _ answer: BatchedQuery, hasSkipped: Bool, to writer: inout JSONWriter,
    _ checkpoint: Checkpoint
  ) throws {
    switch answer.kind {
    case .hits(let search):
      let result = try answer.result ?? .empty(search, checkpoint)
      var response = SearchResponse(
        search: search, result: result, snapshot: answer.snapshot, mistakes: answer.mistakes,
        processingTime: answer.processingTime)
      if hasSkipped { response.isProcessed = !answer.isSkipped }
      try response.write(to: &writer, checkpoint)
    case .facet(let request, let search):
      if answer.isSkipped {
        try writeFacetHits([], 0, isProcessed: false, to: &writer, checkpoint)
      } else {
        try write(
          request, search, answer.snapshot, configuration.stopwatch(),
          isProcessed: hasSkipped ? true : nil, to: &writer, checkpoint)
      }
    }
  }

  // MARK: Facet values

  private func write(
    _ request: FacetSearchRequest, _ search: ResolvedSearch, _ snapshot: IndexSnapshot,
    _ elapsed: () -> Int, isProcessed: Bool? = nil, to writer: inout JSONWriter,
    _ checkpoint: Checkpoint
  ) throws {
    let hits = try FacetSearch(
      snapshot: snapshot, search: search, attribute: request.facet,
      facetQuery: request.facetQuery, maxFacetHits: request.maxFacetHits, checkpoint: checkpoint
    ).run()
    try writeFacetHits(hits, elapsed(), isProcessed: isProcessed, to: &writer, checkpoint)
  }

  private func writeFacetHits(
    _ hits: [FacetSearch.Hit], _ processingTime: Int, isProcessed: Bool?,
    to writer: inout JSONWriter, _ checkpoint: Checkpoint
  ) throws {
    writer.beginObject()
    writer.key("facetHits")
    writer.beginArray()
    for hit in hits {
      try checkpoint.count(text: hit.value, after: writer.count, .facetHits)
      writer.beginObject()
      writer.key("value")
      writer.string(hit.value)
      try checkpoint.count(text: hit.highlighted, after: writer.count, .facetHits)
      writer.key("highlighted")
      writer.string(hit.highlighted)
      writer.key("count")
      writer.int(hit.count)
      writer.endObject()
    }
    writer.endArray()
    writer.key("exhaustiveFacetsCount")
    writer.bool(true)
    if let isProcessed {
      writer.key("processed")
      writer.bool(isProcessed)
    }
    writer.key("processingTimeMS")
    writer.int(processingTime)
    writer.endObject()
    try checkpoint.check(responseSize: writer.count, .facetHits)
  }
}
