import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

extension Call {
  // MARK: Settings

  /// Performs `PUT /1/indexes/{index}/settings`.
  func answerNewSettings(_ name: String) async throws -> TransportResponse {
    let name = try checkedName(name)
    let members = try body().root
    try IndexSettings.check(sizeOf: members, check)
    let forwards = request.flag("forwardToReplicas") ?? false
    guard let description = try await settled(name) else {
      let settings = try checked(IndexSettings().updated(by: members, check))
      guard let created = try await create(name, settings: settings) else {
        throw IndexDirectory.Conflict(names: [name])
      }
      // Another program can have created it with other settings.
      try await change(
        created, to: checked(created.settings.updated(by: members, check)), members,
        forwards: forwards)
      return written("updatedAt")
    }
    let settings = try checked(description.settings.updated(by: members, check))
    try await change(description, to: settings, members, forwards: forwards)
    return written("updatedAt")
  }

  /// Returns settings that the cluster can have.
  private func checked(_ settings: IndexSettings) throws -> IndexSettings {
    try settings.check(check)
    if let refusal = SettingsReport(settings).refusals.first {
      throw APIError(
        "The setting \"\(refusal.name)\" is not possible on this cluster: \(refusal.text)")
    }
    return settings
  }

  /// Gives an index other settings, with its replicas.
  ///
  /// - Parameters:
  ///   - members: The settings that change, or `nil` for all.
  ///   - forwards: Whether they change in the replicas too.
  private func change(
    _ old: IndexDescription, to settings: IndexSettings, _ members: JSONNode?, forwards: Bool
  ) async throws {
    var settings = settings
    if let primary = old.primary {
      guard settings.replicaNames.isEmpty else {
        throw APIError("The index \(old.name) is a replica of \(primary), and can have none itself")
      }
      settings.primary = primary
      try await changeReplicas(of: primary, [old.name: settings])
      return
    }
    let names = Set(settings.replicaNames)
    guard names.count == settings.replicaNames.count, !names.contains(old.name) else {
      throw APIError("The names of replicas must differ from each other and from the index")
    }
    let former = Set(old.settings.replicaNames).subtracting(names)
    // A call that makes or ends a replica can end half way, or go on. Another one takes no records.
    let namesReplicas = members?["replicas"] != nil || members?["slaves"] != nil
    var replicas: [String: IndexSettings] = [:]
    var known: [String: IndexDescription] = [:]
    for name in names {
      known[name] = try await settled(name)
      if let other = known[name], other.primary == nil, !other.settings.replicas.isEmpty {
        throw APIError("The index \(name) has replicas; it cannot be a replica")
      }
      if let replica = known[name], replica.primary == old.name {
        var changed = replica.settings
        if forwards, let members { changed = try checked(changed.updated(by: members, check)) }
        replicas[name] = ofReplica(changed, of: old.name)
      } else if let other = known[name]?.primary {
        throw APIError("The index \(name) is already a replica of \(other)")
      } else if namesReplicas || known[name] == nil {
        replicas[name] = ofReplica(known[name]?.settings ?? settings, of: old.name)
      }
    }
    var index = old
    index.settings = settings
    index.updated = now()
    try await release(former, from: old)
    let goal = settings
    try await save(index, replicas: replicas, known: known) { current in
      if current == old.settings { return goal }
      guard let members else { throw IndexDirectory.Conflict(names: [old.name]) }
      return try checked(current.updated(by: members, check))
    }
  }

  private func ofReplica(_ settings: IndexSettings, of primary: String) -> IndexSettings {
    var settings = settings
    settings.replicas = []
    settings.primary = primary
    return settings
  }

  /// Gives some replicas of an index other settings.
  private func changeReplicas(of primary: String, _ changed: [String: IndexSettings]) async throws {
    guard let index = try await settled(primary) else { throw APIError.indexNotFound(primary) }
    let known = try await directory.currentDescriptions(
      of: Set(index.settings.replicaNames), in: cluster)
    guard changed.keys.allSatisfy({ known[$0]?.primary == primary }) else {
      throw IndexDirectory.Conflict(names: Set(changed.keys))
    }
    var replicas = known.filter { $0.value.primary == primary }.mapValues(\.settings)
    replicas.merge(changed) { $1 }
    try await save(index, replicas: replicas, known: known) { $0 }
  }

