import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

extension Call {
  /// Performs a call about synonyms or rules.
  func answerEntries(
    _ call: Endpoint.Entries, _ kind: ForeignEntries.Kind, _ indexName: String
  ) async throws -> TransportResponse {
    let name = try checkedName(indexName)
    switch call {
    case .get, .search:
      guard let description = try await directory.current(name, in: cluster) else {
        throw APIError.indexNotFound(name)
      }
      return try description.entries.response(to: call, kind, request, check)
    case .save, .batch, .delete, .clear: break
    }
    var known = try await settled(name)
    switch call {
    case .save, .batch:
      if known == nil { known = try await create(name, settings: IndexSettings()) }
      if known == nil { throw IndexDirectory.Conflict(names: [name]) }
    case .delete, .clear, .get, .search: break
    }
    guard var description = known else { return written("updatedAt") }
    if kind == .synonyms, let primary = description.primary {
      throw APIError(
        "The index \(name) is a replica of \(primary), and has its synonyms; write to that")
    }
    try description.entries.apply(call, kind, request, check)
    switch kind {
    case .synonyms: try await saveSynonyms(of: description)
    case .rules:
      try Curation.check(description.entries.rules())
      try await directory.save(description, in: cluster)
      try await forward(call, of: description)
    }
    guard kind == .synonyms else { return written("updatedAt") }
    switch call {
    case .save(let objectID): return written("updatedAt", objectID: objectID, idName: "id")
    case .delete: return written("deletedAt")
    case .batch, .clear, .get, .search: return written("updatedAt")
    }
  }

  /// Makes a change of rules in the replicas too, if the call says so.
  private func forward(
    _ call: Endpoint.Entries, of description: IndexDescription
  ) async throws {
    guard request.flag("forwardToReplicas") ?? false else { return }
    for name in description.settings.replicaNames {
      guard var replica = try await directory.current(name, in: cluster),
        replica.primary == description.name
      else { continue }
      try replica.entries.apply(call, .rules, request, check)
      try await directory.save(replica, in: cluster)
    }
  }

  /// Saves an index with other synonyms.
  ///
  /// The server has new ones first, so that no search marks words that it did not look for. What it
  /// has afterwards is what the index has then, also if another program changes that meanwhile.
  func saveSynonyms(of description: IndexDescription) async throws {
    _ = try description.document()
    let name = description.name
    do {
      try await setSynonyms(of: description, keepsOthers: true)
      let isDone = try await directory.locking(description, in: cluster) { locked in
        let saved = try await locked.write(description)
        return try await on(locked.limited).setSynonyms(of: saved, keepsOthers: false)
      }
      if !isDone { await cluster.finish { try await renewed(in: $0).renewSynonyms(of: name) } }
    } catch {
      // The lock can still be there.
      await cluster.finish(waiting: IndexDirectory.longestHold) {
        try await renewed(in: $0).renewSynonyms(of: name)
      }
      throw error
    }
  }

  /// The same call in the time of a cluster, also if it was cancelled.
  private func renewed(in cluster: Cluster) -> Call {
    var call = on(cluster)
    call.flag = CancellationFlag()
    return call
  }

  /// Gives the collections of an index the synonyms that it has now. What another program has sent
  /// and not saved, it sends again with its own change.
  private func renewSynonyms(of name: String) async throws {
    var isDone = false
    while !isDone {
      isDone = try await retrying {
        try await directory.locking([name], in: cluster) { locked in
          guard let description = locked[name] else { return true }
          return try await on(locked.limited).setSynonyms(of: description, keepsOthers: false)
        }
      }
    }
  }

  /// Gives the collections of an index its synonyms.
  ///
  /// - Returns: Whether they have no others, unless they keep them.
  /// - Throws: ``IndexDirectory/Conflict`` if the collection is gone.
  @discardableResult
  private func setSynonyms(
    of description: IndexDescription, keepsOthers: Bool
  ) async throws -> Bool {
    let isDone: Bool
    do {
      isDone = try await setSynonyms(
        of: description, in: description.collection, keepsOthers: keepsOthers)
    } catch let error as ServerError where error.status == 404 {
      throw IndexDirectory.Conflict(names: [description.name])
    }
    guard let next = description.next else { return isDone }
    do {
      return try await setSynonyms(
        of: description, in: next.collection, keepsOthers: keepsOthers) && isDone
    } catch let error as ServerError where error.status == 404 {
      // The program that filled it has given it up.
      return isDone
    }
  }

  /// Gives a collection the synonyms of an index.
  ///
  /// - Parameter keepsOthers: Whether it keeps the other ones that it has. Defaults to no.
  /// - Returns: Whether it has no others, unless it keeps them.
  @discardableResult
  func setSynonyms(
    of description: IndexDescription, in collection: String, keepsOthers: Bool = false
  ) async throws -> Bool {
    var wanted: [String: JSON] = [:]
    func words(_ text: String) throws -> String {
      try ForeignEntries.words(of: text, settings: description.settings, check)
        .joined(separator: " ")
    }
    for synonym in try description.entries.synonyms() {
      switch synonym.kind {
      case .equivalent(let texts):
        wanted[DocumentID.text(of: synonym.objectID)] = [
          "synonyms": .array(try texts.map { .string(try words($0)) })
        ]
      case .oneWay(let text, let others):
        wanted[DocumentID.text(of: synonym.objectID)] = [
          "root": .string(try words(text)),
          "synonyms": .array(try others.map { .string(try words($0)) }),
        ]
      case .oneTypo, .twoTypos, .placeholder:
        throw APIError(
          "The synonym \(synonym.objectID) is of a kind that is not possible on this cluster; save"
            + " it as a synonym or a one-way synonym")
      }
    }
    guard dialect.isKnown || wanted.isEmpty else {
      throw APIError(
        "The node does not tell its version to this key; set serverVersion in the configuration")
    }
    if wanted.isEmpty, dialect.hasSynonymSets { return true }
    return try await cluster.setSynonyms(
      wanted, of: collection, keepsOthers: keepsOthers, dialect)
  }
}
