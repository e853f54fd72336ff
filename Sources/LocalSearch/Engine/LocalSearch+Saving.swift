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
      let contents = try await working(.long, until: nil) { cancellation in
        try EngineFile.contents(of: path, configuration, cancellation)
      }
      take(contents)
      merging.start(after: indexNames)
    } catch {
      throw SearchError(opening: path, error)
    }
  }

  /// Saves all indices to a file: their records, settings, synonyms and rules, and the
  /// dictionaries.
  ///
  /// The file has the indices of one moment. It is written under the name with `.checkpoint` at its
  /// end, brought to the disk, and renamed. So an older file stays until the new one is complete.
  ///
  /// - Parameter path: The path of the file, relative to the current directory or absolute. Its
  ///   folder must exist.
  /// - Throws: `SearchError` with code `storage` if the file cannot be written, or an engine uses
  ///   it; call its ``checkpoint()`` instead. `cancelled` if the task is cancelled before the file
  ///   is complete. The older file stays, unless only the last step fails, which brings the new
  ///   name to the disk.
  @concurrent
  public func save(to path: String) async throws(SearchError) {
    try await save(to: path, on: configuration.disk)
  }

  /// Saves all indices to a file of another disk.
  package func save(to path: String, on disk: any Disk) async throws(SearchError) {
    do {
      _ = try await working(.long, until: nil) { [self] cancellation in
        let path = try EngineFile.path(path, on: disk)
        // An engine that uses the file has its lock, and goes on to write it.
        guard let lock = try EngineLock(path, on: disk) else {
          throw FileProblem("an engine uses it; call its checkpoint() instead")
        }
        defer { if lock.isNew { lock.remove() } }
        var contents = contents
        contents.journals = JournalSeries.start(number: configuration.makeJournalNumber())
        return try EngineFile.replace(path, lockedBy: lock, on: disk, with: contents, cancellation)
      }
    } catch {
      throw SearchError(saving: path, error)
    }
  }
}
