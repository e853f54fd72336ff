import Foundation

/// The bytes of a journal.
///
///     header    "AISJRNL", version, next ID (8), checksum (4)                     20 bytes
///     record    mark (4), length (4), checksum of length and payload (4), payload
///     payload   1, ID (8), timestamp (8), event     an event that waits
///               2, ID (8), ID (8), ...              acknowledged events
///
/// Integers are little-endian. The mark begins with a byte that UTF-8 never contains, so that
/// records after a corrupt range are found. The last byte of the mark says whether the record is
/// valid: an event can be marked as acknowledged in place if the disk has no space for another
/// record.
enum JournalFormat {
  static let headerLength = 20
  static let frameLength = 12
  /// The maximum length of a payload. The body of a call is shorter, and so is the list of its
  /// events' IDs.
  static let maximumPayload = 1 << 21

  private static let magic = Array("AISJRNL".utf8)
  private static let version: UInt8 = 1
  private static let markStart: [UInt8] = [0xF7, 0x41, 0x49]
  private static let valid: UInt8 = 0x52
  /// The last byte of the mark of an acknowledged event.
  static let acknowledgedMark: UInt8 = 0x44
  /// The offset of that byte in a record.
  static let markOffset = 3

  // MARK: Writing

  static func header(nextID: UInt64) -> [UInt8] {
    let content = magic + [version] + nextID.littleEndianBytes
    return content + CRC32.checksum(of: content).littleEndianBytes
  }

  static func event(_ record: InsightsRecord) -> [UInt8] {
    framed(
      [1] + record.id.littleEndianBytes
        + UInt64(bitPattern: record.timestamp).littleEndianBytes + record.event)
  }

  /// The number of bytes of the record of an event.
  static func length(of record: InsightsRecord) -> Int {
    frameLength + 1 + 8 + 8 + record.event.count
  }

  static func acknowledgement(_ ids: some Sequence<UInt64>) -> [UInt8] {
    framed([2] + ids.flatMap(\.littleEndianBytes))
  }

  private static func framed(_ payload: [UInt8]) -> [UInt8] {
    let length = UInt32(truncatingIfNeeded: payload.count).littleEndianBytes
    return markStart + [valid] + length + CRC32.checksum(of: length + payload).littleEndianBytes
      + payload
  }

  // MARK: Reading

  /// The contents of the beginning of a file.
  enum Header: Equatable {
    /// A journal. The ID of the next record is `nil` if it is corrupt.
    case valid(nextID: UInt64?)
    /// A part of a header only, from an interrupted write.
    case torn
    /// A journal of another version of this package.
    case unknownVersion(UInt8)
    /// Another file.
    case foreign

    /// Whether this package wrote the file, as far as its beginning says.
    var isOfJournal: Bool {
      switch self {
      case .valid, .torn: true
      case .unknownVersion, .foreign: false
      }
    }
  }

  static func header(of bytes: [UInt8]) -> Header {
    let start = bytes.prefix(magic.count + 1)
    guard bytes.count >= headerLength else {
      return (magic + [version]).starts(with: start) ? .torn : .foreign
    }
    guard start.starts(with: magic) else { return .foreign }
    guard start.last == version else { return .unknownVersion(bytes[magic.count]) }
    let content = bytes[..<(headerLength - 4)]
    let isIntact =
      CRC32.checksum(of: content)
      == UInt32(littleEndianBytes: bytes[(headerLength - 4)..<headerLength])
    let nextID = UInt64(littleEndianBytes: bytes[(magic.count + 1)..<(headerLength - 4)])
    return .valid(nextID: isIntact ? nextID : nil)
  }

  /// A record at an offset of a file.
  enum Payload {
    case event(InsightsRecord)
    case acknowledgement([UInt64])
  }

  /// The frame of a record.
  struct Frame {
    /// The range of the payload.
    let payload: Range<Int>
    /// The checksum of the length and the payload.
    let checksum: UInt32
    /// Whether the record is marked as acknowledged.
    let isAcknowledged: Bool
  }

