import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

/// The progress of a new collection: for a change of settings, a copy, a move, an index that is
/// cleared, or a replica that becomes an index of its own.
public struct RebuildProgress: Sendable, Hashable {
  /// The index: the destination of a copy, the source of a move.
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

  /// Copies the records of an index into a new collection, and gives it to another index.
  ///
  /// - Parameters:
  ///   - source: The index with the records.
  ///   - description: The other index, whose synonyms the new collection gets.
  ///   - formSettings: The settings of the index and its replicas.
  /// - Returns: The index with the new collection, and the number of records.
  func copy(
    _ source: IndexDescription, to description: IndexDescription, formSettings: [IndexSettings]
  ) async throws -> (IndexDescription, count: Int) {
    let name = makeName()
    let form = try CollectionForm(formSettings)
    return try await discarding(name) { isWritten in
      try await cluster.create(form.schema(named: name))
      try await call.setSynonyms(of: description, in: name)
      let filled: Filled
      do {
        filled = try await fill(name, from: source.collection, form)
      } catch let error as ServerError where error.status == 404 {
        throw IndexDirectory.Conflict(names: [source.name])
      }
      var copy = description
      copy.collection = name
      copy.formSettings = formSettings
      copy.textRankings = filled.textRankings
      let saved = try await call.replacing(description.collections) {
        try await directory.save(copy, in: cluster) { isWritten = true }
      }
      return (saved, filled.count)
    }
  }

  /// What was copied.
  private struct Filled {
    var count = 0
    var textRankings: Set<String> = []
  }

  private func fill(
    _ name: String, from collection: String, _ form: CollectionForm
  ) async throws -> Filled {
    // A program that writes into the old collection alone, and then finds its settings current, has
    // done so before that.
    let filled = try await cluster.onLeader(of: directory.collection, collection) {
      try await Rebuild(call: call.on($0), indexName: indexName)
        .copyRecords(to: name, from: collection, form)
    }
    // A node can show a description before records that were written earlier.
    if filled.count > 0 { try await call.waitForNodes() }
    return filled
  }

  private func copyRecords(
    to name: String, from collection: String, _ form: CollectionForm
  ) async throws -> Filled {
    var reader = DocumentReader(call: call, collection: collection)
    var filled = Filled()
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
    return filled
  }

  /// A name for a further collection of the index.
  func makeName() -> String { "\(indexName)~\(call.makeName())" }

  /// Runs a closure that gives the index a collection, and deletes that if it fails.
  ///
  /// - Parameters:
  ///   - name: The collection.
  ///   - body: Says when it has sent a description that names the collection. After a failure whose
  ///     cause is not the server's answer the collection stays then, because the server can still
  ///     write the description: a collection that no index has costs memory, and an index without
  ///     its collection is lost.
  /// - Throws: ``IndexDirectory/Conflict`` if a collection is gone, because another program has
  ///   given its index another one.
  func discarding<Value>(
    _ name: String, _ body: (_ isWritten: inout Bool) async throws -> Value
  ) async throws -> Value {
    var isWritten = false
    do {
      return try await body(&isWritten)
    } catch {
      let isKnown = IndexDirectory.isRefusal(error)
      if isKnown || !isWritten { await discard(name, isKnown: isKnown) }
      if let error = error as? ServerError, error.status == 404 {
        throw IndexDirectory.Conflict(names: [indexName])
      }
      throw error
    }
  }

  /// Gives up a collection: writes go to the old one alone from now on. A collection that the index
  /// has after all stays.
  ///
  /// - Parameter isKnown: Whether all that was sent is done. Otherwise it can be done late.
  private func discard(_ name: String, isKnown: Bool) async {
    let (directory, indexName, dialect) = (directory, indexName, dialect)
    let propagation = call.propagation
    await cluster.finish(waiting: propagation * 2) { cluster in
      if !isKnown { try await cluster.sleep(for: propagation) }
      while var current = try await directory.current(indexName, in: cluster) {
        if current.collection == name { return }
        guard current.next?.collection == name else { break }
        current.next = nil
        current.movingTo = nil
        do {
          try await directory.save(current, in: cluster)
          // Programs that still write into it would fail.
          try await cluster.sleep(for: propagation)
        } catch is IndexDirectory.Conflict {}
      }
      // The destination of a move can have it.
      try await directory.deleteUnnamed([name], in: cluster, dialect)
    }
  }

