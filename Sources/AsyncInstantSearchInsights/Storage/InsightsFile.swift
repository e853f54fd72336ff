import InstantSearchAPI

/// The file of a journal: its events in the order in which they were added.
///
///     header  magic (8), version (4), 0 (4)
///     event   mark (8), ID (8), length (8), checksum (8), timestamp (8), event
///
/// Numbers are little-endian. The bytes before the timestamp are an ``EntryHead``. The last byte of
/// the mark says whether the event waits. It is overwritten when the event is acknowledged, which
/// takes no space on the disk.
struct InsightsFile {
  private struct Event {
    let record: InsightsRecord
    let offset: Int
  }

  private static let header: [UInt8] =
    [0x89] + Array("ASEVENT".utf8) + LittleEndian.bytes(of: version) + [0, 0, 0, 0]
  private static let version: UInt32 = 1
  private static let mark: [UInt8] = [EntryHead.markStart] + Array("ASINSI".utf8) + [waiting]
  private static let markOffset = 7
  /// A single flipped bit cannot turn one into the other.
  private static let waiting = UInt8(ascii: "W")
  private static let acknowledged = UInt8(ascii: "(")
  private static let timestampLength = 8
  /// The maximum length of the contents of a record, in bytes. The body of a call is shorter.
  private static let maximumContents = 1 << 21
  /// The maximum length of a file, in bytes.
  private static let maximumLength = 1 << 30

  private var file: AppendableFile
  private var events: [UInt64: Event] = [:]
  /// The bytes of the waiting events in the file.
  private var waitingByteCount = 0
  /// The state of the file when it was opened.
  private(set) var recovery = InsightsJournal.RecoveryReport(
    eventCount: 0, truncatedByteCount: 0, corruptByteCount: 0)

  /// The waiting events, in the order of their IDs.
  var records: [InsightsRecord] { events.values.map(\.record).sorted { $0.id < $1.id } }
  /// The ID of the next record.
  private(set) var nextID: UInt64 = 1

  /// Opens a file, or creates it.
  ///
  /// - Returns: The file, or `nil` if it is in use.
  /// - Throws: ``Problem`` if it is not a journal of this version. It is not changed then.
  init?(_ path: String, on disk: any Disk) throws {
    guard let file = try AppendableFile(path, on: disk) else { return nil }
    self.file = file
    let start = try file.read(Self.header.count, at: 0)
    guard start == Self.header else {
      try begin(start)
      return
    }
    guard file.length <= Self.maximumLength else { throw Problem.tooLong }
    file.removeRemains(of: Self.header)
    let end = try readEvents()
    recovery.eventCount = events.count
    recovery.truncatedByteCount = file.length - end
    if end < file.length { try self.file.truncate(to: end) }
    // Events that were read must not be lost later, even if the process that wrote them has ended.
    try self.file.synchronizeAll()
  }

  /// Writes the missing header of a file.
  private mutating func begin(_ start: [UInt8]) throws {
    guard file.length <= Self.header.count,
      AppendableFile.isInterrupted(start, of: Self.header)
    else {
      guard start.count == Self.header.count, start.starts(with: Self.header.prefix(8)) else {
        throw Problem.foreign
      }
      throw Problem.version(LittleEndian.number(start[8..<12]))
    }
    recovery.truncatedByteCount = file.length
    try file.truncate(to: 0)
    try file.append(Self.header)
    try file.synchronizeAll()
  }

  /// Why a file is not used.
  enum Problem: Error {
    case foreign
    case version(UInt64)
    /// The file has more bytes than a journal may have.
    case tooLong
    /// The event is longer than the body of a call.
    case eventTooLong
    /// Waiting events take all bytes that a journal may have.
    case noRoom
  }

  // MARK: Changes

  /// Adds an event.
  ///
  /// - Throws: Errors of the disk, and ``Problem/eventTooLong`` and ``Problem/noRoom``. The events
  ///   in the file are unchanged.
  mutating func append(_ record: InsightsRecord, synchronizing: Bool) throws {
    try settle()
    let bytes = Self.bytes(of: record)
    guard bytes.count - EntryHead.byteCount <= Self.maximumContents else {
      throw Problem.eventTooLong
    }
    do {
      try write(bytes, synchronizing)
    } catch {
      // The space of acknowledged events may be enough.
      guard (try? compact(ifSparing: 1, synchronizing: synchronizing)) == true else { throw error }
      try write(bytes, synchronizing)
    }
    add(record, at: file.length - bytes.count)
  }

  private mutating func write(_ bytes: [UInt8], _ synchronizing: Bool) throws {
    guard bytes.count <= Self.maximumLength - file.length else { throw Problem.noRoom }
    try file.append(bytes, synchronizing: synchronizing)
  }

  /// Acknowledges events. If it throws, each of them may wait.
  ///
  /// - Parameter threshold: The number of bytes of acknowledged events from which a smaller file is
  ///   worthwhile, if they are most of this one.
  mutating func acknowledge(
    _ ids: Set<UInt64>, synchronizing: Bool, compactingFrom threshold: Int
  ) throws {
    try settle()
    if events.keys.allSatisfy(ids.contains), (try? removeAll(synchronizing)) != nil { return }
    try settle()
    let events = ids.compactMap { self.events[$0] }
    do {
      try file.checkName()
      for event in events {
        try file.overwrite(Self.acknowledged, at: event.offset + Self.markOffset)
      }
      if synchronizing { try file.synchronize() }
    } catch {
      guard (try? compact(without: ids, synchronizing: synchronizing)) == true else { throw error }
      return
    }
    for event in events { forget(event.record) }
    // If no smaller file can be written, the current file stays.
    if spareByteCount > waitingByteCount {
      _ = try? compact(ifSparing: threshold, synchronizing: synchronizing)
    }
  }

