import AsyncInstantSearch

/// The bytes of a journal.
///
///     header    "AISJRNL", version, next ID (8), checksum (4)                     20 bytes
///     record    mark (4), length (4), checksum of length and payload (4), payload
///     payload   1, ID (8), timestamp (8), event     an event that waits
///               2, ID (8), ID (8), ...              events that are done with
///
/// Integers are little-endian. The mark begins with a byte that no UTF-8 has, so that records
/// behind a damaged place are found again. Its last byte says whether the record still counts: an
/// event may be crossed out in its place, where the disk has no space for a record that says that
/// it is done with.
enum JournalFormat {
  static let headerLength = 20
  static let frameLength = 12
  /// No payload is longer. The body of a call is shorter, and so is the list of its events' IDs.
  static let maximumPayload = 1 << 21

  private static let magic = Array("AISJRNL".utf8)
  private static let version: UInt8 = 1
  private static let markStart: [UInt8] = [0xF7, 0x41, 0x49]
  private static let valid: UInt8 = 0x52
  /// The last byte of the mark of an event that is done with.
  static let crossedOut: UInt8 = 0x44
  /// Where in a record that byte is.
  static let crossingPlace = 3

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

  /// How many bytes an event takes.
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

  /// What the beginning of a file says.
  enum Header: Equatable {
    /// The number of the next record; `nil` where that is damaged.
    case valid(nextID: UInt64?)
    /// A part of a header, and nothing else: writing it was interrupted.
    case torn
    /// A journal of another version of this package.
    case unknownVersion(UInt8)
    /// Something else.
    case foreign
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

  /// A record at a place of a file.
  enum Payload {
    case event(InsightsRecord)
    case acknowledgement([UInt64])
  }

  /// What stands at a place.
  struct Frame {
    /// The places of the payload.
    let payload: Range<Int>
    /// The checksum of the length and the payload.
    let checksum: UInt32
    /// Whether it was crossed out.
    let isCrossedOut: Bool
  }

  /// The frame at a place; `nil` where there is none that fits into the file.
  static func frame(at start: Int, of bytes: [UInt8]) -> Frame? {
    guard bytes.count - start >= frameLength,
      bytes[start..<(start + crossingPlace)].elementsEqual(markStart),
      [valid, crossedOut].contains(bytes[start + crossingPlace])
    else { return nil }
    let length = Int(UInt32(littleEndianBytes: bytes[(start + 4)..<(start + 8)]))
    let payload = start + frameLength
    guard length <= maximumPayload, length <= bytes.count - payload else { return nil }
    return Frame(
      payload: payload..<(payload + length),
      checksum: UInt32(littleEndianBytes: bytes[(start + 8)..<payload]),
      isCrossedOut: bytes[start + crossingPlace] == crossedOut)
  }

  /// The payload of a frame; `nil` when it is damaged.
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

  /// The next place from which a record may begin.
  static func nextMark(from start: Int, of bytes: [UInt8]) -> Int? {
    bytes[start...].firstPlace(of: markStart)?.lowerBound
  }
}

extension FixedWidthInteger {
  /// The bytes, the lowest first.
  var littleEndianBytes: [UInt8] {
    stride(from: 0, to: bitWidth, by: 8).map { UInt8(truncatingIfNeeded: self >> $0) }
  }

  /// The integer of some bytes, the lowest first.
  init(littleEndianBytes bytes: some BidirectionalCollection<UInt8>) {
    self = bytes.reversed().reduce(0) { $0 << 8 | Self($1) }
  }
}
