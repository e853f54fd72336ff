import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

extension Call {
  /// A record to read.
  private struct Wanted {
    let indexName: String
    let objectID: String
    let attributes: [String]
  }

  /// Performs `GET /1/indexes/{index}/{objectID}`.
  func answerObject(_ indexName: String, _ objectID: String) async throws -> TransportResponse {
    let wanted = Wanted(
      indexName: indexName, objectID: objectID,
      attributes: try request.attributesToRetrieve(check))
    guard let record = try await records([wanted], canMissIndices: false).records[0] else {
      throw APIError(status: 404, "ObjectID does not exist")
    }
    return TransportResponse(json: record)
  }

  /// Performs `POST /1/indexes/*/objects`.
  func answerObjects() async throws -> TransportResponse {
    let requests = try body().objects("requests", check)
    let wanted = try requests.map { node in
      Wanted(
        indexName: try RequestBody.string("indexName", in: node),
        objectID: try RequestBody.string("objectID", in: node),
        attributes: try RequestBody.attributesToRetrieve(in: node))
    }
    let (records, missing) =
      wanted.isEmpty ? ([], nil) : try await records(wanted, canMissIndices: true)
    var writer = JSONWriter(capacity: records.reduce(64) { $0 + ($1?.count ?? 4) })
    writer.beginObject()
    writer.key("results")
    writer.beginArray()
    for record in records {
      if let record { writer.raw(record) } else { writer.null() }
    }
    writer.endArray()
    if let missing {
      writer.key("message")
      writer.string("Index \(missing.excerpt()) does not exist.")
    }
    writer.endObject()
    return TransportResponse(json: writer.bytes)
  }

  /// Returns records, `nil` for each that does not exist, and the first index that does not exist.
  ///
  /// - Parameter canMissIndices: Whether the records of an index that does not exist are missing,
  ///   in place of an error.
  private func records(
    _ wanted: [Wanted], canMissIndices: Bool
  ) async throws -> (records: [[UInt8]?], missingIndex: String?) {
    let names = Set(wanted.map(\.indexName))
    for attempt in 0..<Self.maximumAttemptCount {
      try await pause(before: attempt)
      let descriptions = try await directory.descriptions(of: names, in: cluster)
      var ids: [String: Set<String>] = [:]
      var missing: String?
      for record in wanted {
        do throws(APIError) {
          let records = try description(of: record.indexName, in: descriptions).records
          if !record.objectID.isEmpty {
            ids[records.collection, default: []].insert(DocumentID.text(of: record.objectID))
          }
        } catch {
          guard canMissIndices, error.status == 404 else { throw error }
          missing = missing ?? record.indexName
        }
      }
      if ids.isEmpty { return (wanted.map { _ in nil }, missing) }
      guard let found = try await stored(ids, descriptions) else { continue }
      let records = try wanted.map { record -> [UInt8]? in
        guard let index = descriptions[record.indexName],
          let records = try? description(of: record.indexName, in: descriptions).records,
          let bytes = found[records.collection]?[DocumentID.text(of: record.objectID)]
        else { return nil }
        let projection = try RecordProjection(
          attributes: record.attributes, settings: index.settings, check)
        return try projection.bytes(of: check.stored(bytes[...]), check)
      }
      return (records, missing)
    }
    throw await changingOrGone(names)
  }

  /// Returns the records of documents with some IDs by collection, or `nil` if a collection is not
  /// current.
  func stored(
    _ ids: [String: Set<String>], _ descriptions: [String: IndexDescription]
  ) async throws -> [String: [String: [UInt8]]]? {
    var searches = [directory.check(descriptions)]
    var owners: [String] = []
    for (collection, ids) in ids.sorted(by: { $0.key < $1.key }) {
      let own = Self.searches(for: ids, in: collection)
      owners += own.map { _ in collection }
      searches += own
    }
    let results = try await cluster.multiSearch(searches)
    guard try directory.isCurrent(descriptions, results[0]) else { return nil }
    let (_, isGone) = try failures(of: Array(results.dropFirst()))
    if isGone {
      directory.forget(descriptions.keys)
      return nil
    }
    var found: [String: [String: [UInt8]]] = [:]
    for (collection, result) in zip(owners, results.dropFirst()) {
      found[collection, default: [:]].merge(Self.records(in: result)) { $1 }
    }
    return found
  }

  /// Returns the records of documents with some IDs in one collection.
  func records(_ ids: Set<String>, in collection: String) async throws -> [String: [UInt8]] {
    let results = try await cluster.multiSearch(Self.searches(for: ids, in: collection))
    guard try !failures(of: results).isGone else {
      throw ServerError(status: 404, message: "Not found.")
    }
    return results.reduce(into: [:]) { $0.merge(Self.records(in: $1)) { $1 } }
  }

  private static func searches(for ids: Set<String>, in collection: String) -> [JSON] {
    let ids = ids.sorted()
    return stride(from: 0, to: ids.count, by: Cluster.pageLength).map { start in
      let part = ids[start..<min(start + Cluster.pageLength, ids.count)]
      return .object(
        Cluster.search(
          collection, where: "id:=[\(part.joined(separator: ","))]",
          fields: "id,\(FieldName.record)"))
    }
  }

  private static func records(in result: JSONNode) -> [String: [UInt8]] {
    var records: [String: [UInt8]] = [:]
    for hit in result.list("hits") {
      guard let document = hit["document"], let id = document["id"]?.string,
        let record = document.record
      else { continue }
      records[id] = record
    }
    return records
  }

  // MARK: Indices

  /// Performs `GET /1/indexes/{index}/settings`.
  func answerSettings(_ indexName: String) async throws -> TransportResponse {
    guard let description = try await directory.current(indexName, in: cluster) else {
      throw APIError.indexNotFound(indexName)
    }
    return TransportResponse(json: try JSONValueEncoder().encode(description.settings))
  }

  /// Performs `GET /1/indexes`.
  func answerList() async throws -> TransportResponse {
    let descriptions = try await directory.all(in: cluster)
    let counts = try await cluster.collections()
    let page = try request.page(of: descriptions.keys.sorted())
    return try TransportResponse { writer in
      writer.key("items")
      writer.beginArray()
      for name in page.names {
        guard let index = descriptions[name] else { continue }
        let primary = index.primary.flatMap { descriptions[$0] }
        let listed = ListedIndex(
          name: name, count: counts[(primary ?? index).collection] ?? 0, size: 0,
          times: (Self.time(index.created), Self.time(index.updated)), settings: index.settings,
          primary: primary?.settings)
        try listed.write(to: &writer, check)
      }
      writer.endArray()
      writer.key("nbPages")
      writer.int(page.pageCount)
    }
  }

  private static func time(_ milliseconds: Int64) -> String {
    ISO8601.text(fromSeconds: Int(milliseconds / 1000))
  }
}
