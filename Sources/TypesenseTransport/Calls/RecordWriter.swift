import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

/// Writes records into the collection of an index, and into the one that is being filled.
struct RecordWriter {
  let call: Call
  private let description: IndexDescription
  private let form: CollectionForm
  private let nextForm: CollectionForm?
  /// The collection that is being filled, or `nil` if there is none.
  private var next: String?
  /// The attributes whose texts rank in searches.
  private var textRankings: Set<String>
  /// The records of this call by the IDs of their documents, `nil` for deleted ones, which reads
  /// may not see yet.
  private var written: [String: [UInt8]?] = [:]
  /// The records that partial updates change, by the IDs of their documents, as they were before
  /// the first change.
  private var read: [String: [UInt8]] = [:]
  /// The IDs of the records that a filter has found, and that are deleted.
  private(set) var deleted: Set<String>
  /// Whether the collection of the index has got a change.
  private(set) var hasWritten = false

  /// The maximum number of documents of one request.
  private static let maximumCount = 1000
  /// The maximum size of the records of one request, in bytes.
  private static let maximumSize = 4 << 20
  /// The number of records whose deletion fits into one URL.
  private static let deletionCount = 40
  /// The maximum size of the IDs in that URL, in bytes.
  private static let deletionSize = 2500

  /// Creates a writer for an index.
  ///
  /// - Parameter deleted: The IDs of the records that an earlier attempt has found by a filter, and
  ///   has deleted.
  init(call: Call, _ description: IndexDescription, deleted: Set<String>) throws {
    self.call = call
    self.deleted = deleted
    self.description = description
    form = try CollectionForm(description.formSettings)
    textRankings = description.textRankings
    next = description.next?.collection
    nextForm = try description.next.map { try CollectionForm($0.formSettings) }
  }

  /// Applies changes in order.
  mutating func apply(_ changes: [RecordChange]) async throws {
    var records: [EncodedRecord] = []
    var removed: [String] = []
    let updated = changes.compactMap {
      if case .update(let update, _) = $0 { DocumentID.text(of: update.objectID) } else { nil }
    }
    if !updated.isEmpty {
      let (call, collection) = (call, description.collection)
      read = try await call.cluster.onLeader(of: collection) {
        try await call.on($0).records(Set(updated), in: collection)
      }
    }
    for change in changes {
      if case .delete = change {} else { try await delete(&removed) }
      switch change {
      case .put(let record):
        records.append(record)
        written[DocumentID.text(of: record.objectID)] = .some(record.bytes)
      case .update(let update, let createsIfMissing):
        let id = DocumentID.text(of: update.objectID)
        let old = written[id] ?? read[id]
        guard old != nil || createsIfMissing else { continue }
        let node = try old.map { try call.check.stored($0[...]) }
        guard let record = try update.applied(to: node, call.check) else { continue }
        records.append(record)
        written[DocumentID.text(of: record.objectID)] = .some(record.bytes)
      case .delete(let objectID):
        try await put(&records)
        removed.append(objectID)
        written[DocumentID.text(of: objectID)] = .some(nil)
      case .deleteMatching(let query):
        try await put(&records)
        try await deleteMatching(query)
      // They are applied between the others.
      case .clear, .deleteIndex: break
      }
    }
    try await delete(&removed)
    try await put(&records)
  }

  private mutating func put(_ records: inout [EncodedRecord]) async throws {
    let parts = Self.parts(
      of: records, count: Self.maximumCount, size: Self.maximumSize, by: \.bytes.count)
    records = []
    for part in parts {
      let documents = try form.documents(of: part, call.check)
      let others = try nextForm?.documents(of: part, call.check)
      try await rank(documents.textRankings.union(others?.textRankings ?? []))
      try await call.cluster.importLines(
        documents.lines, count: part.count, action: "upsert", into: description.collection)
      hasWritten = true
      if let others { try await writeNext(others.lines, count: part.count) }
    }
  }

  /// Makes searches compare texts of some attributes, before a record has one.
  private mutating func rank(_ attributes: Set<String>) async throws {
    if attributes.isSubset(of: textRankings) { return }
    try await call.directory.add(
      textRankings: attributes, to: description.name, in: call.cluster)
    textRankings.formUnion(attributes)
  }

