import InstantSearchAPI

/// The journals of a file, from the one that the file names on.
///
/// The names are that of the file with `.journal-` and a number. Writes go to the newest journal.
/// An older one never changes again, and the next one has its identity and its number of entries.
/// So an older journal that lost entries, or is another one, is found.
struct JournalSeries: Sendable {
  private let path: String
  private let disk: any Disk
  /// The newest journal, and its number.
  private var newest: Journal
  private(set) var number: UInt64
  /// The number of the oldest journal.
  private var oldest: UInt64
  /// The size of the journals before the newest one, in bytes.
  private var olderLength: Int

  /// Whether an entry of the newest journal, or of an older one, indexes records again.
  private var newestIndexesAgain = false
  private var olderIndexesAgain = false

  /// The size of the journals, in bytes.
  var length: Int { olderLength + newest.length }
  /// Whether an entry indexes records again, which can take as long as indexing all.
  var indexesAgain: Bool { newestIndexesAgain || olderIndexesAgain }
  /// Whether a failed write may have left something at the end of the newest journal.
  var isBroken: Bool { newest.isBroken }
  /// Whether the newest journal has no entries.
  var isNewestEmpty: Bool { newest.count == 0 && !isBroken }
  /// Whether no journal has entries.
  var isEmpty: Bool { isNewestEmpty && oldest == number }

  /// Reads the journals of a file, and removes older ones.
  ///
  /// - Parameters:
  ///   - first: The number of the first journal with writes that the file does not have.
  ///   - read: Reads an entry, and returns whether it indexes records again.
  init(
    of path: String, from first: UInt64, on disk: any Disk, _ cancellation: CancellationCheck,
    _ read: (inout SectionReader) throws -> Bool
  ) throws {
    var last: Journal?
    var indexesAgain = false
    var (number, olderLength, isInterrupted) = (first, 0, false)
    var file = try disk.openIfPresent(Self.name(first, of: path), .updating)
    while let current = file {
      file = try disk.openIfPresent(Self.name(number + 1, of: path), .updating)
      guard
        var journal = try Journal.open(
          current, number: number, isNewest: file == nil, cancellation,
          { if try read(&$0) { indexesAgain = true } })
      else {
        isInterrupted = true
        break
      }
      if let last {
        if let predecessor = journal.header.predecessor,
          predecessor != (last.header.identity, last.count)
        {
          // Its creation failed, and the one before it went on, if it has no entries.
          guard journal.count == 0, predecessor.identity == last.header.identity,
            predecessor.count < last.count
          else {
            throw FileProblem.damaged(
              predecessor.identity == last.header.identity
                ? "its journal \(number - 1) has \(last.count) of \(predecessor.count) writes"
                : "its journal \(number) does not follow its journal \(number - 1)")
          }
          journal = try Self.create(number, after: last, of: path, on: disk)
        }
        olderLength += last.length
      }
      last = journal
      number += 1
    }
    if !isInterrupted {
      file = try disk.openIfPresent(Self.name(number + 1, of: path), .reading)
    }
    guard file == nil else {
      throw FileProblem.damaged(
        "its journal \(number) \(isInterrupted ? "has no header" : "is missing")")
    }
    if let last, !isInterrupted {
      newest = last
      number -= 1
    } else {
      newest = try Self.create(number, after: last, of: path, on: disk)
      olderLength += last?.length ?? 0
    }
    // The program that gave the files their names may have ended before they were on the disk.
    try disk.synchronizeFolder(of: path)
    self.path = path
    self.disk = disk
    self.number = number
    self.olderLength = olderLength
    oldest = first
    newestIndexesAgain = indexesAgain
    removeJournals(before: first)
  }

  /// Whether a journal of a file, from a number on, has entries.
  static func hasEntries(
    from first: UInt64, of path: String, on disk: any Disk
  ) throws -> Bool {
    var number = first
    while let journal = try disk.openIfPresent(name(number, of: path), .reading) {
      if try journal.size() > Journal.headerLength { return true }
      number += 1
    }
    return try disk.openIfPresent(name(number + 1, of: path), .reading) != nil
  }

  /// Adds an entry to the newest journal, and waits until it is on the disk; see
  /// ``Journal/append(_:)``.
  ///
  /// - Parameter indexesAgain: Whether the entry indexes records again.
  mutating func append(_ contents: [[UInt8]], indexesAgain: Bool) throws {
    try newest.append(contents)
    if indexesAgain { newestIndexesAgain = true }
  }

  /// Creates the journal after the newest one, in place of one whose creation failed.
  func makeNext() throws -> Journal {
    try Self.create(number + 1, after: newest, of: path, on: disk)
  }

  /// Begins to write to the journal after the newest one.
  mutating func advance(to next: Journal) {
    olderLength += newest.length
    olderIndexesAgain = indexesAgain
    newestIndexesAgain = false
    newest = next
    number += 1
  }

  /// Removes the journals before a number, whose writes are in the file now.
  mutating func remove(before end: UInt64) {
    // What cannot be removed is removed at the next opening, because the newest are removed last.
    for number in oldest..<max(oldest, end) {
      do { try disk.remove(name(number)) } catch { break }
    }
    oldest = max(oldest, end)
    if end == number { (olderLength, olderIndexesAgain) = (0, false) }
  }

  /// Removes the journals directly before a number, which an interrupted checkpoint left.
  private func removeJournals(before end: UInt64) {
    var number = end
    while number > 0 {
      number -= 1
      do { try disk.remove(name(number)) } catch { return }
    }
  }

  /// Removes the newest journal, which has no entries, at the end of the use of the file.
  func removeEmpty() {
    if isEmpty { try? disk.remove(name(number)) }
  }

  private func name(_ number: UInt64) -> String { Self.name(number, of: path) }

  private static func name(_ number: UInt64, of path: String) -> String {
    "\(path).journal-\(number)"
  }

  private static func create(
    _ number: UInt64, after last: Journal?, of path: String, on disk: any Disk
  ) throws -> Journal {
    try Journal.create(name(number, of: path), number: number, after: last, on: disk)
  }
}
