import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

/// Reads the documents of a collection one after the other; see ``ReadPosition``.
struct DocumentReader {
  /// One document.
  struct Document {
    let objectID: String
    let record: [UInt8]
  }

  let call: Call
  let collection: String
  /// The search that documents must match, or `nil` for all.
  let search: ForeignSearch?
  /// Where reading goes on.
  private var position = ReadPosition()
  private var missingFields: Set<String> = []
  private var isAtEnd = false

  init(call: Call, collection: String, search: ForeignSearch? = nil) {
    self.call = call
    self.collection = collection
    self.search = search
  }

  /// Returns the next documents, or `nil` after the last one.
  mutating func next() async throws -> [Document]? {
    guard !isAtEnd else { return nil }
    let result = try await result()
    var documents: [Document] = []
    guard result["search_cutoff"]?.bool != true else {
      throw ServerError(status: 408, message: "not all documents were read")
    }
    let hits = result.list("hits")
    let start = position
    for (document, next) in position.documents(in: hits) {
      position = next
      // A deleted record has left a document without one.
      guard let id = document["id"]?.string, let bytes = Hexadecimal.bytes(of: id.utf8),
        let record = document.record
      else { continue }
      documents.append(
        Document(objectID: String(decoding: bytes, as: UTF8.self), record: record))
    }
    isAtEnd = hits.count < Cluster.pageLength
    if !isAtEnd, position == start { throw Call.noProgress }
    return documents.isEmpty && isAtEnd ? nil : documents
  }

  private mutating func result() async throws -> JSONNode {
    for _ in 0..<Call.maximumAttemptCount {
      var request = Cluster.search(
        collection, where: try filter(missingFields),
        fields: "id,\(FieldName.order),\(FieldName.record)")
      request["sort_by"] = .string("\(FieldName.order):asc")
      let result = try await call.cluster.multiSearch([.object(request)])
      let (missing, isGone) = try call.failures(of: result)
      if isGone { throw ServerError(status: 404, message: "Not found.") }
      if missing.isSubset(of: missingFields) { return result[0] }
      missingFields.formUnion(missing)
    }
    throw Call.changing
  }

  private func filter(_ missingFields: Set<String>) throws -> String {
    let order = FilterExpression.term("\(FieldName.order):>=\(position.order)")
    let filter = try search.map { try PlannedSearch.filter(of: $0, missingFields) } ?? .always
    return try FilterExpression.all(of: [order, filter]).text() ?? ""
  }
}
