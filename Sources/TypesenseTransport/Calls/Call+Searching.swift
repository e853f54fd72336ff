import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

extension Call {
  /// One query of a call.
  enum Query {
    case hits(SearchQuery, indexName: String)
    case facet(JSONNode, facet: String, indexName: String)

    var indexName: String {
      switch self {
      case .hits(_, let indexName), .facet(_, _, let indexName): indexName
      }
    }
  }

  /// A query with the searches of the server that answer it.
  private enum Plan {
    case hits(PlannedSearch)
    case facet(ForeignFacetSearch, PlannedSearch)

    var search: PlannedSearch {
      switch self {
      case .hits(let search), .facet(_, let search): search
      }
    }

    func searches() throws -> [JSON] {
      switch self {
      case .hits(let search): try search.searches()
      case .facet(let facet, let search): [try search.searchForAllValues(of: facet.attribute)]
      }
    }
  }

  /// Performs `POST /1/indexes/*/queries`.
  func answerQueries() async throws -> TransportResponse {
    let body = try body()
    let requests = try body.objects("requests", check)
    guard requests.count <= Endpoint.maximumQueryCount else {
      throw APIError(
        "Too many queries in one request: \(requests.count), expected at most"
          + " \(Endpoint.maximumQueryCount)")
    }
    if let strategy = body.root["strategy"]?.string, strategy != "none" {
      throw APIError(
        "The strategy \"\(strategy)\" is not possible on this cluster: send the queries one by one")
    }
    var queries: [Query] = []
    for (number, node) in requests.enumerated() {
      do {
        queries.append(try query(node))
      } catch let error as APIError where requests.count > 1 {
        throw error.at(location: "request \(number)")
      }
    }
    let answers = queries.isEmpty ? [] : try await answers(queries)
    var writer = JSONWriter(capacity: answers.reduce(64) { $0 + $1.count })
    writer.beginObject()
    writer.key("results")
    writer.beginArray()
    for answer in answers { writer.raw(answer) }
    writer.endArray()
    writer.endObject()
    return TransportResponse(json: writer.bytes)
  }

  private func query(_ node: JSONNode) throws -> Query {
    let indexName = try RequestBody.string("indexName", in: node)
    let type = node["type"]
    switch type?.isNull ?? true ? "default" : type?.string {
    case "default":
      return .hits(
        try RequestBody.query(in: node, except: ["indexName", "type", "extensions"], check),
        indexName: indexName)
    case "facet":
      return .facet(
        node, facet: try RequestBody.string("facet", in: node), indexName: indexName)
    default:
      throw APIError.invalidValue(
        of: "type", expected: "\"default\" or \"facet\"", got: type?.string ?? "another value")
    }
  }

  /// Answers queries with one request, or more if the transport knew older settings.
  func answers(_ queries: [Query]) async throws -> [[UInt8]] {
    let names = Set(queries.map(\.indexName))
    var missingFields: [String: Set<String>] = [:]
    var needingAllValues: Set<Int> = []
    var radii: [Int: (meters: Int, isLimit: Bool)] = [:]
    var changeCount = 0
    for _ in 0..<Self.maximumAttemptCount {
      try await pause(before: changeCount)
      let descriptions = try await directory.descriptions(of: names, in: cluster)
      let plans = try queries.enumerated().map { number, query in
        try located(number, of: queries.count) {
          try plan(
            query, descriptions, missingFields,
            needsAllValues: needingAllValues.contains(number), radius: radii[number])
        }
      }
      let searches = try plans.enumerated().map { number, plan in
        try located(number, of: queries.count) {
          try plan.searches() + (radii[number] == nil ? plan.search.distanceSearches() : [])
        }
      }
      let results = try await cluster.multiSearch(
        [directory.check(descriptions)] + searches.flatMap(\.self))
      guard try directory.isCurrent(descriptions, results[0]) else {
        changeCount += 1
        continue
      }
      var rest = results.dropFirst()
      let parts = searches.map { searches in
        defer { rest = rest.dropFirst(searches.count) }
        return Array(rest.prefix(searches.count))
      }
      var isComplete = true
      for (number, (plan, results)) in zip(plans, parts).enumerated() {
        let (missing, isGone) = try failures(of: results)
        if isGone {
          directory.forget(descriptions.keys)
          changeCount += 1
        }
        if !missing.isEmpty {
          // The server names one at a time.
          missingFields[plan.search.collection, default: []].formUnion(
            try await self.missingFields(of: plan.search))
        }
        missingFields[plan.search.collection, default: []].formUnion(missing)
        if isGone || !missing.isEmpty { isComplete = false }
        guard missing.isEmpty, !isGone else { continue }
        if case .hits(let search) = plan, search.needsMoreValues(results) {
          needingAllValues.insert(number)
          isComplete = false
        }
        if radii[number] == nil, let radius = plan.search.automaticRadius(results.suffix(2)) {
          radii[number] = radius
          if radius.isLimit { isComplete = false }
        }
      }
      guard isComplete else { continue }
      var answers: [[UInt8]] = []
      for (number, (plan, results)) in zip(plans, parts).enumerated() {
        switch plan {
        case .hits(let search):
          var findings = try search.findings(results)
          findings.automaticRadius = radii[number]?.meters
          if findings.hitCount == 0,
            let reduced = try await self.findings(withFewerWordsThan: search)
          {
            findings = reduced
          }
          answers.append(try search.search.response(findings, check))
        case .facet(let facet, _):
          answers.append(
            try facet.response(
              PlannedSearch.allValues(of: facet.attribute, results),
              isExact: results.first?["search_cutoff"]?.bool != true,
              processingTime: results.first?.count(of: "search_time_ms") ?? 0, check))
        }
      }
      return answers
    }
    throw await changingOrGone(names)
  }

