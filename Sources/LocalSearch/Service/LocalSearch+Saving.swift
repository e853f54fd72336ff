import InstantSearchAPI

extension LocalSearch {
  /// Creates an engine with the contents of a file that ``save(to:)`` wrote.
  ///
  /// The engine is in memory only: it leaves the file as it is. Opening takes a small part of the
  /// time of indexing the records.
  ///
  /// - Parameters:
  ///   - path: The path of the file, relative to the current directory or absolute.
  ///   - configuration: The configuration of the engine.
  /// - Throws: `SearchError` with code `storage` if the file cannot be read, is not the file of an
  ///   engine, is incomplete or damaged, or is of a newer version. `cancelled` if the task is
  ///   cancelled.
  public convenience init(
    contentsOf path: String, configuration: Configuration = Configuration()
  ) async throws(SearchError) {
    self.init(configuration: configuration)
    do {
      let contents = try await working(.read, until: nil) { cancellation in
        let disk = configuration.disk
        let contents = try EngineContents(from: disk.open(path, .reading), cancellation)
        guard try !EngineStorage.hasJournal(contents.journalNumber, of: path, on: disk) else {
          throw FileProblem(
            "its journal has newer writes; open it with LocalSearch(file:), or checkpoint() there")
        }
        return contents
      }
      take(contents)
      merging.start(after: indexNames)
    } catch {
      throw SearchError(opening: path, error)
    }
  }

  /// Saves all indices to a file: their records, settings, synonyms and rules.
  ///
  /// The file has the indices of one moment. It is written under the name with `.new` at its end,
  /// brought to the disk, and renamed. So an older file stays until the new one is complete.
  ///
  /// - Parameter path: The path of the file, relative to the current directory or absolute. Its
  ///   folder must exist.
  /// - Throws: `SearchError` with code `storage` if the file cannot be written. `cancelled` if the
  ///   task is cancelled before the file is complete. The older file stays in both cases.
  @concurrent
  public func save(to path: String) async throws(SearchError) {
    try await save(to: path, on: configuration.disk)
  }

  /// Saves all indices to a file of another disk.
  package func save(to path: String, on disk: any Disk) async throws(SearchError) {
    do {
      _ = try await working(.read, until: nil) { [self] cancellation in
        // An engine that uses the file has its lock, and goes on to write it.
        let lockPath = path + ".lock"
        let isNew = try disk.openIfPresent(lockPath, .updating) == nil
        let lock = try disk.open(lockPath, .locking)
        guard try lock.lock() else {
          throw FileProblem("an engine uses it; call its checkpoint() instead")
        }
        defer { if isNew { try? disk.remove(lockPath) } }
        var contents = contents
        contents.journalNumber = configuration.makeJournalNumber()
        return try EngineFile.replace(path, on: disk, with: contents, cancellation)
      }
    } catch {
      throw SearchError(saving: path, error)
    }
  }

  /// Returns an engine of its own with the same indices, in memory only.
  ///
  /// Both share what neither changes, so a clone takes no time and no memory that grows with the
  /// records. Give each test a clone of one engine: no test sees the writes of another.
  public func clone() -> LocalSearch {
    let clone = LocalSearch(configuration: configuration)
    clone.take(contents)
    return clone
  }

  /// The indices and counters of this moment.
  var contents: EngineContents { EngineContents(indexStore, objectIDGenerator) }

  /// Takes the contents of a file, before any other call.
  func take(_ contents: EngineContents) {
    indexStore.publish(contents.snapshots.mapValues { $0 })
    indexStore.setLastTask(contents.lastTaskID)
    objectIDGenerator.setNumber(atLeast: contents.generatedIDCount)
  }
}

extension EngineContents {
  /// Creates the contents of this moment.
  init(_ store: IndexStore, _ generator: ObjectIDGenerator) {
    let (snapshots, lastTaskID) = store.current
    self.init(
      snapshots: snapshots, lastTaskID: lastTaskID, generatedIDCount: generator.number)
  }
}

/// Replaces the file of an engine in one step. Its lock is held by the caller.
enum EngineFile {
  /// Writes the contents aside, and renames the file when it is complete.
  ///
  /// - Returns: The size of the file, in bytes.
  static func replace(
    _ path: String, on disk: any Disk, with contents: EngineContents,
    _ cancellation: CancellationCheck
  ) throws -> Int {
    let newPath = path + ".new"
    let file = try disk.open(newPath, .replacing)
    do {
      try contents.write(to: file, cancellation)
      try disk.rename(newPath, to: path)
    } catch {
      try? disk.remove(newPath)
      throw error
    }
    try disk.synchronizeFolder(of: path)
    return try file.size()
  }
}

extension SearchError {
  /// Creates the error of reading a file.
  init(opening path: String, _ error: any Error) {
    self.init(file: path, "Cannot open", error)
  }

  /// Creates the error of writing a file.
  init(saving path: String, _ error: any Error) {
    self.init(file: path, "Cannot save to", error)
  }

  private init(file path: String, _ action: String, _ error: any Error) {
    switch error {
    case let problem as FileProblem:
      self.init(.storage, "\(action) \(path): \(problem).")
    case let failure as DiskError:
      self.init(.storage, "\(action) \(path): \(failure).", underlying: "\(failure.reason)")
    default: self.init(engine: error, indexName: nil)
    }
  }
}
