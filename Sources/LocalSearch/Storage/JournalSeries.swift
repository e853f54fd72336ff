import InstantSearchAPI

/// The journals written since the last checkpoint, oldest first.
///
/// A journal is named like the file, with `.journal-` and a number. Writes go to the newest
/// journal. An older one never changes again. Each journal stores the end position of its
/// predecessor, and the file stores the position that its first journal follows. So a journal that
/// lost entries, is missing or belongs to another state of the file is detected, except for the
/// newest ones.
struct JournalSeries: Sendable {
  /// The first journal with writes that a file does not have.
  struct Start: Sendable, Hashable {
    var number: UInt64 = 0
    /// The position that the journal follows.
    var predecessor = Journal.Position(identity: 0, count: 0, digest: 0)
  }

  private let path: String
  private let disk: any Disk
  /// The newest journal, and its number.
  private var newest: Journal
  private var number: UInt64
  /// The number of the oldest journal.
  private var oldest: UInt64
  /// The length of the journals before the newest one, in bytes.
  private var olderLength: Int
  /// The number of entries that index all records again, before the newest journal and in it.
  private var olderIndexingCount: Int
  private var newestIndexingCount: Int

  /// Whether a failed write may have left something at the end of the newest journal.
  var isBroken: Bool { newest.isBroken }
  /// Whether the newest journal has no entries.
  var isNewestEmpty: Bool { newest.count == 0 && !isBroken }
  /// Whether no journal has entries.
  var isEmpty: Bool { isNewestEmpty && oldest == number }
  /// The start for a file that has everything before the newest journal.
  var newestStart: Start { Start(number: number, predecessor: newest.header.predecessor) }

  /// Journals whose numbers differ by more belong to files that were created separately.
  private static let maximumDistance: UInt64 = 1 << 20

  /// The cost of reading the journals, in bytes of records to index.
  ///
  /// - Parameter fileSize: The size of the file, in bytes, which is the cost of indexing all
  ///   records.
  func cost(_ fileSize: Int) -> Int {
    // The limits are never reached, and keep sums from overflowing.
    let indexingCount = min(olderIndexingCount + newestIndexingCount, 1 << 16)
    return olderLength + newest.length + min(fileSize, 1 << 44) * indexingCount
  }

  /// Returns the start of a new file.
  ///
  /// - Parameter number: A random number.
  static func start(number: UInt64) -> Start {
    Start(number: number, predecessor: Journal.Position(identity: number, count: 0, digest: 0))
  }

  /// Reads the journals of a file, and removes older ones.
  ///
  /// - Parameters:
  ///   - start: The first journal with writes that the file does not have.
  ///   - read: Reads an entry, and returns whether applying it indexes all records again.
  init(
    of path: String, from start: Start, on disk: any Disk, _ cancellation: CancellationCheck,
    _ read: (inout SectionReader) throws -> Bool
  ) throws {
    var newest: Journal?
    var (number, position) = (start.number, start.predecessor)
    var (olderLength, olderCount, newestCount) = (0, 0, 0)
    func open(_ number: UInt64) throws -> (any DiskFile)? {
      try disk.openIfPresent(Self.name(number, of: path), .updating, permissionsOf: path)
    }
    while let current = try open(number) {
      olderLength += newest?.length ?? 0
      olderCount += newestCount
      (newest, newestCount) = (nil, 0)
      let journal = try Journal.open(
        current, number: number, cancellation, { newestCount += try read(&$0) ? 1 : 0 })
      guard let journal, try Self.isFollowing(position, journal, number, start) else { break }
      (newest, position) = (journal, journal.position)
      number += 1
    }
    if newest != nil { number -= 1 }
    if let later = try Self.numbers(after: number, of: path, on: disk).min() {
      throw Self.problem("\(newest == nil ? number : number + 1) is missing", later)
    }
    try newest?.removeIncompleteEntry()
    self.newest = try newest ?? Self.create(number, after: position, of: path, on: disk)
    // The program that gave the files their names may have ended before they were on the disk.
    try disk.synchronizeFolder(of: path)
    self.path = path
    self.disk = disk
    self.number = number
    self.olderLength = olderLength
    (olderIndexingCount, newestIndexingCount) = (olderCount, newestCount)
    oldest = start.number
    removeJournals(before: start)
  }

  /// Whether a journal follows a position. If not, its creation failed, and the one before went on.
  ///
  /// - Throws: ``FileProblem`` if the journal has writes that follow others.
  private static func isFollowing(
    _ position: Journal.Position, _ journal: Journal, _ number: UInt64, _ start: Start
  ) throws -> Bool {
    let predecessor = journal.header.predecessor
    if predecessor == position { return true }
    if predecessor.identity == position.identity, predecessor.count != position.count {
      if journal.count == 0, predecessor.count < position.count { return false }
      throw problem("\(number - 1) has \(position.count) of \(predecessor.count) writes", number)
    }
    throw problem(
      number == start.number
        ? "\(number) does not follow the file"
        : "\(number) does not follow its journal \(number - 1)",
      number)
  }

