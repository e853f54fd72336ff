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
/// the name of the new one together with the settings, and again after each write. Copying begins
/// when every node shows that name, reads from the leader, does not replace a newer record, and
/// does not bring back a deleted one, because a mark is in its place.
struct Rebuild {
  let call: Call
  let indexName: String

  private var directory: IndexDirectory { call.directory }
  private var cluster: Cluster { call.cluster }
  private var dialect: Dialect { call.dialect }

  /// Copies the records of a collection into a new one of an index.
  ///
  /// - Parameters:
  ///   - description: The index, whose synonyms the new collection gets.
  ///   - formSettings: The settings of the index and its replicas.
  /// - Returns: The index with the new collection, and the number of records.
  func copy(
    _ collection: String, to description: IndexDescription, formSettings: [IndexSettings]
  ) async throws -> (IndexDescription, count: Int) {
    var description = description
    description.collection = makeName()
    description.formSettings = formSettings
    let form = try CollectionForm(formSettings)
    let filled = try await undoing(deletionOf: description.collection) {
      try await cluster.create(form.schema(named: description.collection))
      try await call.setSynonyms(of: description, in: description.collection)
      return try await fill(description.collection, from: collection, form)
    }
    description.textRankings = filled.textRankings
    return (description, filled.count)
  }

  /// What was copied.
  private struct Filled {
    var count = 0
    var textRankings: Set<String> = []
  }

  private func fill(
    _ name: String, from collection: String, _ form: CollectionForm
  ) async throws -> Filled {
    var leader: Int?
    var filled = Filled()
    repeat {
      // A node that was the leader may not show the last writes.
      leader = try await cluster.leader()
      var reader = DocumentReader(call: call, collection: collection)
      filled.count = 0
      while let documents = try await reader.next() {
        if documents.isEmpty { continue }
        let check = call.check
        let records = try documents.map { document in
          try EncodedRecord(
            check.stored(document.record[...]), objectID: document.objectID, check)
        }
        let copies = try form.documents(of: records, check)
        try await cluster.importLines(
          copies.lines, count: records.count, action: "create", into: name)
        filled.count += records.count
        filled.textRankings.formUnion(copies.textRankings)
        call.onRebuild?(
          RebuildProgress(indexName: indexName, writtenCount: filled.count, isFinished: false))
      }
    } while try await cluster.leader() != leader
    return filled
  }

  /// A name for a further collection of the index.
  func makeName() -> String { "\(indexName)~\(call.makeName())" }

  /// Runs a closure, and deletes a collection if it fails, also if the call was cancelled.
  private func undoing<Value>(
    deletionOf name: String, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch {
      let (cluster, dialect) = (cluster.unlimited(), dialect)
      try? await TaskBag.finish { try await cluster.deleteCollection(name, dialect) }
      throw error
    }
  }

  /// Gives an index a collection for other settings, and returns its description.
  ///
  /// - Parameter settings: The new settings of the index.
  func replaceCollection(
    of description: IndexDescription, formSettings: [IndexSettings], settings: IndexSettings
  ) async throws -> IndexDescription {
    try call.requireTimeForReplacing()
    let name = makeName()
    let form = try CollectionForm(formSettings)
    var begun = description
    try await undoing(deletionOf: name) {
      try await cluster.create(form.schema(named: name))
      let abandoned = begun.next?.collection
      begun.next = IndexDescription.Next(collection: name, formSettings: formSettings)
      begun = try await directory.save(begun, in: cluster)
      if let abandoned { try await cluster.deleteCollection(abandoned, dialect) }
    }
    let filled: Filled
    do {
      try await call.waitForNodes()
      try await call.setSynonyms(of: description, in: name)
      filled = try await fill(name, from: description.collection, form)
    } catch {
      await abandon(name)
      throw error
    }
    guard var current = try await directory.current(indexName, in: cluster),
      current.next?.collection == name
    else {
      await abandon(name)
      throw APIError(
        status: 409, "The index \(indexName) was changed by another call meanwhile; try again")
    }
    let old = current.collection
    current.settings = settings
    current.collection = name
    current.formSettings = formSettings
    current.next = nil
    current.hasMarks = true
    current.textRankings.formUnion(filled.textRankings)
    current.updated = call.now()
    return try await swap(to: current, replacing: old, count: filled.count)
  }

  /// Gives up a collection that is being filled: writes go to the old one alone from now on.
  private func abandon(_ name: String) async {
    let (cluster, directory, indexName, dialect) = (
      cluster.unlimited(waiting: call.propagation), directory, indexName, dialect
    )
    try? await TaskBag.finish {
      if var current = try? await directory.current(indexName, in: cluster),
        current.next?.collection == name
      {
        current.next = nil
        // Programs that still write into it would fail.
        guard (try? await directory.save(current, in: cluster)) != nil else { return }
        try? await cluster.sleep(for: call.propagation)
      }
      try await cluster.deleteCollection(name, dialect)
    }
  }

  /// Writes a description that names another collection, and deletes the old one when no node
  /// shows it any longer.
  ///
  /// - Parameter count: The number of records that were copied.
  func swap(
    to description: IndexDescription, replacing old: String?, count: Int
  ) async throws -> IndexDescription {
    let saved = try await directory.save(description, in: cluster)
    call.onRebuild?(RebuildProgress(indexName: indexName, writtenCount: count, isFinished: true))
    // What is left is done even if the deadline passes or the call is cancelled: it would cost
    // memory, and nothing else.
    let (cluster, directory, propagation, dialect) = (
      cluster.unlimited(waiting: call.propagation), directory, call.propagation, dialect
    )
    return try await TaskBag.finish {
      var saved = saved
      try await cluster.sleep(for: propagation)
      if saved.hasMarks {
        _ = try await cluster.delete(
          where: "\(FieldName.codes):=\(ValueCode.deletion)", in: saved.collection)
        do {
          var unmarked = saved
          unmarked.hasMarks = false
          saved = try await directory.save(unmarked, in: cluster)
        } catch is IndexDirectory.Conflict {
          // Another program has changed the index since; searches go on to leave marks out.
        }
      }
      if let old, old != saved.collection { try await cluster.deleteCollection(old, dialect) }
      return saved
    }
  }
}
