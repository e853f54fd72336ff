#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Finds secrets in texts, such as the keys and the user tokens that a server or an HTTP library
/// quotes.
///
/// It finds a secret as it is, in capital or small letters of ASCII, percent-encoded as a whole or
/// in part, and, if it has five bytes or more, in base64, alone or within a longer text, as in
/// `Authorization: Basic`. A secret of fewer than six bytes can be part of an ordinary word, and is
/// found only as a separate word.
package struct SecretFinder: Sendable {
  /// The minimum length at which a secret cannot be part of a word by chance.
  private static let distinctiveLength = 6

  /// The forms of the secrets, folded and sorted.
  private let forms: [[UInt8]]
  /// For each form, the longest other one with which it begins.
  private let prefixes: [Int?]
  /// The bytes with which a form begins.
  private var isFirst = [Bool](repeating: false, count: 256)

  /// Creates a finder.
  ///
  /// - Parameter minimumLength: The minimum length of a secret, in bytes. Shorter texts are
  ///   ignored.
  package init(_ secrets: some Sequence<String>, minimumLength: Int = 1) {
    var forms: Set<[UInt8]> = []
    for secret in secrets where !secret.isEmpty && secret.utf8.count >= minimumLength {
      let bytes = Array(secret.utf8)
      forms.insert(bytes.map(Self.folding))
      // A text can write the base64 padding of a key differently, and the padding reveals nothing.
      let padding = bytes.reversed().prefix { $0 == UInt8(ascii: "=") }.count
      if padding > 0, bytes.count - padding >= Self.distinctiveLength {
        forms.insert(bytes.dropLast(padding).map(Self.folding))
      }
      for form in Self.base64(of: bytes) where form.count >= Self.distinctiveLength {
        forms.insert(form.map(Self.folding))
      }
    }
    let sorted = forms.sorted { $0.lexicographicallyPrecedes($1) }
    var open: [Int] = []
    prefixes = sorted.indices.map { number in
      while let last = open.last, !sorted[number].starts(with: sorted[last]) { open.removeLast() }
      defer { open.append(number) }
      return open.last
    }
    for form in sorted { isFirst[Int(form[0])] = true }
    self.forms = sorted
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

  /// Returns the JSON with a replacement for each secret in its texts and names.
  package func redacting(_ json: JSON, with replacement: String) -> JSON {
    switch json {
    case .string(let text): .string(redacting(text, with: replacement))
    case .array(let elements): .array(elements.map { redacting($0, with: replacement) })
    case .object(let members):
      .object(
        Dictionary(
          members.map {
            (redacting($0.key, with: replacement), redacting($0.value, with: replacement))
          }, uniquingKeysWith: { $1 }))
    case .null, .bool, .int, .uint, .double, .number: json
    }
  }

  private func ranges(in text: [UInt8]) -> [Range<Int>] {
    text.indices.compactMap { start in
      let end = end(ofFormAt: start, in: text)
      return end > start ? start..<end : nil
    }
  }

  /// Returns the end of the longest form that begins at `start`, or `start` itself if no form
  /// begins there.
  private func end(ofFormAt start: Int, in text: [UInt8]) -> Int {
    guard isFirst[Int(Self.folding(text[start]))] else { return start }
    // The forms that the text begins with are among the last form not after it and the prefixes of
    // that form.
    var numbers = forms.indices
    while !numbers.isEmpty {
      let middle = numbers.lowerBound + numbers.count / 2
      let isAfter = Self.isForm(forms[middle], after: text[start...])
      numbers = isAfter ? numbers.lowerBound..<middle : (middle + 1)..<numbers.upperBound
    }
    var number = numbers.lowerBound == 0 ? nil : numbers.lowerBound - 1
    let common = number.map { Self.commonLength(forms[$0], text[start...]) } ?? 0
    while let form = number {
      let end = start + forms[form].count
      if forms[form].count <= common, isSecret(start..<end, in: text) { return end }
      number = prefixes[form]
    }
    return start
  }

  /// Whether a form stands in a text as more than a part of a word.
  private func isSecret(_ range: Range<Int>, in text: [UInt8]) -> Bool {
    let (start, end) = (range.lowerBound, range.upperBound)
    return range.count >= Self.distinctiveLength
      || (start == 0 || !Self.isInWord(text[start - 1]))
        && (end == text.count || !Self.isInWord(text[end]))
  }

  private static func commonLength(_ form: [UInt8], _ text: ArraySlice<UInt8>) -> Int {
    var length = 0
    for (byte, other) in zip(form, text) {
      guard byte == folding(other) else { break }
      length += 1
    }
    return length
  }

  /// Whether a form comes after a text in the order of the forms.
  private static func isForm(_ form: [UInt8], after text: ArraySlice<UInt8>) -> Bool {
    for (byte, other) in zip(form, text) where byte != folding(other) {
      return byte > folding(other)
    }
    return form.count > text.count
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