  private static func problem(_ what: String, _ number: UInt64) -> FileProblem {
    .damaged(
      "its journal \(what); if its journal \(number) belongs to another state of the file, move that"
        + " journal away")
  }

  /// Whether a journal of a file has entries.
  static func hasEntries(from start: Start, of path: String, on disk: any Disk) throws -> Bool {
    let later = try numbers(after: start.number, of: path, on: disk)
    return try ([start.number] + later).contains { number in
      let journal = try disk.openIfPresent(name(number, of: path), .reading)
      return try journal.map { try $0.size() > Journal.headerLength } ?? false
    }
  }

  /// Returns the number of a journal with entries beside a file that has none, or `nil`.
  static func orphan(of path: String, on disk: any Disk) throws -> UInt64? {
    let prefix = namePrefix(of: path)
    var paths: [String] = []
    do { paths = try disk.paths(beginningWith: prefix) } catch let error as DiskError
      where error.reason == .denied
    {}
    return try paths.compactMap { found in
      UInt64(found.dropFirst(prefix.count)).flatMap { found == name($0, of: path) ? $0 : nil }
    }.sorted().first { number in
      let journal = try disk.openIfPresent(name(number, of: path), .reading)
      return try journal.map { try $0.size() > Journal.headerLength } ?? false
    }
  }

  /// Returns the numbers of the journals after one, in any order.
  ///
  /// Only the next one is looked for if the folder cannot be read.
  private static func numbers(
    after number: UInt64, of path: String, on disk: any Disk
  ) throws -> [UInt64] {
    let prefix = namePrefix(of: path)
    var paths: [String]?
    do {
      paths = try disk.paths(beginningWith: prefix)
    } catch let error as DiskError where error.reason == .denied {}
    guard let paths else {
      return try disk.openIfPresent(name(number + 1, of: path), .reading) == nil ? [] : [number + 1]
    }
    return paths.compactMap { found in
      guard let other = UInt64(found.dropFirst(prefix.count)), found == name(other, of: path),
        other > number, other - number <= maximumDistance
      else { return nil }
      return other
    }
  }

  /// Adds an entry to the newest journal, and waits until it is on the disk; see
  /// ``Journal/append(_:at:checkLock:)``.
  ///
  /// - Parameters:
  ///   - indexesAgain: Whether applying the entry indexes all records again.
  ///   - checkLock: Throws ``FileProblem`` if the file is not locked any more.
  mutating func append(
    _ contents: [ArraySlice<UInt8>], indexesAgain: Bool, checkLock: () throws -> Void
  ) throws {
    try newest.append(contents, at: name(number), checkLock: checkLock)
    if indexesAgain { newestIndexingCount += 1 }
  }

  /// Creates the journal after the newest one, in place of one whose creation failed.
  func makeNext() throws -> Journal {
    try Self.create(number + 1, after: newest.position, of: path, on: disk)
  }

  /// Begins to write to the journal after the newest one.
  mutating func advance(to next: Journal) {
    olderLength += newest.length
    olderIndexingCount += newestIndexingCount
    newestIndexingCount = 0
    newest = next
    number += 1
  }

  /// Removes the journals before a number, whose writes are in the file now.
  mutating func remove(before end: UInt64) {
    // A journal that can't be removed now is removed at the next opening, because the newest
    // journals are removed last.
    for number in oldest..<max(oldest, end) {
      do { try disk.remove(name(number)) } catch { break }
    }
    oldest = max(oldest, end)
    if end == number { (olderLength, olderIndexingCount) = (0, 0) }
  }

  /// Removes the journals that the first one follows, which an interrupted checkpoint left. Other
  /// journals may have the only copy of their writes.
  private func removeJournals(before start: Start) {
    var (number, position) = (start.number, start.predecessor)
    while number > 0 {
      number -= 1
      do {
        let file = try disk.open(name(number), .reading)
        guard let header = try Journal.header(of: file, number: number),
          header.identity == position.identity
        else { return }
        try disk.remove(name(number))
        position = header.predecessor
      } catch {
        return
      }
    }
  }

  /// Removes the newest journal, which has no entries, at the end of the use of the file.
  func removeEmpty() {
    if isEmpty { try? disk.remove(name(number)) }
  }

  private func name(_ number: UInt64) -> String { Self.name(number, of: path) }

  private static func name(_ number: UInt64, of path: String) -> String {
    "\(namePrefix(of: path))\(number)"
  }

  private static func namePrefix(of path: String) -> String { path + ".journal-" }

  private static func create(
    _ number: UInt64, after position: Journal.Position, of path: String, on disk: any Disk
  ) throws -> Journal {
    try Journal.create(
      name(number, of: path), number: number, after: position, permissionsOf: path, on: disk)
  }
}
