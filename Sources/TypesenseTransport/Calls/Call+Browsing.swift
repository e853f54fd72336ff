import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

extension Call {
  /// Performs `POST /1/indexes/{index}/browse`.
  ///
  /// Records come in the order of a number that each has. A cursor is a number, so it does not
  /// expire, and the records are the current ones.
  func answerBrowse(_ indexName: String) async throws -> TransportResponse {
    var query = try RequestBody.query(in: body().root, check)
    let cursor = query.additionalParameters.removeValue(forKey: "cursor")?.stringValue ?? ""
    let start = try cursor.isEmpty ? ReadPosition() : position(cursor)
    guard query.page ?? 0 == 0 else {
      throw APIError("A browse begins at the page 0 on this cluster; follow the cursor")
    }
    var missingFields: Set<String> = []
    for attempt in 0..<Self.maximumAttemptCount {
      try await pause(before: attempt)
      let descriptions = try await directory.descriptions(of: [indexName], in: cluster)
      let (description, records) = try description(of: indexName, in: descriptions)
      var forced = query.forBrowsing(settings: description.settings)
      forced.ranking = nil
      let search = try ForeignSearch(
        forced, indexName: indexName,
        settings: description.settings, entries: records.entries, isPagingLimited: false, check)
      let planned = try PlannedSearch(
        search, in: records, missingFields: missingFields, milliseconds: serverMilliseconds,
        dialect: dialect)
      var findings = ForeignSearch.Findings()
      var position: ReadPosition? = start
      var isComplete = true
      while let next = position, findings.hits.count < search.pageLength || search.pageLength == 0 {
        let results = try await cluster.multiSearch(
          [directory.check(descriptions)] + planned.searches(from: next))
        let (missing, isGone) = try failures(of: Array(results.dropFirst()))
        missingFields.formUnion(missing)
        if isGone { directory.forget(descriptions.keys) }
        guard try directory.isCurrent(descriptions, results[0]), !isGone, missing.isEmpty else {
          isComplete = false
          break
        }
        guard !results.contains(where: { $0["search_cutoff"]?.bool == true }) else {
          throw ServerError(status: 408, message: "not all documents were read")
        }
        findings.hitCount = results[2].count(of: "found")
        if search.pageLength == 0 { break }
        findings.processingTime += results[1].count(of: "search_time_ms")
        position = Self.read(results[1], from: next, search.pageLength, into: &findings)
        if position == next { throw Self.noProgress }
      }
      guard isComplete else { continue }
      findings.cursor = search.pageLength > 0 ? position.map(Self.text) : nil
      return TransportResponse(json: try search.response(findings, check))
    }
    throw await changingOrGone([indexName])
  }

  /// Adds the records of a result up to a number of them, and returns the position after them, or
  /// `nil` after the last one.
  private static func read(
    _ result: JSONNode, from start: ReadPosition, _ limit: Int,
    into findings: inout ForeignSearch.Findings
  ) -> ReadPosition? {
    var position = start
    let hits = result.list("hits")
    for (document, next) in start.documents(in: hits) {
      if findings.hits.count == limit { return position }
      position = next
      if let record = document.record { findings.hits.append((record, nil)) }
    }
    return hits.count < Cluster.pageLength ? nil : position
  }

  /// The error for a server that returns the same documents again and again.
  static var noProgress: SearchError {
    SearchError(.server, "The server returned no further documents, and not the last ones.")
  }

  private static func text(_ position: ReadPosition) -> String {
    "\(String(position.order, radix: 36))-\(position.count)"
  }

  private func position(_ text: String) throws(APIError) -> ReadPosition {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let order = Int64(parts[0], radix: 36), order >= 0,
      let count = Int(parts[1]), (0...Cluster.pageLength).contains(count)
    else { throw APIError("Invalid or expired cursor. Start a new browse.") }
    return ReadPosition(order: order, count: count)
  }
}
