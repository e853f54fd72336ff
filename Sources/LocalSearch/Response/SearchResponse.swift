import InstantSearchJSON

/// Writes the response to a search.
struct SearchResponse {
  let search: ResolvedSearch
  let result: SearchResult
  /// The records of the hits, and the settings by which they are written.
  let source: HitSource
  let cancellation: CancellationCheck
  /// Whether every matching record was counted.
  var isCountExact = true
  /// The parameters without an effect.
  var mistakes = Mistakes()
  /// The duration of the search, in whole milliseconds.
  var processingTime = 0
  /// Whether the search was run. `nil` omits the member, because all searches of the batch were
  /// run.
  var isProcessed: Bool?
  /// The cursor of the next page. `nil` on the last page and outside browsing.
  var cursor: String?
  /// The original parameters as a JSON string, if they differ from the parameters of the search.
  var params: [UInt8]?

  private var query: SearchQuery { search.query }
  private var settings: IndexSettings { search.settings }

  /// Writes the whole response as an object.
  func write(to writer: inout JSONWriter) throws {
    writer.beginObject()
    try writeHits(to: &writer)
    writePagination(to: &writer)
    try writeFacets(to: &writer)
    writeExhaustive(to: &writer)
    try writeContext(to: &writer)
    writer.endObject()
    try cancellation.check(responseSize: writer.count)
  }

  private func member(
    _ name: String, to writer: inout JSONWriter, _ value: (inout JSONWriter) throws -> Void
  ) rethrows {
    guard search.responseFields.contains(name) else { return }
    writer.key(name)
    try value(&writer)
  }

  private func writeHits(to writer: inout JSONWriter) throws {
    guard search.responseFields.contains("hits") else { return }
    var hits = try HitWriter(
      search: search, plan: result.plan, tokenizer: source.tokenizer, lists: source.lists,
      cancellation)
    writer.key("hits")
    writer.beginArray()
    for hit in result.hits {
      try cancellation.check()
      try hits.write(hit, record: source.record(hit), to: &writer)
      try cancellation.check(responseSize: writer.count)
    }
    writer.endArray()
  }

  private func writePagination(to writer: inout JSONWriter) {
    member("nbHits", to: &writer) { $0.int(result.hitCount) }
    switch search.pagination.kind {
    case .offset(let offset, let length):
      member("offset", to: &writer) { $0.int(offset) }
      member("length", to: &writer) { $0.int(length) }
    case .page(let page, let hitsPerPage):
      member("page", to: &writer) { $0.int(page) }
      member("nbPages", to: &writer) {
        $0.int(
          Pagination.pageCount(
            of: result.hitCount, hitsPerPage: hitsPerPage, limit: search.paginationLimit))
      }
      member("hitsPerPage", to: &writer) { $0.int(hitsPerPage) }
    }
    var messages: [String] = []
    if search.pagination.exceeds(limit: search.paginationLimit, count: result.hitCount) {
      messages.append(
        "you can only fetch the \(search.paginationLimit) hits for this query. You can extend the"
          + " number of hits returned via the paginationLimitedTo index parameter or use the"
          + " browse method.")
    }
    if result.plan.graph.isCut {
      let limits = QueryGraph.maximumAlternatives
      messages.append(
        "Some synonyms, forms or compounds were left out: a search uses \(limits.ofSpan) of a kind"
          + " for a word, and \(limits.ofQuery) in all.")
    }
    if let message = mistakes.message { messages.append(message) }
    if !messages.isEmpty {
      writer.key("message")
      writer.string(messages.joined(separator: " "))
    }
    if let isProcessed {
      writer.key("processed")
      writer.bool(isProcessed)
    }
    if let cursor {
      writer.key("cursor")
      writer.string(cursor)
    }
  }

  private func writeFacets(to writer: inout JSONWriter) throws {
    guard !result.facets.isEmpty else { return }
    try member("facets", to: &writer) { writer in
      writer.beginObject()
      for (attribute, counts) in result.facets {
        try cancellation.count(text: attribute, after: writer.count, .facets)
        writer.key(attribute)
        writer.beginObject()
        for entry in counts.entries {
          try cancellation.count(text: entry.text, after: writer.count, .facets)
          writer.key(entry.text)
          writer.int(entry.count)
        }
        writer.endObject()
      }
      writer.endObject()
      try cancellation.check(responseSize: writer.count, .facets)
    }
    let statistics = result.facets.compactMap { facet in
      facet.counts.statistics.map { (facet.attribute, $0) }
    }
    guard !statistics.isEmpty else { return }
    member("facets_stats", to: &writer) { writer in
      writer.beginObject()
      for (attribute, statistics) in statistics {
        writer.key(attribute)
        writer.beginObject()
        for (name, number) in [
          ("min", statistics.minimum), ("max", statistics.maximum),
          ("avg", statistics.average), ("sum", statistics.sum),
        ] {
          writer.key(name)
          JSON.double(number).write(to: &writer)
        }
        writer.endObject()
      }
      writer.endObject()
    }
  }

