import AlgoliaTransport
import TestSupport
import Testing

/// Published examples, and lengths around those of blocks against an independent implementation.
@Suite struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      """
      abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn\
      hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu
      """,
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
  ])
  func examplesOfTheStandard(message: String, digest: String) {
    expectEqual(hex(SHA256.digest(of: message.utf8)), digest)
  }

  @Test func millionTimesTheLetterA() {
    expectEqual(
      hex(SHA256.digest(of: repeatElement(UInt8(ascii: "a"), count: 1_000_000))),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test(arguments: sampleDigests) func messagesOfManyLengths(_ sample: SampleDigest) {
    expectEqual(hex(SHA256.digest(of: sample.message)), sample.hash)
    expectEqual(hex(HMACSHA256.code(for: sample.message, key: sample.key)), sample.code)
  }

  @Test(arguments: sampleDigests) func updatesInPartsGiveTheSameDigest(_ sample: SampleDigest) {
    var hash = SHA256()
    for start in stride(from: 0, to: sample.length, by: 17) {
      hash.update(sample.message[start..<min(start + 17, sample.length)])
    }
    expectEqual(hex(hash.digest()), sample.hash)
  }

  /// A test case of RFC 4231.
  struct Case: Sendable, CustomStringConvertible {
    let number: Int
    let key: [UInt8]
    let message: [UInt8]
    let code: String

    init(_ number: Int, _ key: [UInt8], _ message: [UInt8], _ code: String) {
      (self.number, self.key, self.message, self.code) = (number, key, message, code)
    }

    var description: String { "RFC 4231, case \(number)" }
  }

  static let cases = [
    Case(
      1, .init(repeating: 0x0B, count: 20), Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    Case(
      2, Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    Case(
      3, .init(repeating: 0xAA, count: 20), .init(repeating: 0xDD, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    Case(
      4, Array(1...25), .init(repeating: 0xCD, count: 50),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
    // The standard prints the first half only.
    Case(
      5, .init(repeating: 0x0C, count: 20), Array("Test With Truncation".utf8),
      "a3b6167473100ee06e0c796c2955552b"),
    Case(
      6, .init(repeating: 0xAA, count: 131),
      Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
    Case(
      7, .init(repeating: 0xAA, count: 131),
      Array(
        """
        This is a test using a larger than block-size key and a larger than block-size data. \
        The key needs to be hashed before being used by the HMAC algorithm.
        """.utf8),
      "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
  ]

  @Test(arguments: cases) func theTestCasesOfHMAC(_ it: Case) {
    let code = HMACSHA256.code(for: it.message, key: it.key)
    #expect(hex(code).hasPrefix(it.code))
    #expect(HMACSHA256(key: it.key).isCode(code, for: it.message))
  }

  @Test func codeWithAChangedBitIsInvalid() {
    let message = Array("message".utf8)
    let key = Array("key".utf8)
    let code = HMACSHA256.code(for: message, key: key)
    for bit in 0..<code.count * 8 {
      var changed = code
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(!HMACSHA256(key: key).isCode(changed, for: message))
    }
    #expect(!HMACSHA256(key: key).isCode(Array(code.dropLast()), for: message))
    #expect(!HMACSHA256(key: key).isCode(code + [0], for: message))
    #expect(!HMACSHA256(key: key).isCode([], for: message))
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
