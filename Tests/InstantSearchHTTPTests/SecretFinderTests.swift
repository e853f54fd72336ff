import InstantSearchAPI
import TestSupport
import Testing

struct SecretFinderTests {
  /// Each place is compared with each secret. No form in base64 has these letters.
  private func compared(_ secrets: [String], _ text: String) -> String {
    let bytes = Array(text.lowercased().utf8)
    func isInWord(_ place: Int) -> Bool { bytes.indices.contains(place) && bytes[place] != 0x20 }
    var result = ""
    var end = 0
    for start in bytes.indices {
      let lengths = secrets.map { Array($0.lowercased().utf8) }.filter { secret in
        bytes[start...].starts(with: secret)
          && (secret.count >= 6 || !isInWord(start - 1) && !isInWord(start + secret.count))
      }.map(\.count)
      if let length = lengths.max(), start + length > end {
        if start >= end { result += "*" }
        end = start + length
      }
      if start >= end { result += String(decoding: Array(text.utf8)[start...start], as: UTF8.self) }
    }
    return result
  }

  @Test func secretsAreFoundLikeByComparingEachPlace() {
    var generator = SplitMix64(seed: 11)
    func text(_ alphabet: String, _ length: ClosedRange<Int>) -> String {
      String(
        (0..<Int.random(in: length, using: &generator)).compactMap { _ in
          alphabet.randomElement(using: &generator)
        })
    }
    for _ in 0..<Thoroughness.count(3_000, thorough: 30_000) {
      let secrets = (0..<Int.random(in: 1...12, using: &generator)).map { _ in text("abB", 1...9) }
      let text = text("aabbAB ", 0...60)
      expectEqual(SecretFinder(secrets).redacting(text, with: "*"), compared(secrets, text))
    }
  }
}
