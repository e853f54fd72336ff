extension LocalSearch {
  /// Returns an independent engine with the same indices, in memory only.
  ///
  /// Both engines share unchanged data, so the time and memory of a clone do not grow with the
  /// records. Give each test a clone of one engine: no test sees the writes of another.
  public func clone() -> LocalSearch {
    let clone = LocalSearch(configuration: configuration)
    clone.take(contents)
    return clone
  }

  /// The indices and counters of this moment.
  var contents: EngineContents { EngineContents(indexStore, state.objectIDGenerator) }

  /// Takes the contents of a file, before any other call.
  func take(_ contents: EngineContents) {
    indexStore.publish(
      contents.snapshots.mapValues { $0 },
      contents.dictionaries.isEmpty ? nil : indexStore.dictionaries.with(contents.dictionaries))
    indexStore.setLastTask(contents.lastTaskID)
    state.objectIDGenerator.setNumber(atLeast: contents.generatedIDCount)
  }
}

extension EngineContents {
  /// Creates the contents of this moment.
  init(_ store: IndexStore, _ generator: ObjectIDGenerator) {
    let (snapshots, dictionaries, lastTaskID) = store.current
    self.init(
      snapshots: snapshots, dictionaries: dictionaries.entries, lastTaskID: lastTaskID,
      generatedIDCount: generator.number)
  }
}
