/// How Foundation's decoder differs from ours by design: all reasons for which a comparison may
/// fail, each with our behavior.
package enum FoundationDifference: CaseIterable, Hashable, Sendable {
  // What is valid JSON.

  /// `[1,]`: Foundation accepts a comma before a closing bracket; RFC 8259 does not.
  case trailingComma
  /// A byte order mark, or zeros among the first four bytes: Foundation detects the encoding,
  /// including UTF-16 and UTF-32; RFC 8259 allows only UTF-8 without a mark.
  case encoding
  /// `"\ud800"`: Foundation rejects half a surrogate pair; we read U+FFFD, since one such value
  /// would fail a whole page of hits.
  case loneSurrogate

  // What the values are.

  /// `1e-400`: Foundation rejects a number closer to zero than any double; we read zero, the
  /// nearest one.
  case underflow
  /// `0e5`: Foundation treats some zeros with an exponent as an underflow; zero is zero.
  case zeroWithExponent
  /// `1.0000000000000000001` or `12345678901234567890.0` as an integer: Foundation converts via a
  /// double or a decimal, which can lose digits or overflow; we are exact.
  case inexactInteger
  /// `{"a":1,"a":2}`: Foundation takes the first value, we take the last, as browsers do.
  case repeatedKey
  /// Keys that differ only in normalization, `é` as one scalar or two: Foundation compares them as
  /// strings, for which they are equal; we compare UTF-8, as RFC 8259 section 8.3 advises.
  case equivalentKey
  /// `"\u006ean"` as the name of a float: Foundation recognizes the names only without escapes,
  /// which have no meaning in JSON.
  case escapedFloatName
  /// `2024-05-01t12:00:00z`, or ten digits of a second: Foundation's strategy rejects what RFC 3339
  /// allows. Fractions are rounded differently, which affects the last bit.
  case formOfDate

  // What errors report.

  /// A number that does not fit: Foundation gives no coding path for `1e400` or `256` as `UInt8`;
  /// ours leads to the number.
  case misfitPath
  /// A text that is not an ISO 8601 date: Foundation's path ends one step early; ours leads to the
  /// text.
  case datePath
  /// A key with an integer value, in the path to a nested value: Foundation keeps the integer; our
  /// paths come from the text, in which keys are names.
  case numberInPath

  // How containers behave where their protocols leave it open.

  /// `decodeIfPresent` after the last element: Foundation advances; we stay at the end.
  case stepBeyondEnd
  /// A decoder that is used after its value was decoded: Foundation's, which is one object for all
  /// values, has moved on; ours stays at its value.
  case outlivedDecoder

  /// A text that shows the difference; nil if it takes more than decoding any JSON.
  package var sample: [UInt8]? {
    switch self {
    case .trailingComma: Array("[1,]".utf8)
    case .encoding: Array("\u{FEFF}[1]".utf8)
    case .loneSurrogate: Array(#"["\ud800"]"#.utf8)
    case .underflow: Array("[1e-400]".utf8)
    case .zeroWithExponent: Array("[0e5]".utf8)
    case .repeatedKey: Array(#"{"a":[1],"a":[2]}"#.utf8)
    case .equivalentKey: Array("{\"\u{E9}\":[1],\"e\u{301}\":[2]}".utf8)
    default: nil
    }
  }

  /// The differences for which Foundation can accept a text that we reject.
  package static func excusing(refusedText bytes: [UInt8], at offset: Int) -> Set<Self> {
    var differences: Set<Self> = []
    if bytes.prefix(4).contains(0) || bytes.starts(with: [0xEF, 0xBB, 0xBF])
      || bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
    {
      differences.insert(.encoding)
    }
    if offset < bytes.count, [UInt8(ascii: "]"), UInt8(ascii: "}")].contains(bytes[offset]),
      bytes[..<offset].last(where: { ![0x20, 0x0A, 0x0D, 0x09].contains($0) })
        == UInt8(ascii: ",")
    {
      differences.insert(.trailingComma)
    }
    return differences
  }

  /// The differences that a text accepted by both can show.
  package static func possible(in value: ReferenceValue, of bytes: [UInt8]) -> Set<Self> {
    var differences: Set<Self> = []
    let hasSurrogates = zip(bytes.indices, bytes.indices.dropFirst(2)).contains {
      bytes[$0] == UInt8(ascii: "\\") && bytes[$0 + 1] == UInt8(ascii: "u")
        && bytes[$1] | 0x20 == UInt8(ascii: "d")
    }
    func noteReplacement(in text: [UInt8]) {
      if hasSurrogates, String(decoding: text, as: UTF8.self).unicodeScalars.contains("\u{FFFD}") {
        differences.insert(.loneSurrogate)
      }
    }
    for value in value.all {
      switch value.content {
      case .string(let text): noteReplacement(in: text)
      case .number(let text): differences.formUnion(possible(inNumber: text))
      case .object(let members):
        for member in members { noteReplacement(in: member.key) }
        if Set(members.map(\.key)).count < members.count { differences.insert(.repeatedKey) }
        if Set(members.map(\.name)).count < Set(members.map(\.key)).count {
          differences.insert(.equivalentKey)
        }
      default: break
      }
    }
    return differences
  }

  private static func possible(inNumber text: String) -> Set<Self> {
    var differences: Set<Self> = []
    let hasDigit = text.prefix { !"eE".contains($0) }.contains { ("1"..."9").contains($0) }
    let hasExponent = text.contains { "eE".contains($0) }
    // A single-precision value overflows and underflows earlier than a double.
    if ReferenceNumber.double(text) == nil || ReferenceNumber.float(text) == nil {
      differences.insert(.misfitPath)
    }
    if hasDigit, Double(text) == 0 || Float(text) == 0 { differences.insert(.underflow) }
    if !hasDigit, hasExponent { differences.insert(.zeroWithExponent) }
    if text.contains(".") || hasExponent, text.count(where: \.isNumber) > 15 || hasExponent {
      differences.insert(.inexactInteger)
    }
    return differences
  }
}
