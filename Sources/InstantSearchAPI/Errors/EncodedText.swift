/// The bytes of an encoded text, decoded so far, with the offset of each in the original text.
///
/// A secret that a server quotes may appear in its text literally, percent-encoded, as HTML
/// entities or as JSON escapes, as a whole or in single characters, and encoded more than once. Its
/// characters may also have spaces or zeros between them. To find it, search all forms of the text,
/// as ``replacing(in:with:_:)`` does.
package struct EncodedText: Sendable {
  /// The decoded bytes.
  package private(set) var bytes: [UInt8]
  /// The offsets at which each byte begins and ends in the original text.
  private var offsets: (starts: [Int], ends: [Int])?
  /// Whether white space was removed.
  private var isJoined = false

  private init(bytes: [UInt8], offsets: (starts: [Int], ends: [Int])? = nil) {
    self.bytes = bytes
    self.offsets = offsets
  }

  /// Returns the text unchanged, then decoded once, and so on while there is something to decode,
  /// at most four times.
  package static func levels(of bytes: [UInt8]) -> some Sequence<EncodedText> {
    sequence(first: EncodedText(bytes: bytes)) { $0.decoded() }.prefix(5)
  }

  /// Converts a range of decoded bytes, which is not empty, to a range of the original text.
  package func range(of range: Range<Int>) -> Range<Int> {
    guard let offsets else { return range }
    return offsets.starts[range.lowerBound]..<offsets.ends[range.upperBound - 1]
  }

  /// Whether a range contains a text of words as such, or each of its characters alone between
  /// spaces. Otherwise removing spaces has joined it from several words.
  package func isText(_ range: Range<Int>) -> Bool {
    !isJoined || self.range(of: range).count >= 2 * range.count - 1
  }

  /// Replaces the ranges that are found in any form of a text; `nil` if there are none.
  ///
  /// - Parameter ranges: Returns ranges of the bytes of one form, none of them empty.
  /// - Complexity: O(`text.utf8.count`), plus the cost of `ranges`.
  package static func replacing(
    in text: [UInt8], with replacement: [UInt8], _ ranges: (EncodedText) -> [Range<Int>]
  ) -> [UInt8]? {
    var found: [Range<Int>] = []
    for level in levels(of: text) {
      found += ranges(level).map(level.range)
      if let joined = level.joined() { found += ranges(joined).map(joined.range) }
    }
    guard !found.isEmpty else { return nil }
    var merged: [Range<Int>] = []
    for range in found.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound < last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    var result: [UInt8] = []
    var offset = 0
    for range in merged {
      result += text[offset..<range.lowerBound]
      result += replacement
      offset = range.upperBound
    }
    return result + text[offset...]
  }
}

// MARK: - Decoding

