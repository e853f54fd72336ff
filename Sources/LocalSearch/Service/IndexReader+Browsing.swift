import AsyncInstantSearch
import InstantSearchJSON

extension IndexReader {
  /// Answers `POST /1/indexes/{index}/browse`.
  ///
  /// The first call pins the snapshot and the order; the calls with its cursors read on in them
  /// until the run is forgotten, which is some time after its last page; see ``BrowseRetention``.
  func answerBrowse(
    _ request: TransportRequest, _ indexName: String, _ checkpoint: Checkpoint
  ) throws -> TransportResponse {
    let elapsed = configuration.stopwatch()
    var query = try RequestBody.query(in: RequestBody(request.body, checkpoint).root, checkpoint)
    let cursorText = query.additionalParameters.removeValue(forKey: "cursor")
    let session: BrowseSessions.Session
    var cursor: BrowseCursor
    if let cursorText, !cursorText.isNull, cursorText != "" {
      let parsed = cursorText.stringValue.flatMap { BrowseCursor($0) }
      guard let parsed, let known = browsing[parsed.session], known.indexName == indexName,
        parsed.offset <= known.order.count
      else {
        throw APIError("Cursor is not valid or not valid any more; browse again from the start")
      }
      session = known
      cursor = parsed
    } else {
      session = try browse(query, indexName, checkpoint)
      cursor = BrowseCursor(session: 0, offset: session.firstOffset)
    }
    let size = session.query.hitsPerPage ?? Pagination.maximumLength
    let search = try ResolvedSearch(
      session.query, indexName: indexName, settings: session.snapshot.settings,
      isPagingLimited: false, checkpoint)
    let start = min(cursor.offset, session.order.count)
    let end = start + min(size, session.order.count - start)
    var result = SearchResult(plan: session.plan)
    result.hitCount = session.order.count
    result.hits = session.order[start..<end].map { place in
      SearchResult.Hit(segment: Int(place >> 32), document: Int(place & 0xffff_ffff))
    }
    var next: BrowseCursor?
    if end < session.order.count, size > 0 {
      if cursor.session == 0 { cursor.session = browsing.add(session) }
      next = BrowseCursor(session: cursor.session, offset: end)
    } else if cursor.session != 0 {
      browsing.finish(cursor.session)
    }
    var response = SearchResponse(
      search: search.onPage(size > 0 ? start / size : 0, hitsPerPage: size), result: result,
      snapshot: session.snapshot, mistakes: session.mistakes, processingTime: elapsed())
    response.cursor = next?.text
    response.params = session.params
    var writer = JSONWriter(capacity: 65_536)
    try response.write(to: &writer, checkpoint)
    return try TransportResponse(writer, checkpoint)
  }

  /// Ranks the records of a run: by attribute and custom ranking only.
  private func browse(
    _ query: SearchQuery, _ indexName: String, _ checkpoint: Checkpoint
  ) throws -> BrowseSessions.Session {
    let snapshot = try snapshot(of: indexName)
    let forced = query.forBrowsing(settings: snapshot.settings)
    let search = try ResolvedSearch(
      forced, indexName: indexName, settings: snapshot.settings, isPagingLimited: false,
      checkpoint)
    let mistakes = try configuration.mistakes(of: search, in: snapshot, checkpoint)
    let run = SearchRun(snapshot: snapshot, search: search, checkpoint: checkpoint)
    let (records, order) = try run.order()
    return try BrowseSessions.Session(
      indexName: indexName, snapshot: snapshot, query: forced,
      params: query.paramsText(after: 0, checkpoint), order: order, plan: records.plan,
      mistakes: mistakes)
  }
}

extension BrowseSessions.Session {
  /// Where the first call begins: at the page it asks for.
  fileprivate var firstOffset: Int {
    let (offset, overflow) = (query.page ?? 0).multipliedReportingOverflow(
      by: query.hitsPerPage ?? Pagination.maximumLength)
    return overflow ? .max : offset
  }
}

extension SearchQuery {
  /// The parameters as browsing has them, whatever was asked for.
  fileprivate func forBrowsing(settings: IndexSettings) -> SearchQuery {
    var query = self
    query.advancedSyntax = false
    query.distinct = .enabled(false)
    query.enablePersonalization = false
    query.enableRules = false
    query.getRankingInfo = false
    query.ignorePlurals = .enabled(false)
    query.attributesToHighlight = []
    query.attributesToSnippet = []
    query.facets = []
    query.optionalFilters = nil
    query.offset = nil
    query.length = nil
    query.hitsPerPage = query.hitsPerPage ?? Pagination.maximumLength
    switch query.typoTolerance ?? settings.typoTolerance {
    case .min, .strict: query.typoTolerance = .enabled(true)
    default: break
    }
    let dropped: Set<String> = ["typo", "geo", "words", "filters", "proximity", "exact"]
    query.ranking = settings.ranking.filter { !dropped.contains($0) }
    return query
  }
}