  /// The frame at an offset, or `nil` if there is none that fits into the file.
  static func frame(at start: Int, of bytes: [UInt8]) -> Frame? {
    guard bytes.count - start >= frameLength,
      bytes[start..<(start + markOffset)].elementsEqual(markStart),
      [valid, acknowledgedMark].contains(bytes[start + markOffset])
    else { return nil }
    let length = Int(UInt32(littleEndianBytes: bytes[(start + 4)..<(start + 8)]))
    let payload = start + frameLength
    guard length <= maximumPayload, length <= bytes.count - payload else { return nil }
    return Frame(
      payload: payload..<(payload + length),
      checksum: UInt32(littleEndianBytes: bytes[(start + 8)..<payload]),
      isAcknowledged: bytes[start + markOffset] == acknowledgedMark)
  }

  /// The payload of a frame, or `nil` if it is corrupt.
  static func payload(of frame: Frame, in bytes: [UInt8]) -> Payload? {
    let lengthField = (frame.payload.lowerBound - 8)..<(frame.payload.lowerBound - 4)
    let payload = bytes[frame.payload]
    guard CRC32.checksum(of: [bytes[lengthField], payload].joined()) == frame.checksum else {
      return nil
    }
    let content = payload.dropFirst()
    switch payload.first {
    case 1 where content.count >= 16:
      return .event(
        InsightsRecord(
          id: UInt64(littleEndianBytes: content.prefix(8)),
          timestamp: Int64(bitPattern: UInt64(littleEndianBytes: content.dropFirst(8).prefix(8))),
          event: Array(content.dropFirst(16))))
    case 2 where content.count.isMultiple(of: 8):
      return .acknowledgement(
        stride(from: content.startIndex, to: content.endIndex, by: 8).map {
          UInt64(littleEndianBytes: content[$0..<($0 + 8)])
        })
    default:
      return nil
    }
  }

  /// The next offset at which a record can begin.
  static func nextMark(from start: Int, of bytes: [UInt8]) -> Int? {
    bytes[start...].firstByteRange(of: markStart)?.lowerBound
  }
}

extension FixedWidthInteger {
  /// The bytes, the lowest first.
  var littleEndianBytes: [UInt8] {
    stride(from: 0, to: bitWidth, by: 8).map { UInt8(truncatingIfNeeded: self >> $0) }
  }

  /// Creates an integer from bytes, the lowest first.
  init(littleEndianBytes bytes: some BidirectionalCollection<UInt8>) {
    self = bytes.reversed().reduce(0) { $0 << 8 | Self($1) }
  }
}

/// The records read from a journal.
struct JournalContents {
  /// The waiting events, in the order of the file.
  private(set) var waiting: [InsightsRecord] = []
  /// The offset of each event in the file.
  private(set) var offsets: [UInt64: Int] = [:]
  /// The ID of the next record.
  private(set) var nextID: UInt64 = 1
  /// The offset after the last intact record, or after the header.
  private(set) var end = JournalFormat.headerLength
  /// The number of bytes before the end that belong to no record.
  private(set) var corruptByteCount = 0

  /// Reads the bytes after an intact header.
  ///
  /// A corrupt range is skipped up to the next mark with an intact record. Bytes after the last
  /// intact record are an interrupted write or corruption, and are truncated.
  ///
  /// - Parameter nextID: The next ID in the header, or `nil` if it is corrupt.
  /// - Complexity: O(`bytes.count`). In bytes that were made to take longer, the rest counts as
  ///   corrupt.
  init(of bytes: [UInt8], nextID: UInt64?) {
    var known: [UInt64: Int?] = [:]
    var events: [InsightsRecord?] = []
    var last: UInt64 = 0
    var checked = 0
    var offset = JournalFormat.headerLength
    while offset < bytes.count, checked / 8 <= bytes.count {
      if let frame = JournalFormat.frame(at: offset, of: bytes) {
        checked += frame.payload.count
        if let payload = JournalFormat.payload(of: frame, in: bytes) {
          if case .event(let record) = payload, known[record.id] == nil {
            offsets[record.id] = offset
          }
          Self.apply(payload, to: &events, known: &known, last: &last)
          if frame.isAcknowledged, case .event(let record) = payload {
            Self.apply(.acknowledgement([record.id]), to: &events, known: &known, last: &last)
          }
          corruptByteCount += offset - end
          offset = frame.payload.upperBound
          end = offset
          continue
        }
      }
      guard let next = JournalFormat.nextMark(from: offset + 1, of: bytes) else { break }
      offset = next
    }
    waiting = events.compactMap(\.self)
    let waitingIDs = Set(waiting.map(\.id))
    offsets = offsets.filter { waitingIDs.contains($0.key) }
    let (following, isLast) = last.addingReportingOverflow(1)
    self.nextID = max(nextID ?? 1, isLast ? .max : following)
    if nextID == nil { corruptByteCount += JournalFormat.headerLength }
  }