  /// Returns the fields of numbers in the filters of a search that its collection does not have.
  private func missingFields(of search: PlannedSearch) async throws -> Set<String> {
    let fields = search.search.numberFields.sorted()
    let results = try await cluster.multiSearch(
      fields.map { field in
        [
          "collection": .string(search.collection), "q": "*", "filter_by": .string("\(field):>0"),
          "per_page": 0,
        ]
      })
    return Set(zip(fields, results).filter { ServerError(result: $1)?.missingField == $0 }.map(\.0))
  }

  /// The number of searches with fewer words that are tried at once.
  private static let reducedCount = 5

  /// Returns the findings of the first search with fewer words that finds something, or `nil`.
  private func findings(
    withFewerWordsThan search: PlannedSearch
  ) async throws -> ForeignSearch.Findings? {
    var rest = search.reduced()[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(Self.reducedCount))
      rest = rest.dropFirst(part.count)
      let searches = try part.map { try $0.planned.searches() }
      var results = try await cluster.multiSearch(searches.flatMap(\.self))[...]
      for (reduced, own) in zip(part, searches) {
        let found = Array(results.prefix(own.count))
        results = results.dropFirst(own.count)
        // An index that has changed meanwhile has no more hits than before.
        guard try failures(of: found) == ([], false) else { return nil }
        var findings = try reduced.planned.findings(found)
        findings.queryAfterRemoval = reduced.text
        if findings.hitCount > 0 { return findings }
      }
    }
    return nil
  }

  private func located<Value>(
    _ number: Int, of count: Int, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as APIError where count > 1 && error.status == 400 {
      throw error.at(location: "request \(number)")
    }
  }

  /// Returns the fields of numbers that a collection does not have, and whether the collection is
  /// gone.
  func failures(of results: [JSONNode]) throws -> (missing: Set<String>, isGone: Bool) {
    var missing: Set<String> = []
    var isGone = false
    for result in results {
      guard let error = ServerError(result: result) else { continue }
      if let field = error.missingField, field.hasPrefix(FieldName.numberPrefix) {
        missing.insert(field)
      } else if let field = error.missingField, field.hasPrefix(FieldName.rankingPrefix) {
        throw APIError(
          "The ranking names an attribute by which the index is not ordered; add it to ranking or"
            + " customRanking of the index or of a replica")
      } else if error.status == 404, error.missingField == nil {
        isGone = true
      } else {
        throw error
      }
    }
    return (missing, isGone)
  }

  private func plan(
    _ query: Query, _ descriptions: [String: IndexDescription],
    _ missingFields: [String: Set<String>], needsAllValues: Bool,
    radius: (meters: Int, isLimit: Bool)?
  ) throws -> Plan {
    let (description, records) = try description(of: query.indexName, in: descriptions)
    func planned(_ search: ForeignSearch) throws -> PlannedSearch {
      try PlannedSearch(
        search, in: records, missingFields: missingFields[records.collection] ?? [],
        milliseconds: serverMilliseconds, needsAllValues: needsAllValues,
        radius: radius.flatMap { radius in
          radius.isLimit ? search.geo?.circle.map { ($0.center, radius.meters) } : nil
        },
        curation: Curation(of: search, description.entries.rules(), now: now(), check),
        dialect: dialect)
    }
    switch query {
    case .hits(let query, let indexName):
      return .hits(
        try planned(
          ForeignSearch(
            query, indexName: indexName, settings: description.settings, entries: records.entries,
            check)))
    case .facet(let node, let facet, let indexName):
      let search = try ForeignFacetSearch(
        node, indexName: indexName, facet: facet, settings: description.settings,
        entries: records.entries, check)
      return .facet(search, try planned(search.search))
    }
  }

  /// Returns the description of an index, and the one that has its records.
  func description(
    of name: String, in descriptions: [String: IndexDescription]
  ) throws(APIError) -> (index: IndexDescription, records: IndexDescription) {
    guard let description = descriptions[name] else { throw APIError.indexNotFound(name) }
    guard description.name.hasSameBytes(as: name) else {
      throw APIError(
        "The call names an index \(name) in two forms of Unicode, which are two indices on this cluster;"
          + " name them in two calls")
    }
    guard let primary = description.primary else { return (description, description) }
    guard let records = descriptions[primary] else { throw APIError.indexNotFound(primary) }
    return (description, records)
  }

  /// The time that the server may take for a search.
  var serverMilliseconds: Int {
    // The node answers before the attempt ends, with what it has found so far.
    let attempt = cluster.attemptTimeout ?? readTimeout
    let time = min(cluster.deadline.remaining, attempt) * 9 / 10
    return max(1, Int(min(time, .seconds(30)) / .milliseconds(1)))
  }
}
