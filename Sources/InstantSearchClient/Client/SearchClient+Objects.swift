import InstantSearchJSON

extension SearchClient {
  /// Returns records by their IDs, in the order of the IDs, with `nil` for a record that does not
  /// exist.
  ///
  /// - Parameters:
  ///   - objectIDs: The IDs of the records. Without IDs, nothing is sent.
  ///   - indexName: The index.
  ///   - type: The type of the records. `Hit<T>` includes the ID.
  ///   - attributesToRetrieve: The attributes to return. Defaults to all.
  ///   - options: Options of the call.
  /// - Throws: `decoding`, with every failure, if a record does not match the type.
  ///   `indexNotFound` if the index does not exist.
  @concurrent
  public func getObjects<Record: Decodable & Sendable>(
    _ objectIDs: [String],
    in indexName: String,
    of type: Record.Type,
    attributesToRetrieve: [String]? = nil,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> [Record?] {
    try await getObjects(
      objectIDs.map {
        ObjectRequest(indexName, objectID: $0, attributesToRetrieve: attributesToRetrieve)
      }, of: type, options: options)
  }

  /// Returns records of several indices in one request, in the order of the requests, with `nil`
  /// for a record that does not exist.
  ///
  /// - Parameters:
  ///   - requests: The records. Without any, nothing is sent.
  ///   - type: The type of the records. `JSON` fits records of different types.
  ///   - options: Options of the call.
  /// - Throws: `decoding`, with every failure, if a record does not match the type.
  ///   `indexNotFound` if no record was found and an index is missing.
  @concurrent
  public func getObjects<Record: Decodable & Sendable>(
    _ requests: [ObjectRequest], of type: Record.Type,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> [Record?] {
    if requests.isEmpty { return [] }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("requests")
    writer.beginArray()
    for request in requests { request.write(to: &writer) }
    writer.endArray()
    writer.endObject()
    let names = Set(requests.map(\.indexName)).sorted()
    let call = EndpointCall(.getObjects, body: writer.bytes, indexNames: names)
    let root = try await response(to: call, options: options).document.root
    let context = CallContext(call)
    if let error = context.error(in: root, lacking: "results") { throw error }
    let records = try records(root["results"], count: requests.count, of: type, context: context)
    // A message beside results says that an index is missing.
    if let message = root["message"]?.string, records.allSatisfy({ $0 == nil }) {
      throw context.error(.indexNotFound, message)
    }
    return records
  }

  private func records<Record: Decodable>(
    _ results: JSONNode?, count: Int, of type: Record.Type, context: CallContext
  ) throws(SearchError) -> [Record?] {
    guard let results, results.count == count else {
      throw context.error(.decoding, "The response does not have one result for each objectID.")
    }
    let decoder = JSONValueDecoder(options: decoding.options)
    var records: [Record?] = []
    var failures: [HitFailure] = []
    for (position, node) in results.elements.enumerated() {
      if node.isNull {
        records.append(nil)
        continue
      }
      do {
        records.append(try decoder.decode(type, from: node))
      } catch {
        failures.append(HitFailure(error, of: node, position: position + 1))
      }
    }
    guard failures.isEmpty else {
      var error = context.error(.decoding, "\(failures.count) of the records could not be decoded.")
      error.failures = failures
      throw error
    }
    return records
  }
}

extension SearchClient {
  /// Searches the values of a facet, such as the countries that begin with "it".
  ///
  /// - Parameters:
  ///   - facet: The attribute, which must be declared `searchable(…)` in the index's settings.
  ///   - facetQuery: A prefix of the values' words. If empty, the most frequent values are
  ///     returned.
  ///   - indexName: The index.
  ///   - context: A query, with its filters, that limits the counted records.
  ///   - maxFacetHits: The number of values to return, 1 to 100. Defaults to the server's 10.
  ///   - options: Options of the call.
  @concurrent
  public func searchFacetValues(
    of facet: String,
    matching facetQuery: String = "",
    in indexName: String,
    context: SearchQuery = SearchQuery(),
    maxFacetHits: Int? = nil,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> FacetValuesPage {
    var writer = JSONWriter()
    writer.beginObject()
    let parameters = context.urlEncoded
    if !parameters.isEmpty {
      writer.key("params")
      writer.string(parameters)
    }
    if !facetQuery.isEmpty {
      writer.key("facetQuery")
      writer.string(facetQuery)
    }
    if let maxFacetHits {
      writer.key("maxFacetHits")
      writer.int(maxFacetHits)
    }
    writer.endObject()
    let call = EndpointCall(.facetValues(index: indexName, facet: facet), body: writer.bytes)
    let document = try await response(to: call, options: options).document
    if let error = CallContext(call).error(in: document.root, lacking: "facetHits") { throw error }
    do {
      return try FacetValuesPage(
        node: document.root, options: decoding.options, tags: HighlightedString.Tags(context))
    } catch {
      throw CallContext(call).error(
        .decoding, "The response is not a list of facet values: \(error)")
    }
  }

  /// Searches the values of a facet.
  @concurrent
  public func searchFacetValues(
    _ request: FacetRequest, options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> FacetValuesPage {
    try await searchFacetValues(
      of: request.attribute.rawValue, matching: request.facetQuery, in: request.indexName,
      context: request.sentContext, maxFacetHits: request.maxFacetHits, options: options)
  }
}

/// A record to read by its ID.
public struct ObjectRequest: Sendable, Hashable {
  /// The index.
  public var indexName: String
  /// The ID of the record.
  public var objectID: String
  /// The attributes to return; `nil` for all.
  public var attributesToRetrieve: [String]?

  /// Creates a request. All attributes are returned by default.
  public init(_ indexName: String, objectID: String, attributesToRetrieve: [String]? = nil) {
    self.indexName = indexName
    self.objectID = objectID
    self.attributesToRetrieve = attributesToRetrieve
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("indexName")
    writer.string(indexName)
    writer.key("objectID")
    writer.string(objectID)
    if let attributesToRetrieve {
      writer.key("attributesToRetrieve")
      writer.beginArray()
      for attribute in attributesToRetrieve { writer.string(attribute) }
      writer.endArray()
    }
    writer.endObject()
  }
}
