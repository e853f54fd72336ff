#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Finds secrets in texts, such as the keys and the user tokens that a server or an HTTP library
/// quotes.
///
/// It finds a secret as it is, in another case, percent-encoded as a whole or in part, and in
/// base64, alone or within a longer text, as in `Authorization: Basic`. A short secret can be part
/// of an ordinary word, and is found as a word of its own only.
package struct SecretFinder: Sendable {
  /// The length from which a secret is not a part of a word by chance.
  private static let distinctiveLength = 6

  /// The forms of the secrets by their first byte, all in lower case.
  private var forms: [UInt8: [[UInt8]]] = [:]

  /// Creates a finder.
  ///
  /// - Parameter minimumLength: The bytes that a secret has at least. Shorter texts are no secrets.
  package init(_ secrets: some Sequence<String>, minimumLength: Int = 1) {
    for secret in Set(secrets) where secret.utf8.count >= minimumLength {
      let bytes = Array(secret.utf8)
      add(bytes)
      // A text can have the padding of a key in base64 in another form, and it tells nothing.
      let padding = bytes.reversed().prefix { $0 == UInt8(ascii: "=") }.count
      if padding > 0, bytes.count - padding >= Self.distinctiveLength {
        add(bytes.dropLast(padding))
      }
      for form in Self.base64(of: bytes) where form.count >= Self.distinctiveLength { add(form) }
    }
    for first in forms.keys { forms[first]?.sort { $0.count > $1.count } }
  }

  private mutating func add(_ form: some Collection<UInt8>) {
    guard let first = form.first else { return }
    forms[Self.folding(first), default: []].append(form.map(Self.folding))
  }

  /// Returns the text with a replacement for each secret.
  ///
  /// It compares bytes, because a combining character after a secret changes its last character.
  package func redacting(_ text: String, with replacement: String) -> String {
    if forms.isEmpty { return text }
    let bytes = Array(text.utf8)
    var found = ranges(in: bytes)
    if let decoded = Decoded(bytes) {
      found += ranges(in: decoded.bytes).map {
        decoded.starts[$0.lowerBound]..<decoded.starts[$0.upperBound]
      }
    }
    guard !found.isEmpty else { return text }
    var result: [UInt8] = []
    var end = 0
    for range in found.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > end {
      if range.lowerBound >= end {
        result += bytes[end..<range.lowerBound]
        result += replacement.utf8
      }
      end = range.upperBound
    }
    return String(decoding: result + bytes[end...], as: UTF8.self)
  }

  private func ranges(in text: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    while start < text.count {
      let form = forms[Self.folding(text[start])]?.first { isForm($0, at: start, of: text) }
      if let form { ranges.append(start..<(start + form.count)) }
      start += form?.count ?? 1
    }
    return ranges
  }

  private func isForm(_ form: [UInt8], at start: Int, of text: [UInt8]) -> Bool {
    let end = start + form.count
    guard end <= text.count, zip(form, text[start...]).allSatisfy({ $0 == Self.folding($1) }) else {
      return false
    }
    return form.count >= Self.distinctiveLength
      || (start == 0 || !Self.isInWord(text[start - 1]))
        && (end == text.count || !Self.isInWord(text[end]))
  }

  private static func isInWord(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte.isASCIIDigit }

  /// Folds upper case to lower case, and the two alphabets of base64 to one.
  private static func folding(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
    case UInt8(ascii: "-"): UInt8(ascii: "+")
    case UInt8(ascii: "_"): UInt8(ascii: "/")
    default: byte
    }
  }

  /// The characters that represent some bytes alone, for each of the three places at which they can
  /// begin in the groups of three bytes. At most one more character at each end represents bits of
  /// them.
  private static func base64(of bytes: [UInt8]) -> [[UInt8]] {
    (0..<3).map { place in
      let padded = [UInt8](repeating: 0, count: place) + bytes
      let characters = Array(Data(padded).base64EncodedString().utf8)
      return Array(characters[((place * 8 + 5) / 6)..<(padded.count * 8 / 6)])
    }
  }

  /// A text whose percent-encoded bytes are decoded.
  private struct Decoded {
    var bytes: [UInt8] = []
    /// Where each byte begins in the text, and the end of the text.
    var starts: [Int] = []

    /// Decodes a text; `nil` if nothing in it is encoded.
    init?(_ text: [UInt8]) {
      guard text.contains(UInt8(ascii: "%")) else { return nil }
      var offset = 0
      while offset < text.count {
        starts.append(offset)
        if text[offset] == UInt8(ascii: "%"), offset + 2 < text.count,
          let high = PercentEncoding.hexValue(text[offset + 1]),
          let low = PercentEncoding.hexValue(text[offset + 2])
        {
          bytes.append(high << 4 | low)
          offset += 3
        } else {
          bytes.append(text[offset])
          offset += 1
        }
      }
      starts.append(text.count)
    }
  }
}
