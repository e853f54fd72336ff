/// Decides which runs of browsing are kept, so that forgotten ones do not pin memory for ever.
package struct BrowseRetention: Sendable {
  /// What is known of a run.
  package struct Run: Sendable {
    /// The number of the run.
    package var number: UInt64
    /// When it was used last, as a count of uses.
    package var lastUse: UInt64
    /// Whether its last page was answered.
    package var isFinished: Bool
    /// How many records it found; it keeps the place of each.
    package var foundCount: Int
    /// The index and the version of the snapshot that it keeps.
    package var indexName: String
    package var version: UInt64
    /// How many records the snapshot has.
    package var recordCount: Int

    /// Describes a run.
    package init(
      number: UInt64, lastUse: UInt64, isFinished: Bool, foundCount: Int, indexName: String,
      version: UInt64, recordCount: Int
    ) {
      self.number = number
      self.lastUse = lastUse
      self.isFinished = isFinished
      self.foundCount = foundCount
      self.indexName = indexName
      self.version = version
      self.recordCount = recordCount
    }
  }

  private struct SnapshotKey: Hashable {
    var indexName: String
    var version: UInt64
  }

  /// The most runs at a time.
  package static let maximumCount = 64
  /// The most runs that are kept after their last page, so that its cursor can be used again.
  package static let maximumFinishedCount = 4
  /// The most records that all runs together keep: those of each snapshot once, and those that each
  /// run found.
  package static let maximumRecordCount = 10_000_000

  /// The numbers of the runs to be forgotten.
  ///
  /// Finished runs go before others, and those before that were not used for longest. The run that
  /// is kept first is kept whatever its size.
  package static func expired(_ runs: [Run]) -> [UInt64] {
    let ordered = runs.sorted {
      $0.isFinished == $1.isFinished ? $0.lastUse > $1.lastUse : $1.isFinished
    }
    var expired: [UInt64] = []
    var snapshots: Set<SnapshotKey> = []
    var (count, finishedCount, records) = (0, 0, 0)
    for run in ordered {
      let snapshot = SnapshotKey(indexName: run.indexName, version: run.version)
      let added = run.foundCount + (snapshots.contains(snapshot) ? 0 : run.recordCount)
      guard
        count == 0
          || (count < maximumCount && records + added <= maximumRecordCount
            && (!run.isFinished || finishedCount < maximumFinishedCount))
      else {
        expired.append(run.number)
        continue
      }
      count += 1
      finishedCount += run.isFinished ? 1 : 0
      records += added
      snapshots.insert(snapshot)
    }
    return expired
  }
}
