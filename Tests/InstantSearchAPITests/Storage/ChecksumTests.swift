import AsyncInstantSearchTesting
import InstantSearchAPI
import TestSupport
import Testing

struct ChecksumTests {
  /// Values of the reference implementation of xxHash.
  @Test(
    arguments: [
      ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
      ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
    ] as [(String, UInt64)])
  func valuesAreThoseOfTheReference(text: String, expected: UInt64) {
    expectEqual(Checksum.of(Array(text.utf8)), expected)
  }

  @Test(arguments: Seed.all(200, quick: 40)) func piecesDoNotMatter(seed: Seed) {
    var random = SeededGenerator(seed: seed.value)
    let bytes = (0..<Int.random(in: 0..<300, using: &random)).map { _ in
      UInt8.random(in: .min ... .max, using: &random)
    }
    var checksum = Checksum()
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + Int.random(in: 0..<70, using: &random))
      checksum.update(bytes[start..<end])
      start = end
    }
    expectEqual(checksum.value, Checksum.of(bytes))
  }
}
