import AsyncInstantSearchTesting
import InstantSearchJSON
import TestSupport
import Testing

@Suite struct PlainTextTests {
  /// The same, byte by byte.
  private func end(in bytes: [UInt8], from start: Int) -> Int {
    bytes[start...].firstIndex { $0 < 0x20 || $0 >= 0x80 || $0 == 0x22 || $0 == 0x5C }
      ?? bytes.count
  }

  /// The tested function, on a copy of the bytes.
  private func found(in bytes: [UInt8], from start: Int) -> Int {
    let text = unsafe bytes.withUnsafeBytes { unsafe PaddedText(copying: $0) }
    defer { unsafe text.deallocate() }
    return PlainText.end(in: text, from: start)
  }

  @Test func everyByteAtEveryOffsetIsClassified() {
    let lengths = Thoroughness.isThorough ? Array(0..<20) : [0, 7, 16]
    for byte in UInt8.min...UInt8.max {
      for length in lengths {
        for place in 0...length {
          var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
          bytes.insert(byte, at: place)
          for start in 0..<bytes.count {
            expectEqual(found(in: bytes, from: start), end(in: bytes, from: start))
          }
        }
      }
    }
  }

  @Test func firstOfSeveralIsFound() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<Thoroughness.count(2_000, thorough: 20_000) {
      let bytes = (0..<32).map { _ in
        Bool.random(using: &generator)
          ? UInt8.random(in: 0x21...0x7F, using: &generator)
          : [0x1F, 0x20, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x7F, 0x80, 0xA2, 0xDC, 0xFF][
            Int.random(in: 0..<12, using: &generator)]
      }
      expectEqual(found(in: bytes, from: 0), end(in: bytes, from: 0), "\(bytes)")
    }
  }
}
