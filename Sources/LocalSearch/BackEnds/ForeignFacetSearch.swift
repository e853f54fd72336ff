package import InstantSearchAPI
package import InstantSearchJSON

/// A search for values of a facet that another back end counts.
package struct ForeignFacetSearch: Sendable {
  private let request: FacetSearchRequest
  private let limit: Int
  /// The search whose records are counted.
  package let search: ForeignSearch

  /// The attribute of the values.
  package var attribute: String { request.facet }

  /// Reads the body of a search for facet values.
  ///
  /// - Throws: `APIError` for a parameter that the contract does not allow, and for a facet that is
  ///   not searchable.
  package init(
    _ body: JSONNode, indexName: String, facet: String, settings: IndexSettings,
    entries: ForeignEntries = ForeignEntries(), _ cancellation: CancellationCheck
  ) throws {
    request = try FacetSearchRequest(body, indexName: indexName, facet: facet, cancellation)
    limit = try FacetSearch.limit(
      of: facet, facetQuery: request.facetQuery, maxFacetHits: request.maxFacetHits, settings)
    search = try ForeignSearch(
      request.query, indexName: indexName, settings: settings, entries: entries, cancellation)
  }

  /// Returns the response with the values that match.
  ///
  /// - Parameters:
  ///   - values: All values of the matching records with their counts.
  ///   - isExact: Whether every matching record was counted.
  ///   - processingTime: The duration of the search, in whole milliseconds.
  package func response(
    _ values: [(text: String, count: Int)], isExact: Bool, processingTime: Int,
    _ cancellation: CancellationCheck
  ) throws -> [UInt8] {
    var words = try FacetValueWords(request.facetQuery, settings: search.settings, cancellation)
    var counts = [Int](repeating: 0, count: values.count)
    var builder = FacetColumn.Builder(cancellation)
    for (document, value) in values.enumerated() {
      try builder.add(document: document, text: value.text)
    }
    let column = try builder.build(count: values.count)
    for (document, value) in values.enumerated() {
      for index in column.values(of: document) { counts[Int(index)] += value.count }
    }
    let segment = try FacetValueIndex.build(column, settings: search.settings, cancellation)
    let wanted = try words.matchingValues([segment], settings: search.settings, cancellation)?[0]
    var entries: [FacetCounts.Entry] = []
    for index in column.values.indices where wanted?[index] ?? true {
      try cancellation.count()
      // Unicode forms of a text are neighbors, the displayed one first.
      if let last = entries.indices.last, entries[last].text == column.values[index].text {
        entries[last].count += counts[index]
      } else {
        entries.append(FacetCounts.Entry(text: column.values[index].text, count: counts[index]))
      }
    }
    // In the order of the text already.
    if search.facetOrder != .alphabetical {
      try cancellation.sort(&entries, length: { $0.text.utf8.count }) {
        $0.count == $1.count ? $0.text < $1.text : $0.count > $1.count
      }
    }
    let hits = try words.hits(
      entries.prefix(limit), of: search.query, settings: search.settings, cancellation)
    var writer = JSONWriter()
    try FacetSearch.write(
      hits, processingTime, isProcessed: nil, isExact: isExact, to: &writer, cancellation)
    return writer.bytes
  }
}
