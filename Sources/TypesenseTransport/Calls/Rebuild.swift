import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

/// The progress of filling a new collection after a change of settings.
public struct RebuildProgress: Sendable, Hashable {
  /// The index.
  public let indexName: String
  /// The number of records that were copied so far.
  public let writtenCount: Int
  /// Whether the new collection has replaced the old one.
  public let isFinished: Bool
}

/// Fills a new collection with the records of another, and puts it in its place.
///
/// Searches go on with the old collection. Programs that write meanwhile write into both: they read
/// the name of the new one together with the settings, before and after each write. Copying begins
/// when every node shows that name, does not replace a newer record, and does not bring back a
/// deleted one, because a mark is in its place.
struct Rebuild {
  let call: Call
  let indexName: String

  /// The code of a document in the place of a deleted record.
  static let deletionMark = "q"

  /// Copies the records of a collection into a new one, and returns its name.
  ///
  /// - Parameter formSettings: The settings of the index and its replicas.
  func copy(
    _ collection: String, formSettings: [IndexSettings], to name: String? = nil
  ) async throws -> String {
    let form = try CollectionForm(formSettings)
    let name = name ?? makeName()
    try await call.cluster.create(form.schema(named: name))
    var reader = DocumentReader(call: call, collection: collection)
    var count = 0
    while let documents = try await reader.next() {
      let records = try documents.map { document in
        try EncodedRecord(
          call.check.stored(document.record[...]), objectID: document.objectID, call.check)
      }
      try await call.cluster.importLines(
        form.lines(of: records, call.check), count: records.count, action: "create", into: name)
      count += records.count
      call.onRebuild?(
        RebuildProgress(
          indexName: indexName, writtenCount: count, isFinished: false))
    }
    return name
  }

  /// A name for a further collection of the index.
  func makeName() -> String { "\(indexName)~\(call.makeName())" }

  /// Gives an index a collection for other settings, and returns its description.
  ///
  /// - Parameter settings: The new settings of the index.
  func replaceCollection(
    of description: IndexDescription, formSettings: [IndexSettings], settings: IndexSettings
  ) async throws -> IndexDescription {
    let name = makeName()
    let form = try CollectionForm(formSettings)
    try await call.cluster.create(form.schema(named: name))
    var begun = description
    let abandoned = begun.next?.collection
    begun.next = IndexDescription.Next(collection: name, formSettings: formSettings)
    try await call.directory.save(begun, in: call.cluster)
    if let abandoned { try await call.cluster.deleteCollection(abandoned) }
    do {
      try await call.clock.sleep(for: call.propagation)
      try await call.setSynonyms(of: description, in: name)
      _ = try await copy(description.collection, formSettings: formSettings, to: name)
      try await removeMarks(in: name)
    } catch {
      // Nothing uses it, and the next change of settings deletes it if this fails as well.
      try? await call.cluster.deleteCollection(name)
      throw error
    }
    guard var current = try await call.directory.current(indexName, in: call.cluster),
      current.next?.collection == name
    else {
      try await call.cluster.deleteCollection(name)
      throw APIError(
        status: 409, "The index \(indexName) was changed by another call meanwhile; try again")
    }
    let old = current.collection
    current.settings = settings
    current.collection = name
    current.formSettings = formSettings
    current.next = nil
    return try await finish(current, replacing: old)
  }

  private func finish(
    _ description: IndexDescription, replacing old: String
  ) async throws -> IndexDescription {
    var description = description
    description.updated = call.now()
    return try await swap(to: description, replacing: old) {
      try await removeMarks(in: description.collection)
    }
  }

  /// Writes a description that names another collection, and deletes the old one when no node
  /// shows it any longer.
  func swap(
    to description: IndexDescription, replacing old: String,
    _ cleanUp: () async throws -> Void = {}
  ) async throws -> IndexDescription {
    try await call.directory.save(description, in: call.cluster)
    try await call.clock.sleep(for: call.propagation)
    try await cleanUp()
    if old != description.collection { try await call.cluster.deleteCollection(old) }
    call.onRebuild?(
      RebuildProgress(
        indexName: indexName, writtenCount: 0, isFinished: true))
    guard let saved = try await call.directory.current(indexName, in: call.cluster) else {
      throw APIError.indexNotFound(indexName)
    }
    return saved
  }

  private func removeMarks(in collection: String) async throws {
    _ = try await call.cluster.delete(
      where: "\(FieldName.codes):=\(Self.deletionMark)", in: collection)
  }
}
