/// Where Foundation's decoder behaves otherwise than ours by design: all the reasons for which a
/// comparison of the two may fail, each with ours.
package enum FoundationDifference: CaseIterable, Hashable, Sendable {
  // What is JSON.

  /// `[1,]`: Foundation takes a comma before a closing bracket; RFC 8259 has none.
  case trailingComma
  /// A byte order mark, or zeros among the first four bytes: Foundation guesses at the encoding,
  /// with UTF-16 and UTF-32 among the possible ones; RFC 8259 allows UTF-8 without a mark only.
  case encoding
  /// `"\ud800"`: Foundation refuses half a surrogate pair; we read U+FFFD, for one such value would
  /// cost a whole page of hits.
  case loneSurrogate

  // What the values are.

  /// `1e-400`: Foundation refuses a number nearer to zero than to any double; we read zero, the
  /// nearest one.
  case underflow
  /// `0e5`: Foundation takes some zeros with an exponent for an underflow; zero is zero.
  case zeroWithExponent
  /// `1.0000000000000000001` or `12345678901234567890.0` as an integer: Foundation goes through
  /// a double or a decimal, which may lose digits or not reach as far; we are exact.
  case inexactInteger
  /// `{"a":1,"a":2}`: Foundation takes the first value, we the last, as browsers do.
  case repeatedKey
  /// Keys that differ only in normalisation, `é` in one character or two: Foundation compares them
  /// as strings, for which they are equal; we compare UTF-8, as RFC 8259 section 8.3 advises.
  case equivalentKey
  /// `"\u006ean"` as the name of a float: Foundation knows the names only when they are written
  /// without escapes, which mean nothing in JSON.
  case escapedFloatName
  /// `2024-05-01t12:00:00z`, or ten digits of a second: Foundation's strategy refuses what RFC 3339
  /// allows. Fractions are rounded at another place, which shows in the last bit.
  case formOfDate

  // What errors tell.

  /// A number that does not fit: Foundation gives no coding path for `1e400` or `256` as `UInt8`;
  /// ours leads to the number.
  case misfitPath
  /// A text that is no ISO 8601 date: Foundation's path ends one step early; ours leads to the
  /// text.
  case datePath
  /// A key with a number of its own, in the path to what is below it: Foundation keeps the number;
  /// our paths come from the text, in which keys are names.
  case numberInPath

  // How containers behave where their protocols leave it open.

  /// `decodeIfPresent` behind the last element: Foundation steps on all the same; we stay at the
  /// end.
  case stepBeyondEnd
  /// A decoder that is used after its value was decoded: Foundation's, which is one object for all
  /// values, stands elsewhere by then; ours stays where it was.
  case outlivedDecoder

  /// A text that shows the difference; nil where it takes more than reading any JSON.
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

  /// The differences for which Foundation may read a text that we refuse.
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

  /// The differences that a text which both accept may show.
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
