import InstantSearchAPI

/// Reads and replaces the file of an engine.
enum EngineFile {
  /// Reads a file that may be in use.
  ///
  /// - Throws: ``FileProblem`` if it cannot be used, or if a journal has newer writes.
  static func contents(
    of path: String, on disk: any Disk, _ cancellation: CancellationCheck
  ) throws -> EngineContents {
    while true {
      let contents = try EngineContents(from: disk.open(path, .reading), cancellation)
      let number = contents.journalNumber
      guard try !JournalSeries.hasEntries(from: number, of: path, on: disk) else {
        throw FileProblem(
          "its journal has newer writes; open it with LocalSearch(file:), or checkpoint() there")
      }
      // After a checkpoint in between, the journal may have been removed with newer writes.
      let file = try disk.open(path, .reading)
      if try EngineContents.journalNumber(of: file, cancellation) == number { return contents }
    }
  }

  /// Writes the contents aside, and renames the file when it is complete. Its lock is held by the
  /// caller.
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