  /// Writes an index and its replicas. First the collection gets what their settings need.
  ///
  /// - Parameter update: Makes the change in settings of the index that another program has changed
  ///   meanwhile.
  private func save(
    _ index: IndexDescription, replicas: [String: IndexSettings], known: [String: IndexDescription],
    update: (IndexSettings) throws -> IndexSettings
  ) async throws {
    var index = index
    let names = replicas.keys.sorted()
    let wanted = [index.settings] + names.compactMap { replicas[$0] }
    if try index.covers(wanted) {
      index = try await directory.save(index, in: cluster)
    } else {
      guard let current = try await directory.current(index.name, in: cluster),
        current.version == index.version
      else { throw IndexDirectory.Conflict(names: [index.name]) }
      // Replicas have their old settings until theirs are written, and another call can make some.
      var formSettings = wanted
      for old in [current.settings] + known.keys.sorted().compactMap({ known[$0]?.settings })
      where (try? CollectionForm(formSettings + [old])) != nil {
        formSettings.append(old)
      }
      index = try await Rebuild(call: self, indexName: index.name)
        .replaceCollection(of: current, formSettings: formSettings, update: update)
    }
    var hasWritten = false
    for name in names {
      guard let settings = replicas[name] else { continue }
      var replica =
        known[name]
        ?? IndexDescription(name: name, settings: settings, collection: "", time: now())
      let collections = replica.collections
      if known[name] != nil, replica.settings == settings, replica.collection.isEmpty { continue }
      replica.settings = settings
      replica.collection = ""
      replica.next = nil
      replica.takenFrom = nil
      replica.takenCollection = nil
      replica.formSettings = []
      replica.updated = now()
      // An index that has become a replica has the records of its primary from now on.
      try await replacing(collections) { _ = try await directory.save(replica, in: cluster) }
      hasWritten = true
      await delete(collections)
    }
    if hasWritten { try await confirm(wanted, of: index.name) }
  }

  /// Makes sure that an index has, and gets, the collection that it and its replicas need.
  ///
  /// Another call can have read the old settings of a replica, and be about to fill a collection
  /// for them. The new version of the index makes it begin again.
  private func confirm(_ settings: [IndexSettings], of name: String) async throws {
    try await directory.locking([name], in: cluster) { locked in
      guard let current = locked[name], try current.covers(settings) else {
        throw IndexDirectory.Conflict(names: [name])
      }
      _ = try await locked.write(current)
    }
  }

  /// Makes former replicas indices with records of their own.
  private func release(_ names: Set<String>, from index: IndexDescription) async throws {
    for name in names {
      guard var replica = try await directory.current(name, in: cluster),
        replica.primary == index.name
      else { continue }
      replica.settings.primary = nil
      try replica.entries.take([.synonyms], from: index.entries)
      let rebuild = Rebuild(call: self, indexName: name)
      let (copy, count) = try await rebuild.copy(
        index, to: replica, formSettings: [replica.settings])
      await rebuild.clean(copy, replacing: [], count: count)
    }
  }

  // MARK: Indices

  /// Deletes all records of an index, if it exists.
  func clear(_ name: String) async throws {
    guard let description = try await settled(name) else { return }
    if let primary = description.primary {
      throw APIError(
        status: 403, "The index \(name) is a replica of \(primary); write to that")
    }
    try requireTimeForReplacing()
    let rebuild = Rebuild(call: self, indexName: name)
    let form = try CollectionForm(description.formSettings)
    var empty = description
    empty.collection = rebuild.makeName()
    empty.next = nil
    empty.hasMarks = false
    empty.textRankings = []
    empty.updated = now()
    let saved = try await rebuild.discarding(empty.collection) { isWritten in
      try await cluster.create(form.schema(named: empty.collection))
      try await setSynonyms(of: description, in: empty.collection)
      return try await replacing(description.collections) {
        try await directory.save(empty, in: cluster) { isWritten = true }
      }
    }
    await rebuild.clean(saved, replacing: [description.collection], count: 0)
    if let next = description.next { await delete([next.collection]) }
  }

  /// Deletes collections that an index had.
  private func delete(_ collections: [String]) async {
    let dialect = dialect
    await cluster.finish { cluster in
      for name in collections { try await cluster.deleteCollection(name, dialect) }
    }
  }