  private mutating func delete(_ objectIDs: inout [String]) async throws {
    let parts = Self.parts(
      of: objectIDs, count: Self.deletionCount, size: Self.deletionSize
    ) { 2 * $0.utf8.count }
    objectIDs = []
    for part in parts {
      _ = try await call.cluster.delete(
        where: "id:=[\(part.map(DocumentID.text).joined(separator: ","))]",
        in: description.collection)
      hasWritten = true
      if next != nil { try await bury(part) }
    }
  }

  /// Divides a list into parts of one request each. An element that is too large is a part alone.
  private static func parts<Element>(
    of list: [Element], count: Int, size maximumSize: Int, by size: (Element) -> Int
  ) -> [[Element]] {
    var parts: [[Element]] = []
    var total = 0
    for element in list {
      let length = size(element)
      total += length
      if !parts.isEmpty, parts[parts.count - 1].count < count, total <= maximumSize {
        parts[parts.count - 1].append(element)
      } else {
        parts.append([element])
        total = length
      }
    }
    return parts
  }

  /// Writes documents in the place of deleted ones, so that a copy that was read before does not
  /// bring them back.
  private mutating func bury(_ objectIDs: [String]) async throws {
    if objectIDs.isEmpty { return }
    var lines: [UInt8] = []
    for objectID in objectIDs {
      let document: JSON = [
        "id": .string(DocumentID.text(of: objectID)),
        FieldName.order: .int(DocumentID.order(of: objectID)),
        FieldName.codes: [.string(ValueCode.deletion)],
      ]
      lines += Array(document.text.utf8) + [UInt8(ascii: "\n")]
    }
    try await writeNext(lines, count: objectIDs.count)
  }

  /// Writes documents into the collection that is being filled. If it is gone, so is the program
  /// that filled it.
  private mutating func writeNext(_ lines: [UInt8], count: Int) async throws {
    guard let collection = next else { return }
    do {
      try await call.cluster.importLines(lines, count: count, action: "upsert", into: collection)
    } catch let error as ServerError where error.status == 404 {
      next = nil
    }
  }

  private mutating func deleteMatching(_ query: SearchQuery) async throws {
    try query.checkDeletes()
    let search = try ForeignSearch(
      query, indexName: description.name, settings: description.settings, call.check)
    guard !search.filters.isEmpty || search.geo != nil else {
      throw APIError("deleteByQuery needs a filter")
    }
    try await call.cluster.onLeader(of: description.collection) { cluster in
      let call = call.on(cluster)
      try await finishDeletion(call)
      // The records are found first: a filter in a URL can be short only, and the copy that is
      // being filled needs their IDs.
      var reader = DocumentReader(call: call, collection: description.collection, search: search)
      while let documents = try await reader.next() {
        var ids = documents.map(\.objectID)
        deleted.formUnion(ids)
        try await delete(&ids)
      }
    }
  }

  /// Deletes what an earlier attempt has found from the collection that is being filled since, and
  /// the marks that it has left in one that is filled by now.
  private mutating func finishDeletion(_ call: Call) async throws {
    let parts = Self.parts(
      of: deleted.sorted(), count: Self.deletionCount, size: Self.deletionSize
    ) { 2 * $0.utf8.count }
    for part in parts {
      let ids = part.map(DocumentID.text)
      _ = try await call.cluster.delete(
        where: "id:=[\(ids.joined(separator: ","))]"
          + " && \(FieldName.codes):=\(ValueCode.deletion)",
        in: description.collection)
      guard let nextForm, next != nil else { continue }
      // Another program can have saved one of them since, or save it before the mark is there. What
      // it saves later, it writes over the mark itself.
      let known = try await call.records(Set(ids), in: description.collection)
      let missing = part.filter { known[DocumentID.text(of: $0)] == nil }
      if missing.isEmpty { continue }
      try await bury(missing)
      let saved = try await call.records(
        Set(missing.map(DocumentID.text)), in: description.collection)
      let records = try missing.compactMap { objectID in
        try saved[DocumentID.text(of: objectID)].map {
          try EncodedRecord(call.check.stored($0[...]), objectID: objectID, call.check)
        }
      }
      if records.isEmpty { continue }
      try await writeNext(
        nextForm.documents(of: records, call.check).lines, count: records.count)
    }
  }
}
