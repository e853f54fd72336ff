/// Compressed responses with any content, and ones that are longer than they seem or truncated.
extension LoopbackReply {
  /// A gzip file whose content is these bytes. It stores them as they are.
  public static func gzipFile(storing content: [UInt8]) -> [UInt8] {
    func littleEndian(_ number: UInt32, count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
    }
    var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    var rest = content[...]
    repeat {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      let length = UInt32(block.count)
      file += [rest.isEmpty ? 1 : 0]
      file += littleEndian(length, count: 2) + littleEndian(~length, count: 2) + block
    } while !rest.isEmpty
    file += littleEndian(checksum(of: content), count: 4)
    return file + littleEndian(UInt32(truncatingIfNeeded: content.count), count: 4)
  }

  /// The CRC-32 of RFC 1952.
  private static func checksum(of bytes: [UInt8]) -> UInt32 {
    var rest = UInt32.max
    for byte in bytes {
      rest = remainders[Int(UInt8(truncatingIfNeeded: rest) ^ byte)] ^ (rest >> 8)
    }
    return ~rest
  }

  private static let remainders: [UInt32] = (UInt32(0)..<256).map { byte in
    var rest = byte
    for _ in 0..<8 { rest = rest & 1 == 1 ? 0xEDB8_8320 ^ (rest >> 1) : rest >> 1 }
    return rest
  }

  /// A compressed body that ends after this many bytes, in a complete response.
  public static func gzipCutShort(to count: Int) -> Self {
    gzipped(Array(gzippedBytes.prefix(count)))
  }

  /// A compressed body of this many bytes of the letter `x`, to the nearest 258, with a wrong
  /// checksum at the end.
  public static func gzipBomb(byteCount: Int) -> Self {
    var bits = BitWriter(bytes: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
    // One block, the last, with the fixed codes of RFC 1951.
    bits.append(1, count: 1)
    bits.append(1, count: 2)
    // The letter, and then repeatedly the 258 bytes that begin one byte before.
    bits.appendReversed(0x30 + 0x78, count: 8)
    // The code of the length, and that of the distance: five zeros. Long bodies have millions.
    let repetition = BitWriter.reversed(0xC0 + 285 - 280, count: 8)
    for _ in 0..<byteCount / 258 { bits.append(repetition, count: 8 + 5) }
    bits.appendReversed(0, count: 7)
    bits.fill()
    return gzipped(bits.bytes + [UInt8](repeating: 0, count: 8))
  }

  /// Bits in the order of RFC 1951: the lowest first.
  private struct BitWriter {
    var bytes: [UInt8]
    private var rest: UInt64 = 0
    private var count = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    mutating func append(_ value: UInt64, count newCount: Int) {
      rest |= value << UInt64(count)
      count += newCount
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: rest))
        rest >>= 8
        count -= 8
      }
    }

    /// A code, whose highest bit comes first.
    mutating func appendReversed(_ code: UInt64, count newCount: Int) {
      append(Self.reversed(code, count: newCount), count: newCount)
    }

    /// The lowest bits of a number in the opposite order.
    static func reversed(_ number: UInt64, count: Int) -> UInt64 {
      var reversed: UInt64 = 0
      for bit in 0..<count {
        reversed <<= 1
        reversed |= number >> UInt64(bit) & 1
      }
      return reversed
    }

    mutating func fill() {
      if count > 0 { append(0, count: 8 - count) }
    }
  }
}