  /// Adds a record. A repeated ID is ignored: an acknowledged event does not come back.
  private static func apply(
    _ payload: JournalFormat.Payload, to events: inout [InsightsRecord?],
    known: inout [UInt64: Int?], last: inout UInt64
  ) {
    switch payload {
    case .event(let record):
      guard known[record.id] == nil else { return }
      known[record.id] = .some(events.count)
      events.append(record)
      last = max(last, record.id)
    case .acknowledgement(let ids):
      for id in ids {
        if case .some(.some(let index)) = known[id] { events[index] = nil }
        known[id] = .some(nil)
        last = max(last, id)
      }
    }
  }
}

/// Describes the errors of the system for a journal.
enum JournalError {
  /// The error to throw.
  ///
  /// It names the file without its folder, because a path can contain the name of a user and errors
  /// are logged. ``InsightsJournal/path`` is the full path.
  static func error(_ error: NSError, doing what: String, path: String) -> SearchError {
    let code = posixCode(of: error)
    let reason = code.flatMap(words) ?? "the system refused."
    return SearchError(
      .storage, "Could not \(what) the journal \(name(of: path)): \(reason)",
      underlying: "\(error.domain) \(error.code)")
  }

  /// The name of a file without its folder.
  static func name(of path: String) -> String { (path as NSString).lastPathComponent }

  /// The reason and what to do about it.
  private static func words(_ code: Int32) -> String? {
    switch code {
    case ENOSPC: "there is no space left on the disk. Free some space."
    case EDQUOT: "the disk quota is used up. Free some space, or raise the quota."
    case EFBIG: "the file has the maximum size. Raise the limit."
    case EACCES, EPERM:
      "permission is denied. Let this process read and write the file and its folder."
    case EROFS: "the disk is read-only. Choose another folder."
    case ENOENT: "the folder does not exist. Create it first."
    case ENOTDIR: "a part of its path is not a folder. Choose another path."
    case EISDIR: "there is a folder of this name. Choose another path."
    case ENAMETOOLONG: "its path is too long. Choose a shorter one."
    case ELOOP: "its path has too many links. Choose another one."
    case EMFILE, ENFILE: "too many files are open. Close some, or raise the limit."
    case EIO: "the disk reports an error. Check the disk."
    default: nil
    }
  }

  /// The POSIX code, also of an error that Foundation wraps.
  private static func posixCode(of error: NSError) -> Int32? {
    if error.domain == NSPOSIXErrorDomain { return Int32(exactly: error.code) }
    if let inner = error.userInfo[NSUnderlyingErrorKey] as? NSError,
      inner.domain == NSPOSIXErrorDomain
    {
      return Int32(exactly: inner.code)
    }
    guard error.domain == NSCocoaErrorDomain else { return nil }
    switch CocoaError.Code(rawValue: error.code) {
    case .fileWriteOutOfSpace: return ENOSPC
    case .fileWriteVolumeReadOnly: return EROFS
    case .fileWriteNoPermission, .fileReadNoPermission: return EACCES
    case .fileNoSuchFile, .fileReadNoSuchFile: return ENOENT
    default: return nil
    }
  }
}

/// The CRC-32 checksum of IEEE 802.3, which detects accidental changes.
enum CRC32 {
  /// The checksum of bytes.
  static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
    var checksum = UInt32.max
    for byte in bytes {
      checksum = table[Int((checksum ^ UInt32(byte)) & 0xFF)] ^ checksum >> 8
    }
    return ~checksum
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(byte) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
  }
}