  private mutating func removeAll(_ synchronizing: Bool) throws {
    try file.checkName()
    try file.truncate(to: Self.header.count)
    (events, waitingByteCount) = ([:], 0)
    if synchronizing { try file.synchronize() }
  }

  /// Forgets events that a truncation has removed, although it failed: they were acknowledged.
  private mutating func settle() throws {
    try file.settle()
    if file.length == Self.header.count { (events, waitingByteCount) = ([:], 0) }
  }

  /// The bytes of acknowledged events and of damage.
  private var spareByteCount: Int { file.length - Self.header.count - waitingByteCount }

  /// Replaces the file with a smaller file.
  ///
  /// - Parameters:
  ///   - ids: Events that are left out.
  ///   - threshold: The number of bytes that it must make free.
  /// - Returns: Whether it is worthwhile.
  private mutating func compact(
    without ids: Set<UInt64> = [], ifSparing threshold: Int = 0, synchronizing: Bool
  ) throws -> Bool {
    guard spareByteCount >= threshold else { return false }
    let kept = records.filter { !ids.contains($0.id) }
    try file.replace(with: Self.header + kept.flatMap(Self.bytes))
    (events, waitingByteCount) = ([:], 0)
    var offset = Self.header.count
    for record in kept {
      add(record, at: offset)
      offset += Self.byteCount(of: record)
    }
    try file.settle()
    if synchronizing { try file.synchronize() }
    return true
  }

  private mutating func add(_ record: InsightsRecord, at offset: Int) {
    forget(record)
    events[record.id] = Event(record: record, offset: offset)
    waitingByteCount += Self.byteCount(of: record)
    nextID = max(nextID, record.id == .max ? .max : record.id + 1)
  }

  private mutating func forget(_ record: InsightsRecord) {
    guard let event = events.removeValue(forKey: record.id) else { return }
    waitingByteCount -= Self.byteCount(of: event.record)
  }

  private static func byteCount(of record: InsightsRecord) -> Int {
    EntryHead.byteCount + timestampLength + record.event.count
  }

  private static func bytes(of record: InsightsRecord) -> [UInt8] {
    let timestamp = LittleEndian.bytes(of: record.timestamp)
    let head = EntryHead(
      mark: mark, number: record.id, contents: [timestamp[...], record.event[...]])
    return head.bytes + timestamp + record.event
  }

  /// Takes back what a failed write has left, if the disk permits it now.
  mutating func close() { file.close() }

  // MARK: Reading

  /// Reads the events after the header.
  ///
  /// A corrupt range is skipped up to the next intact event. Bytes after the last one are an
  /// interrupted write or corruption. If crafted bytes would require reading more than 16 times
  /// their number, the rest counts as corrupt.
  ///
  /// - Returns: The offset after the last intact event.
  private mutating func readEvents() throws -> Int {
    var window = Window(file)
    var (offset, end, checked) = (Self.header.count, Self.header.count, 0)
    while offset < file.length, checked / 16 <= file.length {
      if try window.bytes(Self.markOffset, at: offset) == Self.mark.prefix(Self.markOffset),
        let head = EntryHead(try window.bytes(EntryHead.byteCount, at: offset)),
        let isWaiting = Self.isWaiting(head),
        let length = Int(exactly: head.length), length >= Self.timestampLength,
        length <= min(Self.maximumContents, file.length - offset - EntryHead.byteCount)
      {
        checked += length
        let contents = try window.bytes(length, at: offset + EntryHead.byteCount)
        if head.isIntact(contents) {
          let timestamp = LittleEndian.number(contents.prefix(Self.timestampLength))
          let record = InsightsRecord(
            id: head.number, timestamp: Int64(bitPattern: timestamp),
            event: Array(contents.dropFirst(Self.timestampLength)))
          add(record, at: offset)
          if !isWaiting { forget(record) }
          recovery.corruptByteCount += offset - end
          offset += EntryHead.byteCount + length
          end = offset
          continue
        }
      }
      guard let next = try window.firstIndex(of: EntryHead.markStart, from: offset + 1) else {
        break
      }
      offset = next
    }
    return end
  }

  /// Whether the event of a mark waits, or `nil` if it is not a mark of an event.
  private static func isWaiting(_ head: EntryHead) -> Bool? {
    switch head.mark.last {
    case waiting: return true
    case acknowledged: return false
    default: return nil
    }
  }
}

/// The part of a file that was read last.
private struct Window {
  private let file: AppendableFile
  private var part: [UInt8] = []
  private var start = 0

  init(_ file: AppendableFile) { self.file = file }

  /// Returns bytes at an offset: fewer than asked for only at the end of the file.
  mutating func bytes(_ count: Int, at offset: Int) throws -> ArraySlice<UInt8> {
    let count = max(0, min(count, file.length - offset))
    if offset < start || offset + count > start + part.count {
      part = try file.read(max(count, min(1 << 16, file.length - offset)), at: offset)
      start = offset
    }
    return part.dropFirst(offset - start).prefix(count)
  }

  /// Returns the first offset of a byte from an offset on.
  mutating func firstIndex(of byte: UInt8, from offset: Int) throws -> Int? {
    var offset = offset
    while offset < file.length {
      if offset < start || offset >= start + part.count { _ = try bytes(1, at: offset) }
      let rest = part.dropFirst(offset - start)
      // Another program can have made the file shorter.
      guard !rest.isEmpty else { return nil }
      if let index = rest.firstIndex(of: byte) { return start + index }
      offset = start + part.count
    }
    return nil
  }
}
