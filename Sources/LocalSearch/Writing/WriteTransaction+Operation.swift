extension WriteTransaction {
  /// Copies or moves an index.
  ///
  /// A copy of a missing index is an empty one; a move of a missing index changes nothing. Replicas
  /// are not copied. An index that is moved onto one with replicas takes over these replicas.
  ///
  /// - Complexity: O(1), plus reindexing the records for each replica of the destination.
  mutating func apply(_ operation: IndexOperation) throws {
    note(.operation(operation))
    let source = try snapshot(of: operation.source)
    let destination = try snapshot(of: operation.destination)
    if let primary = destination?.settings.primary {
      throw APIError(
        status: 403,
        "cannot \(operation.isMove ? "move" : "copy") to a primary/replica index:"
          + " \(operation.destination) is a replica of \(primary)")
    }
    if operation.isMove {
      try move(source, onto: destination, operation)
    } else {
      try copy(source, onto: destination, operation)
    }
  }

  private mutating func copy(
    _ source: IndexSnapshot?, onto destination: IndexSnapshot?, _ operation: IndexOperation
  ) throws {
    if let replicas = destination?.settings.replicaNames, !replicas.isEmpty {
      throw APIError(
        status: 403,
        "cannot copy to a primary/replica index: \(operation.destination) has the replicas"
          + " \(replicas.joined(separator: ", "))")
    }
    let source = source ?? emptySnapshot()
    var settings = source.settings
    settings.replicas = []
    settings.primary = nil
    // The contract never copies these.
    for name in ["mode", "enableReRanking"] { settings.additionalSettings[name] = nil }
    guard !operation.scopes.isEmpty else {
      set(source.with(source.segments, settings), of: operation.destination)
      return
    }
    var result = destination ?? emptySnapshot()
    for scope in operation.scopes {
      switch scope {
      case .settings: result = try result.replacingSettings(with: settings, cancellation)
      case .synonyms, .rules:
        var entries = result.entries
        entries.copy(scope == .synonyms ? .synonyms : .rules, from: source.entries)
        result = try result.with(entries, cancellation)
      }
    }
    set(result, of: operation.destination)
  }

  private mutating func move(
    _ source: IndexSnapshot?, onto destination: IndexSnapshot?, _ operation: IndexOperation
  ) throws {
    guard let source else { return }
    let (from, to) = (operation.source, operation.destination)
    if let primary = source.settings.primary {
      throw APIError(
        status: 403, "cannot move a primary/replica index: \(from) is a replica of \(primary)")
    }
    guard source.settings.replicaNames.isEmpty else {
      throw APIError(
        status: 403,
        "cannot move a primary/replica index: \(from) has the replicas"
          + " \(source.settings.replicaNames.joined(separator: ", "))")
    }
    var settings = source.settings
    settings.replicas = destination?.settings.replicas ?? []
    set(source.with(source.segments, settings), of: to)
    remove(from)
    for name in settings.replicaNames {
      guard let replica = try snapshot(of: name) else { continue }
      // The replica keeps its settings, with the records of the moved index.
      var moved = source
      moved.entries = replica.entries
      set(try moved.reindexed(with: replica.settings, cancellation), of: name)
    }
  }
}
