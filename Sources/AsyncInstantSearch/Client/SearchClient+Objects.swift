import InstantSearchJSON

extension SearchClient {
  /// Returns records by their IDs, in the order of the IDs; `nil` where there is no such record.
  ///
  /// - Parameters:
  ///   - objectIDs: the records' IDs; without any, nothing is sent.
  ///   - indexName: the index.
  ///   - type: the records' type; `Hit<T>` gives the ID beside the record.
  ///   - attributesToRetrieve: the attributes to return; all by default.
  ///   - options: what to add to the call.
  /// - Throws: `decoding`, with every failure, when a record does not fit the type.
  @concurrent
  public func getObjects<Record: Decodable & Sendable>(
    _ objectIDs: [String],
    in indexName: String,
    of type: Record.Type,
    attributesToRetrieve: [String]? = nil,
    options: RequestOptions = RequestOptions()
  ) async throws(SearchError) -> [Record?] {
    if objectIDs.isEmpty { return [] }
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("requests")
    writer.beginArray()
    for objectID in objectIDs {
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
    writer.endArray()
    writer.endObject()
    let call = EndpointCall(.getObjects, body: writer.bytes, indexNames: [indexName])
    let root = try await answer(to: call, options: options).document.root
    let context = CallContext(call)
    if let error = context.error(in: root, lacking: "results") { throw error }
    return try records(root["results"], count: objectIDs.count, of: type, context: context)
  }

  private func records<Record: Decodable>(
    _ results: JSONNode?, count: Int, of type: Record.Type, context: CallContext
  ) throws(SearchError) -> [Record?] {
    guard let results, results.count == count else {
      throw context.error(.decoding, "The answer does not have one result for each objectID.")
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