extension EncodedText {
  /// Decodes each encoded character of the text once; `nil` if there is none.
  private func decoded() -> EncodedText? {
    let isEncoded = bytes.contains { byte in
      byte == UInt8(ascii: "%") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "\\")
    }
    guard isEncoded else { return nil }
    var result: [UInt8] = []
    var starts: [Int] = []
    var ends: [Int] = []
    result.reserveCapacity(bytes.count)
    starts.reserveCapacity(bytes.count)
    ends.reserveCapacity(bytes.count)
    var offset = 0
    var hasChanged = false
    while offset < bytes.count {
      let end: Int
      if let (decoded, length) = character(at: offset) {
        hasChanged = true
        end = offset + length
        result += decoded
      } else {
        end = offset + 1
        result.append(bytes[offset])
      }
      while starts.count < result.count {
        starts.append(offset)
        ends.append(end)
      }
      offset = end
    }
    guard hasChanged else { return nil }
    return EncodedText(bytes: result, offsets: originalOffsets(starts, ends))
  }

  /// Removes all white space and zeros; `nil` if there are none.
  package func joined() -> EncodedText? {
    let kept = bytes.indices.filter { !Self.isSpace(bytes[$0]) }
    if kept.count == bytes.count { return nil }
    var text = EncodedText(
      bytes: kept.map { bytes[$0] }, offsets: originalOffsets(kept, kept.map { $0 + 1 }))
    text.isJoined = true
    return text
  }

  /// Converts the offsets of bytes of this text to offsets of the original text.
  private func originalOffsets(
    _ starts: [Int], _ ends: [Int]
  ) -> (starts: [Int], ends: [Int]) {
    guard let offsets else { return (starts, ends) }
    return (starts.map { offsets.starts[$0] }, ends.map { offsets.ends[$0 - 1] })
  }

  /// Whether a byte is white space, or zero, which is half of an ASCII character in UTF-16.
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == 0
      || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
  }

  /// Decodes the character at an offset and returns its encoded length; `nil` if nothing is
  /// encoded there.
  private func character(at offset: Int) -> ([UInt8], length: Int)? {
    switch bytes[offset] {
    case UInt8(ascii: "%"):
      guard let byte = hexadecimal(from: offset + 1, count: 2) else { return nil }
      return ([UInt8(truncatingIfNeeded: byte)], 3)
    case UInt8(ascii: "\\"): return escape(at: offset)
    case UInt8(ascii: "&"): return entity(at: offset)
    default: return nil
    }
  }

  /// Decodes `\u003d`, `\x3d`, `\/` and similar escapes.
  private func escape(at offset: Int) -> ([UInt8], length: Int)? {
    guard offset + 1 < bytes.count else { return nil }
    switch bytes[offset + 1] {
    case UInt8(ascii: "u"):
      return hexadecimal(from: offset + 2, count: 4).flatMap(Self.utf8).map { ($0, 6) }
    case UInt8(ascii: "x"):
      return hexadecimal(from: offset + 2, count: 2).flatMap(Self.utf8).map { ($0, 4) }
    case let byte where byte > 0x20 && byte < 0x7F && !byte.isASCIILetter && !byte.isASCIIDigit:
      return ([byte], 2)
    default: return nil
    }
  }

  /// Decodes `&#61;`, `&#x3D;` and `&equals;`, also without the semicolon.
  private func entity(at offset: Int) -> ([UInt8], length: Int)? {
    var end = offset + 1
    // No relevant name or number is longer.
    while end < bytes.count, end - offset < 12, bytes[end] != UInt8(ascii: ";"),
      bytes[end].isASCIILetter || bytes[end].isASCIIDigit || bytes[end] == UInt8(ascii: "#")
    {
      end += 1
    }
    let content = bytes[(offset + 1)..<end]
    let isClosed = end < bytes.count && bytes[end] == UInt8(ascii: ";")
    if content.first == UInt8(ascii: "#") {
      return number(of: content.dropFirst()).map { bytes, count in
        (bytes, 2 + count + (isClosed && count + 2 == end - offset ? 1 : 0))
      }
    }
    guard isClosed, let byte = Self.names[String(decoding: content, as: UTF8.self)] else {
      return nil
    }
    return ([byte], end + 1 - offset)
  }

  /// Decodes a character number at the start of some bytes and returns its length.
  private func number(of content: ArraySlice<UInt8>) -> ([UInt8], Int)? {
    let isHexadecimal = content.first.map { $0 | 0x20 } == UInt8(ascii: "x")
    let digits = isHexadecimal ? content.dropFirst() : content
    let radix = isHexadecimal ? 16 : 10
    var number = 0
    var count = 0
    for byte in digits {
      guard let digit = Self.digit(byte), digit < radix, number < 0x11_0000 else { break }
      number = number * radix + digit
      count += 1
    }
    guard count > 0, let bytes = Self.utf8(number) else { return nil }
    return (bytes, count + (isHexadecimal ? 1 : 0))
  }

  private func hexadecimal(from start: Int, count: Int) -> Int? {
    guard start + count <= bytes.count else { return nil }
    var number = 0
    for byte in bytes[start..<(start + count)] {
      guard let digit = Self.digit(byte) else { return nil }
      number = number * 16 + digit
    }
    return number
  }

  private static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Int(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): Int(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }

  private static func utf8(_ number: Int) -> [UInt8]? {
    Unicode.Scalar(UInt32(clamping: number)).map { Array(String($0).utf8) }
  }

  /// The HTML entities of ASCII punctuation.
  private static let names: [String: UInt8] = [
    "excl": UInt8(ascii: "!"), "quot": UInt8(ascii: "\""), "QUOT": UInt8(ascii: "\""),
    "num": UInt8(ascii: "#"), "dollar": UInt8(ascii: "$"), "percnt": UInt8(ascii: "%"),
    "amp": UInt8(ascii: "&"), "AMP": UInt8(ascii: "&"), "apos": UInt8(ascii: "'"),
    "lpar": UInt8(ascii: "("), "rpar": UInt8(ascii: ")"), "ast": UInt8(ascii: "*"),
    "midast": UInt8(ascii: "*"), "plus": UInt8(ascii: "+"), "comma": UInt8(ascii: ","),
    "period": UInt8(ascii: "."),
    "sol": UInt8(ascii: "/"), "colon": UInt8(ascii: ":"), "semi": UInt8(ascii: ";"),
    "lt": UInt8(ascii: "<"), "LT": UInt8(ascii: "<"), "equals": UInt8(ascii: "="),
    "gt": UInt8(ascii: ">"), "GT": UInt8(ascii: ">"), "quest": UInt8(ascii: "?"),
    "commat": UInt8(ascii: "@"), "lsqb": UInt8(ascii: "["), "lbrack": UInt8(ascii: "["),
    "bsol": UInt8(ascii: "\\"), "rsqb": UInt8(ascii: "]"), "rbrack": UInt8(ascii: "]"),
    "Hat": UInt8(ascii: "^"), "lowbar": UInt8(ascii: "_"), "UnderBar": UInt8(ascii: "_"),
    "grave": UInt8(ascii: "`"), "lcub": UInt8(ascii: "{"), "lbrace": UInt8(ascii: "{"),
    "verbar": UInt8(ascii: "|"), "vert": UInt8(ascii: "|"), "rcub": UInt8(ascii: "}"),
    "rbrace": UInt8(ascii: "}"),
  ]
}