  /// The engine counts everything, so every flag is true in its responses.
  private func writeExhaustive(to writer: inout JSONWriter) {
    var flags: [(member: String, mirror: String, isExact: Bool)] = []
    if !search.facets.isEmpty { flags.append(("facetsCount", "exhaustiveFacetsCount", true)) }
    flags.append(("nbHits", "exhaustiveNbHits", isCountExact))
    if (query.typoTolerance ?? settings.typoTolerance) != .enabled(false) {
      flags.append(("typo", "exhaustiveTypo", true))
    }
    guard search.responseFields.contains("exhaustive") else { return }
    for flag in flags {
      writer.key(flag.mirror)
      writer.bool(flag.isExact)
    }
    writer.key("exhaustive")
    writer.beginObject()
    for flag in flags {
      writer.key(flag.member)
      writer.bool(flag.isExact)
    }
    writer.endObject()
  }

  private func writeContext(to writer: inout JSONWriter) throws {
    member("query", to: &writer) { $0.string(query.query ?? "") }
    if let text = result.queryAfterRemoval {
      member("queryAfterRemoval", to: &writer) { $0.string(text) }
    }
    try member("params", to: &writer) {
      $0.raw(try params ?? query.paramsText(after: $0.count, cancellation))
      try cancellation.check(responseSize: $0.count)
    }
    member("index", to: &writer) { $0.string(search.indexName) }
    if let circle = search.geo?.circle {
      member("aroundLatLng", to: &writer) { $0.string(circle.center.description) }
    }
    if let radius = result.automaticRadius {
      member("automaticRadius", to: &writer) { $0.string("\(radius)") }
    }
    if let userData = settings.userData {
      try member("userData", to: &writer) { try cancellation.write(userData, to: &$0) }
    }
    member("renderingContent", to: &writer) { writer in
      if let content = query.renderingContent ?? settings.renderingContent {
        content.write(to: &writer)
      } else {
        writer.beginObject()
        writer.endObject()
      }
    }
    if query.getRankingInfo == true {
      writer.key("parsedQuery")
      writer.string(result.plan.words.map(\.word).joined(separator: " "))
      writer.key("serverUsed")
      writer.string("LocalSearch")
      writer.key("indexUsed")
      writer.string(search.indexName)
    }
    if query.explain?.contains(.matchAlternatives) == true, let snapshot = source.snapshot {
      writer.key("explain")
      try MatchAlternatives(result.plan, snapshot, cancellation).write(to: &writer)
      try cancellation.check(responseSize: writer.count)
    }
    if query.clickAnalytics == true {
      writer.key("queryID")
      writer.string(try QueryID.text(indexName: search.indexName, query, cancellation))
    }
    member("processingTimeMS", to: &writer) { $0.int(processingTime) }
  }
}

/// The records of the hits of a search, and how they are written.
struct HitSource {
  /// The lists of attributes in the settings.
  let lists: SettingsLists
  /// The tokenizer of the records.
  let tokenizer: Tokenizer
  /// The index, or `nil` if it is not in the engine.
  let snapshot: IndexSnapshot?
  /// Returns the record of a hit.
  let record: (SearchResult.Hit) -> ArraySlice<UInt8>

  /// Creates the source of the hits of an index.
  init(_ snapshot: IndexSnapshot, _ cancellation: CancellationCheck) throws {
    lists = try snapshot.lists(cancellation)
    tokenizer = try snapshot.tokenizer(cancellation)
    self.snapshot = snapshot
    record = { snapshot.segments[$0.segment].segment.records.bytes(of: $0.document) }
  }

  /// Creates a source of records that are not in the engine. The document of a hit is the number of
  /// its record.
  init(_ records: [[UInt8]], lists: SettingsLists) {
    self.lists = lists
    tokenizer = lists.tokenizer
    snapshot = nil
    record = { records[$0.document][...] }
  }
}

extension SearchQuery {
  /// Returns the parameters as the `params` text of a response: a JSON string with its quotes.
  ///
  /// - Parameter size: The size of the response before the text, in bytes.
  func paramsText(after size: Int, _ cancellation: CancellationCheck) throws -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    var bytes = [quote]
    var counted = 0
    try appendURLEncoded(to: &bytes) { count in
      try cancellation.count(bytes: count - counted)
      counted = count
      try cancellation.check(responseSize: size + count)
    }
    bytes.append(quote)
    return bytes
  }
}

/// The ID of a search: 32 hexadecimal digits that depend only on the index and the parameters.
enum QueryID {
  /// Returns the ID, a 128-bit FNV-1a hash.
  static func text(
    indexName: String, _ query: SearchQuery, _ cancellation: CancellationCheck
  ) throws -> String {
    let params = try query.paramsText(after: 0, cancellation).dropFirst().dropLast()
    var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    try cancellation.forEach(Array(indexName.utf8) + [0] + params) { byte in
      hash ^= UInt128(byte)
      hash &*= 0x0000_0000_0100_0000_0000_0000_0000_013b
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}