  /// How long another program's change can make no progress until it is taken for abandoned.
  private static let longestPause = Duration.seconds(15)

  /// Waits for another program that gives the index a collection, as long as that makes progress.
  private func waitForOther(_ description: IndexDescription) async throws {
    guard let next = description.next else { return }
    // Looks are counted, not time: without a leader neither program goes on.
    let interval = Duration.milliseconds(200)
    let limit = (Self.longestPause + call.propagation * 2) / interval
    var seen: (version: String, count: Int?) = ("", nil)
    var lookCount = 0.0
    while lookCount < limit {
      guard let current = try await directory.current(indexName, in: cluster),
        current.next?.collection == next.collection
      else { throw IndexDirectory.Conflict(names: [indexName]) }
      let count = try await cluster.collections()[next.collection]
      lookCount = seen == (current.version, count) ? lookCount + 1 : 0
      seen = (current.version, count)
      try await cluster.sleep(for: interval)
    }
  }

  /// Gives an index a collection for other settings, and returns its description.
  ///
  /// - Parameters:
  ///   - formSettings: The settings of the new collection: the new ones of the index, then others.
  ///   - update: Makes the change in settings that another program has changed meanwhile.
  func replaceCollection(
    of description: IndexDescription, formSettings: [IndexSettings],
    update: (IndexSettings) throws -> IndexSettings
  ) async throws -> IndexDescription {
    try call.requireTimeForReplacing()
    try await waitForOther(description)
    let name = makeName()
    let form = try CollectionForm(formSettings)
    let (replaced, count) = try await discarding(name) { isWritten in
      let filled = try await fillNext(name, of: description, form, formSettings)
      for _ in 0..<Call.maximumAttemptCount {
        let changed = try await changed(to: name, form, formSettings, filled, update)
        do {
          let saved = try await call.replacing([description.collection]) {
            try await directory.save(changed, in: cluster) { isWritten = true }
          }
          return (saved, filled.count)
        } catch let conflict as IndexDirectory.Conflict where !conflict.canBeLate {
          // Another change, which the next attempt keeps.
        }
      }
      throw IndexDirectory.Conflict(names: [indexName])
    }
    await clean(replaced, replacing: [description.collection], count: count)
    return replaced
  }

  /// Fills a new collection with the records of an index, while programs write into both.
  private func fillNext(
    _ name: String, of description: IndexDescription, _ form: CollectionForm,
    _ formSettings: [IndexSettings]
  ) async throws -> Filled {
    try await cluster.create(form.schema(named: name))
    var begun = description
    begun.next = IndexDescription.Next(collection: name, formSettings: formSettings)
    _ = try await directory.save(begun, in: cluster)
    if let abandoned = description.next?.collection {
      try await cluster.deleteCollection(abandoned, dialect)
    }
    try await call.waitForNodes()
    return try await fill(name, from: description.collection, form)
  }

  /// Returns the index as it is now with its new collection, which has its synonyms.
  ///
  /// - Throws: ``IndexDirectory/Conflict`` if the index has another collection by now, or settings
  ///   that the new one does not suit.
  private func changed(
    to name: String, _ form: CollectionForm, _ formSettings: [IndexSettings], _ filled: Filled,
    _ update: (IndexSettings) throws -> IndexSettings
  ) async throws -> IndexDescription {
    guard var current = try await directory.current(indexName, in: cluster),
      current.next?.collection == name
    else { throw IndexDirectory.Conflict(names: [indexName]) }
    let settings = try update(current.settings)
    guard try form.covers(CollectionForm([settings] + formSettings)),
      settings.replicaNames == formSettings.first?.replicaNames
    else { throw IndexDirectory.Conflict(names: [indexName]) }
    try await call.setSynonyms(of: current, in: name)
    current.settings = settings
    current.collection = name
    current.formSettings = formSettings
    current.next = nil
    current.hasMarks = true
    current.textRankings.formUnion(filled.textRankings)
    current.updated = call.now()
    return current
  }

