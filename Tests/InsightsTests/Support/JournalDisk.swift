import AsyncInstantSearch
@testable import AsyncInstantSearchInsights
import AsyncInstantSearchTesting
@testable import InstantSearchAPI

/// A simulated disk with a journal.
struct JournalDisk: Sendable {
  let disk: any Disk
  private let files: SimulatedDisk
  static let path = "events.journal"

  init(_ files: SimulatedDisk = SimulatedDisk(), through disk: (any Disk)? = nil) {
    self.files = files
    self.disk = disk ?? files
  }

  /// The contents of the file. Setting them is no call of the disk.
  var bytes: [UInt8] {
    get { files[Self.path] ?? [] }
    nonmutating set { files[Self.path] = newValue }
  }

  /// The names of the files, sorted.
  var names: [String] { files.paths }

  /// Makes a journal that uses the file.
  func journal(
    _ synchronization: InsightsJournal.Synchronization = .never,
    compactionByteCount: Int = 65_536
  ) -> InsightsJournal {
    InsightsJournal(
      path: Self.path, synchronization: synchronization, compactionByteCount: compactionByteCount,
      disk: disk)
  }
}

/// A unique record.
func record(_ id: UInt64) -> InsightsRecord {
  InsightsRecord(
    id: id, timestamp: 1_700_000_000_000 &+ Int64(truncatingIfNeeded: id),
    event: Array("{\"n\":\(id)}".utf8))
}