  /// Runs a closure that makes a change after which no index has some collections. If it is not
  /// known whether the change was made, the collections that no index has by now are deleted.
  func replacing<Value>(
    _ collections: [String], _ change: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await change()
    } catch {
      if !IndexDirectory.isRefusal(error) { await deleteUnnamed(collections) }
      throw error
    }
  }

  /// Deletes those of some collections that no index has, when no node shows them any longer.
  func deleteUnnamed(_ collections: [String]) async {
    if collections.isEmpty { return }
    let (directory, dialect, propagation) = (directory, dialect, propagation)
    await cluster.finish(waiting: propagation) { cluster in
      try await cluster.sleep(for: propagation)
      try await directory.deleteUnnamed(collections, in: cluster, dialect)
    }
  }

  /// Performs `DELETE /1/indexes/{index}`.
  func answerDeletion(_ name: String) async throws -> TransportResponse {
    guard let description = try await settled(name) else { return written("deletedAt") }
    if let primary = description.primary {
      if let index = try await directory.current(primary, in: cluster),
        index.settings.replicaNames.contains(name)
      {
        throw APIError(
          status: 403,
          "The index \(name) is a replica of \(primary); remove it from the replicas of that first")
      }
    } else {
      try await release(Set(description.settings.replicaNames), from: description)
    }
    let collections = description.collections
    try await replacing(collections) { try await directory.remove(description, in: cluster) }
    await delete(collections)
    return written("deletedAt")
  }

  /// Performs `POST /1/indexes/{index}/operation`.
  func answerOperation(_ name: String) async throws -> TransportResponse {
    let operation = try IndexOperation(body().root, of: name, check)
    if operation.isMove, try await endMove(of: operation.source, to: operation.destination) {
      return written("updatedAt")
    }
    guard let source = try await settled(operation.source) else {
      throw APIError.indexNotFound(operation.source)
    }
    let destination = try await settled(operation.destination)
    if let primary = destination?.primary ?? source.primary {
      throw APIError(
        status: 403, "Replicas of \(primary) cannot be copied, moved or replaced")
    }
    if !operation.isMove, !operation.scopes.isEmpty {
      try await copy(operation.scopes, of: source, to: destination, named: operation.destination)
      return written("updatedAt")
    }
    guard source.settings.replicas.isEmpty || !operation.isMove else {
      throw APIError(
        status: 403,
        "The index \(source.name) has replicas, which a move would leave without records; remove"
          + " them first")
    }
    try await replace(destination, named: operation.destination, with: source, operation.isMove)
    return written("updatedAt")
  }

  /// Gives an index some parts of another, without the records.
  private func copy(
    _ scopes: [IndexOperation.Scope], of source: IndexDescription,
    to destination: IndexDescription?, named name: String
  ) async throws {
    var settings = destination?.settings ?? IndexSettings()
    if scopes.contains(.settings) {
      settings = source.settings
      settings.replicas = destination?.settings.replicas ?? []
    }
    if let destination {
      try await change(destination, to: settings, nil, forwards: false)
    } else {
      let created = try await create(name, settings: settings)
      guard created?.settings == settings else { throw IndexDirectory.Conflict(names: [name]) }
    }
    guard var changed = try await settled(name) else {
      throw IndexDirectory.Conflict(names: [name])
    }
    let kinds = ForeignEntries.Kind.allCases.filter { kind in
      scopes.contains(kind == .synonyms ? .synonyms : .rules)
    }
    if kinds.allSatisfy({ source.entries.isEmpty($0) && changed.entries.isEmpty($0) }) { return }
    try changed.entries.take(kinds, from: source.entries)
    try await saveSynonyms(of: changed)
  }

  /// Gives an index the records and settings of another.
  private func replace(
    _ destination: IndexDescription?, named name: String, with source: IndexDescription,
    _ isMove: Bool
  ) async throws {
    try requireTimeForReplacing()
    var result =
      destination
      ?? IndexDescription(
        name: name, settings: source.settings, collection: "", time: now())
    result.settings = source.settings
    result.settings.replicas = destination?.settings.replicas ?? []
    result.entries = source.entries
    result.next = nil
    result.takenFrom = nil
    result.takenCollection = nil
    result.updated = now()
    let replicas = try await directory.currentDescriptions(
      of: Set(result.settings.replicaNames), in: cluster)
    let wanted =
      [result.settings]
      + result.settings.replicaNames.sorted().compactMap { replicas[$0]?.settings }
    if isMove {
      try await Rebuild(call: self, indexName: source.name)
        .move(source, to: result, formSettings: wanted)
    } else {
      let rebuild = Rebuild(call: self, indexName: name)
      result.hasMarks = false
      let (copy, count) = try await rebuild.copy(source, to: result, formSettings: wanted)
      await rebuild.clean(copy, replacing: destination?.collections ?? [], count: count)
    }
  }
}
