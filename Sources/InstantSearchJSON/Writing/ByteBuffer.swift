#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A growing buffer of bytes with a single owner.
///
/// An array checks for unique ownership at each step. Measured: with an array the writer takes 1.4
/// times as long, and encoding a query 1.1 times.
///
/// The memory comes from `malloc`, because `realloc` can grow a large buffer without copying it.
/// Measured: growing from 32 MiB takes 20 ms with a copy.
@safe
struct ByteBuffer: ~Copyable {
  // `memory` comes from `malloc` or `realloc`, and only `deinit` frees it. It has room for
  // `capacity` bytes. The first `count` bytes are initialized, and `count <= capacity`. A call of
  // `reserve` precedes every write.
  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The number of bytes.
  private(set) var count = 0

  /// Creates a buffer with an initial capacity.
  init(capacity: Int) {
    self.capacity = max(16, capacity)
    unsafe memory = Self.resized(nil, to: self.capacity)
  }

  deinit { unsafe free(memory) }

  /// A copy of the bytes.
  var array: [UInt8] { unsafe Array(UnsafeBufferPointer(start: memory, count: count)) }

  /// The number of bytes that are copied between two calls of a check.
  private static let copiedLength = 1 << 20

  /// A copy of the bytes.
  ///
  /// - Parameter check: Called after each megabyte. Its error ends the copying.
  func array(check: () throws -> Void) rethrows -> [UInt8] {
    try unsafe Array(unsafeUninitializedCapacity: count) { bytes, copied in
      while copied < count {
        if copied > 0 { try check() }
        let length = min(Self.copiedLength, count - copied)
        // Both have room for `count` bytes, and `copied + length <= count`.
        if let start = bytes.baseAddress {
          unsafe (start + copied).initialize(from: memory + copied, count: length)
        }
        copied += length
      }
    }
  }

  /// A copy of the bytes of a range, clamped to the buffer.
  func array(in range: Range<Int>) -> [UInt8] {
    let range = range.clamped(to: 0..<count)
    return unsafe Array(UnsafeBufferPointer(start: memory + range.lowerBound, count: range.count))
  }

  /// The byte at an offset, or `nil` beyond the end.
  subscript(offset: Int) -> UInt8? {
    (0..<count).contains(offset) ? unsafe memory[offset] : nil
  }

  /// Appends a byte.
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    unsafe memory[count] = byte
    count += 1
  }

  /// Appends the bytes of a buffer.
  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    // Only an empty buffer has no address.
    guard let address = bytes.baseAddress else { return }
    reserve(bytes.count)
    unsafe (memory + count).update(from: address, count: bytes.count)
    count += bytes.count
  }

  /// Appends the UTF-8 of a text.
  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { unsafe append($0) }
  }

  /// Appends the UTF-8 of a text.
  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { unsafe append($0) }
  }

  /// Appends the decimal digits of a number.
  mutating func append(digitsOf number: UInt64) {
    var end = 1
    var bound: UInt64 = 10
    while end < 20, number >= bound {
      end += 1
      bound &*= 10
    }
    reserve(20)
    // A number has at most 20 digits. The last one is written first.
    var rest = number
    for position in (count..<(count + end)).reversed() {
      unsafe memory[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += end
  }

  /// Removes the bytes from an offset on.
  mutating func truncate(to offset: Int) { count = min(count, max(0, offset)) }

  @inline(__always)
  private mutating func reserve(_ additional: Int) {
    if capacity - count < additional { grow(by: additional) }
  }

  private mutating func grow(by additional: Int) {
    capacity = max(2 * capacity, count + additional)
    unsafe memory = Self.resized(memory, to: capacity)
  }

  /// Reallocates the memory and keeps its bytes. The old pointer is invalid afterwards.
  @unsafe
  private static func resized(
    _ memory: UnsafeMutablePointer<UInt8>?, to capacity: Int
  ) -> UnsafeMutablePointer<UInt8> {
    // Without memory an array traps too. Limits of requests and responses bound the size.
    guard let resized = unsafe realloc(memory, capacity) else {
      fatalError("no memory for \(capacity) bytes")
    }
    return unsafe resized.assumingMemoryBound(to: UInt8.self)
  }
}

/// Escapes quotes, backslashes and control characters in JSON strings.
enum JSONEscape {
  /// Appends a text with escapes. Runs between escapes are copied at once. Measured: byte by byte
  /// the writer takes 1.5 times as long.
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
    // Each load is within the text: eight bytes from `position` on while there are as many, and
    // then the last eight or four bytes if there are as many.
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
      // Shifts the bytes before the position out of the last eight. The zeros that replace them
      // look like control characters, so a mark is found at the end at the latest.
      let known = UInt64(8 - (count - position)) * 8
      let word = UInt64(
        littleEndian: unsafe text.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
      return position + PlainText.escaped(word &>> known).trailingZeroBitCount / 8
    }
    if count - position >= 4 {
      // Two loads of four bytes, which overlap if there are fewer than eight.
      let first = UInt32(
        littleEndian: unsafe text.loadUnaligned(fromByteOffset: position, as: UInt32.self))
      let last = UInt32(
        littleEndian: unsafe text.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
      let marks = PlainText.escaped(UInt64(first) | UInt64(last) &<< 32)
      if marks == 0 { return count }
      let offset = marks.trailingZeroBitCount / 8
      return offset < 4 ? position + offset : count - 8 + offset
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