  /// Gives the records of an index, in a new collection, to another index, and removes it.
  ///
  /// - Parameters:
  ///   - target: The destination as it is, with the settings of the source.
  ///   - formSettings: The settings of the destination and its replicas.
  func move(
    _ source: IndexDescription, to target: IndexDescription, formSettings: [IndexSettings]
  ) async throws {
    try await waitForOther(source)
    let name = makeName()
    let form = try CollectionForm(formSettings)
    let version = target.version.isEmpty ? nil : target.version
    let (moved, old, count): (IndexDescription, [String], Int) =
      try await discarding(name) { isWritten in
        let filled = try await fillNext(name, of: source, form, formSettings)
        var target = target
        target.collection = name
        target.formSettings = formSettings
        target.hasMarks = true
        target.takenFrom = source.name
        target.takenCollection = source.collection
        var old: [String] = []
        for _ in 0..<Call.maximumAttemptCount {
          if isWritten, let moved = try await directory.current(target.name, in: cluster),
            moved.collection == name
          {
            return (moved, old, filled.count)
          }
          guard let current = try await directory.current(indexName, in: cluster),
            current.next?.collection == name, current.settings == source.settings,
            ForeignEntries.Kind.allCases.allSatisfy({
              current.entries.json($0) == source.entries.json($0)
            })
          else { throw IndexDirectory.Conflict(names: [indexName]) }
          target.textRankings = current.textRankings.union(filled.textRankings)
          // Programs that change the ones of the source change these too.
          try await call.setSynonyms(of: target, in: name)
          do {
            let moved = try await call.move(current, to: target, seen: version) {
              old = $0
              isWritten = true
            }
            return (moved, old, filled.count)
          } catch let conflict as IndexDirectory.Conflict
            where !conflict.canBeLate && conflict.names != [target.name]
          {
            // Another change of the source, such as an attribute that has its first text.
          }
        }
        throw IndexDirectory.Conflict(names: [indexName])
      }
    do {
      let isGone = try await call.removeSource(indexName, of: moved.name)
      await clean(
        moved, replacing: isGone ? old + [source.collection] : old, count: count)
    } catch {
      // The destination has the records. The next change of either index removes the source.
      await clean(moved, replacing: old, count: count)
      throw error
    }
  }

  /// Deletes what a change has left, when no node shows the old collections any longer.
  ///
  /// - Parameters:
  ///   - description: The index with its new collection.
  ///   - old: The collections that it had.
  ///   - count: The number of records that were copied.
  func clean(_ description: IndexDescription, replacing old: [String], count: Int) async {
    call.onRebuild?(RebuildProgress(indexName: indexName, writtenCount: count, isFinished: true))
    if old.isEmpty, !description.hasMarks { return }
    let (directory, dialect, propagation) = (directory, dialect, call.propagation)
    await cluster.finish(waiting: propagation) { cluster in
      try await cluster.sleep(for: propagation)
      for name in old where name != description.collection {
        try await cluster.deleteCollection(name, dialect)
      }
      if description.hasMarks {
        do {
          _ = try await cluster.delete(
            where: "\(FieldName.codes):=\(ValueCode.deletion)", in: description.collection)
          var unmarked = description
          unmarked.hasMarks = false
          try await directory.save(unmarked, in: cluster)
        } catch is IndexDirectory.Conflict {
          // Another program has changed the index since; searches go on to leave marks out.
        } catch let error as ServerError where error.status == 404 {
          // Another program has given the index another collection, or has deleted it.
        }
      }
    }
  }
}
