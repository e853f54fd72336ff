/// The head of an entry in a file that grows by entries. It precedes the contents.
///
///     mark (8), number (8), length of the contents (8), checksum (8)
///
/// Numbers are little-endian. The checksum covers the number, the length and the contents. A mark
/// begins with a byte that UTF-8 never contains, so that entries after damage can be found.
package struct EntryHead: Sendable {
  /// The size of a head, in bytes.
  package static let byteCount = 32
  /// The first byte of each mark.
  package static let markStart: UInt8 = 0xF7

  /// The mark of the entry's kind, 8 bytes.
  package let mark: ArraySlice<UInt8>
  package let number: UInt64
  /// The size of the contents, in bytes.
  package let length: UInt64
  package let checksum: UInt64

  /// Creates the head of an entry.
  ///
  /// - Parameter contents: The contents in pieces.
  package init(mark: [UInt8], number: UInt64, contents: [ArraySlice<UInt8>]) {
    self.mark = mark[...]
    self.number = number
    length = UInt64(contents.reduce(0) { $0 + $1.count })
    checksum = Self.checksum(number, length, contents)
  }

  /// Reads a head, or returns `nil` if there are fewer bytes, or no mark.
  package init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= Self.byteCount, bytes.first == Self.markStart else { return nil }
    func number(_ offset: Int) -> UInt64 {
      LittleEndian.number(bytes[(bytes.startIndex + offset)...].prefix(8))
    }
    mark = bytes.prefix(8)
    (self.number, length, checksum) = (number(8), number(16), number(24))
  }

  /// The bytes in the file.
  package var bytes: [UInt8] {
    Array(mark) + [number, length, checksum].flatMap { LittleEndian.bytes(of: $0) }
  }

  /// The checksum of the number and the length. Adding the contents gives the checksum of the
  /// record.
  package var checksumBeforeContents: Checksum { Self.checksumBeforeContents(number, length) }

  /// Whether the contents are as they were written.
  package func isIntact(_ contents: ArraySlice<UInt8>) -> Bool {
    length == UInt64(contents.count) && checksum == Self.checksum(number, length, [contents])
  }

  private static func checksumBeforeContents(_ number: UInt64, _ length: UInt64) -> Checksum {
    var checksum = Checksum()
    checksum.update([number, length].flatMap { LittleEndian.bytes(of: $0) }[...])
    return checksum
  }

  private static func checksum(
    _ number: UInt64, _ length: UInt64, _ contents: [ArraySlice<UInt8>]
  ) -> UInt64 {
    var checksum = checksumBeforeContents(number, length)
    for piece in contents { checksum.update(piece) }
    return checksum.value
  }
}
