import AsyncInstantSearchTesting

/// Damages texts.
struct RandomDamage {
  var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private static let fragments: [[UInt8]] =
    [
      "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "1", ".", "e", "E", "+", "-", " ", "\n", "/",
      "n", "t", "true", "false", "null", "NaN", "\\u", "\\ud800", "\\udc00", "\\u0000", "\"a\":1,",
      ",\"a\":[]", "[]", "{}", "1e9", "-0", "é", "😀", "\u{FEFF}", "\u{2028}", "'", "//",
    ]
    .map { Array($0.utf8) } + [
      [0x00], [0x1F], [0x7F], [0x80], [0xC0], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4],
      [0xF5], [0xFF],
    ]

  /// The bytes with one to three changes, and the first byte that may differ.
  mutating func damaged(_ bytes: [UInt8]) -> (bytes: [UInt8], firstChange: Int) {
    var bytes = bytes
    var firstChange = bytes.count
    for _ in 0...pick(3) where !bytes.isEmpty {
      let position = pick(bytes.count)
      // Mostly short pieces, rarely long ones.
      let length = 1 + pick(min(bytes.count - position, pick(4) == 0 ? 200 : 3))
      let piece = Array(bytes[position..<position + length])
      switch pick(8) {
      case 0: bytes[position] ^= 1 << UInt8(pick(8))
      case 1: bytes[position] = UInt8(pick(256))
      case 2: bytes.removeSubrange(position..<position + length)
      case 3: bytes.insert(contentsOf: Self.fragments[pick(Self.fragments.count)], at: position)
      case 4:
        bytes.replaceSubrange(
          position..<position + 1, with: Self.fragments[pick(Self.fragments.count)])
      case 5: bytes.insert(contentsOf: piece, at: position)
      case 6: bytes.removeSubrange(position...)
      default:
        // A piece of the text at another offset.
        let other = pick(bytes.count)
        bytes.insert(contentsOf: piece, at: other)
        firstChange = min(firstChange, other)
      }
      firstChange = min(firstChange, position)
    }
    return (bytes, firstChange)
  }
}
