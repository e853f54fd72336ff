import AsyncInstantSearchTesting
import JSONProperties
import InstantSearchJSON
import TestSupport
import Testing

/// A search response truncated or damaged at every byte.
struct JSONTruncationTests {
  /// Only the last byte completes the text.
  private static let small = response(hits: 3)
  private static let large = response(hits: 20)

  private static func response(hits: Int) -> [UInt8] {
    var random = RandomResponse(seed: 7)
    return random.text(hits: hits)
  }

  /// Truncates a text and expects the error at the cut.
  private func expectError(atCut length: Int, of bytes: [UInt8]) {
    let prefix = Array(bytes[..<length])
    do throws(JSONError) {
      _ = try JSONDocument(prefix)
      Issue.record("accepted \(length) of \(bytes.count) bytes")
    } catch {
      if error.offset != length || !error.message.hasSuffix("found the end of the input") {
        Issue.record("cut off at \(length): \(error)")
      }
    }
  }

  @Test func samplesHaveTheSizeOfResponses() throws {
    #expect((3_000...8_000).contains(Self.small.count))
    #expect((20_000...50_000).contains(Self.large.count))
    for bytes in [Self.small, Self.large] { _ = try JSONDocument(bytes) }
  }

  @Test func everyTruncationIsAnErrorAtTheCut() {
    for length in stride(from: 0, to: Self.small.count, by: Thoroughness.count(11, thorough: 1)) {
      expectError(atCut: length, of: Self.small)
    }
    for length in stride(from: 0, to: Self.large.count, by: Thoroughness.count(997, thorough: 97)) {
      expectError(atCut: length, of: Self.large)
    }
    let sample = Array(Samples.searchResponse.utf8)
    for length in sample.indices { expectError(atCut: length, of: sample) }
  }

  @Test func everyTruncationIsADecoderErrorToo() {
    for length in stride(from: 0, to: Self.small.count, by: Thoroughness.count(311, thorough: 31)) {
      #expect(throws: DecodingError.self) {
        try JSONValueDecoder().decode(JSONTree.self, from: Array(Self.small[..<length]))
      }
    }
  }

  @Test func everySuffixIsAnError() {
    let bytes = Self.small
    for start in stride(from: 1, to: bytes.count, by: 7) {
      let suffix = Array(bytes[start...])
      // Only at the very end can a suffix be a value.
      if let refusal = #expect(throws: JSONError.self, performing: { try JSONDocument(suffix) }) {
        #expect(refusal.offset <= suffix.count)
      }
    }
  }

  @Test(
    "A byte in place of any other makes another text or an error, at or behind the byte",
    arguments: [
      0x00, 0x09, 0x0A, 0x1F, 0x22, 0x2C, 0x30, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0x7F, 0x80, 0xC0,
      0xE2, 0xED, 0xF4, 0xFF,
    ] as [UInt8])
  func replacedBytes(byte: UInt8) {
    var random = SeededGenerator(seed: UInt64(byte))
    var bytes = Self.small
    for _ in 0..<Thoroughness.count(5, thorough: 25) {
      let position = Int.random(in: bytes.indices, using: &random)
      let original = bytes[position]
      bytes[position] = byte
      expectEqual(DocumentComparison.violations(in: bytes), [], "byte \(byte) at \(position)")
      do throws(JSONError) {
        _ = try JSONDocument(bytes)
      } catch {
        #expect(error.offset >= position, "byte \(byte) at \(position)")
      }
      bytes[position] = original
    }
  }
}
