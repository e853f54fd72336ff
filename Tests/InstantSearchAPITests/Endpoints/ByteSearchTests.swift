import InstantSearchAPI
import TestSupport
import Testing

struct ByteSearchTests {
  /// Few different bytes, so that the texts have many partial and repeated matches.
  @Test func rangeIsThatOfTheStandardLibrary() {
    var random = SplitMix64(seed: 30)
    for _ in 0..<Thoroughness.count(200, thorough: 2000) {
      func bytes(_ counts: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: counts, using: &random)).map { _ in
          [0, 1, 127, 255][Int.random(in: 0..<4, using: &random)]
        }
      }
      let text = bytes(0...40)
      let wanted = bytes(1...6)
      let part = text[Int.random(in: 0...text.count, using: &random)...]
      expectEqual(part.firstByteRange(of: wanted), part.firstRange(of: wanted))
    }
  }

  @Test func noBytesHaveNoRange() {
    #expect([1, 2][...].firstByteRange(of: []) == nil)
  }
}
