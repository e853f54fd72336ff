/// The escapes in JSON strings that are written: of quotes, backslashes and control characters.
enum JSONEscape {
  /// Appends a text with its escapes; what stands between them is copied in runs.
  static func append(_ text: UnsafeBufferPointer<UInt8>, to buffer: inout ByteBuffer) {
    var start = 0
    while true {
      let end = unsafe first(in: UnsafeRawBufferPointer(text), from: start)
      unsafe buffer.append(UnsafeBufferPointer(rebasing: text[start..<end]))
      guard end < text.count else { return }
      append(unsafe text[end], to: &buffer)
      start = end + 1
    }
  }

  /// The first byte from a position on that must be escaped, or the number of bytes.
  ///
  /// - Complexity: O(length of the run), eight bytes at a time.
  private static func first(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
    // Each load is of bytes within the text: of eight from `position` on while there are as many,
    // and then of its last eight or four, when it has these.
    let count = text.count
    var position = start
    while position + 8 <= count {
      let marks = PlainText.escaped(
        UInt64(littleEndian: unsafe text.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
      if marks != 0 { return position + marks.trailingZeroBitCount / 8 }
      position += 8
    }
    if position == count { return count }
    if count >= 8 {
      // Of the last eight bytes those before the position are shifted out; the zeros that follow
      // look like control characters, so that a mark is found at the end at the latest.
      let known = UInt64(8 - (count - position)) * 8
      let word = UInt64(
        littleEndian: unsafe text.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
      return position + PlainText.escaped(word &>> known).trailingZeroBitCount / 8
    }
    if count - position >= 4 {
      // Two fours, which overlap where there are less than eight.
      let first = UInt32(
        littleEndian: unsafe text.loadUnaligned(fromByteOffset: position, as: UInt32.self))
      let last = UInt32(
        littleEndian: unsafe text.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
      let marks = PlainText.escaped(UInt64(first) | UInt64(last) &<< 32)
      if marks == 0 { return count }
      let place = marks.trailingZeroBitCount / 8
      return place < 4 ? position + place : count - 8 + place
    }
    while position < count, !isNeeded(for: unsafe text[position]) { position += 1 }
    return position
  }

  /// Appends the shortest escape of a byte that needs one.
  private static func append(_ byte: UInt8, to buffer: inout ByteBuffer) {
    buffer.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: buffer.append(UInt8(ascii: "b"))
    case 0x09: buffer.append(UInt8(ascii: "t"))
    case 0x0A: buffer.append(UInt8(ascii: "n"))
    case 0x0C: buffer.append(UInt8(ascii: "f"))
    case 0x0D: buffer.append(UInt8(ascii: "r"))
    case ..<0x20:
      buffer.append(byte < 0x10 ? "u000" as StaticString : "u00")
      buffer.append(String(byte, radix: 16))
    default: buffer.append(byte)
    }
  }

  private static func isNeeded(for byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }
}
