/// Reads JSON slowly and plainly, rule by rule from the grammar of RFC 8259, as a reference for the
/// real reader.
///
/// For a rejected text, the offset is that of the first byte at which no JSON text can continue:
/// the bytes before it begin some text, and with it none.
package struct ReferenceReader {
  /// Why a text is rejected.
  package struct Refusal: Error, Hashable {
    /// The first wrong byte; the number of bytes for a text that ends too early.
    package var offset: Int
  }

  private let bytes: [UInt8]
  private let maximumDepth: Int
  private var position = 0

  /// Reads one JSON text.
  package static func read(
    _ bytes: [UInt8], maximumDepth: Int = 512
  ) throws(Refusal) -> ReferenceValue {
    var reader = ReferenceReader(bytes: bytes, maximumDepth: maximumDepth)
    reader.space()
    let value = try reader.value(depth: 0)
    reader.space()
    if reader.position < bytes.count { throw reader.refusal }
    return value
  }

  private init(bytes: [UInt8], maximumDepth: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
  }

  private var refusal: Refusal { Refusal(offset: position) }

  /// The byte at the position; nil at the end.
  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ text: String) throws(Refusal) {
    for byte in text.utf8 where !take(byte) { throw refusal }
  }

  private mutating func space() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      position += 1
    }
  }

  private mutating func value(depth: Int) throws(Refusal) -> ReferenceValue {
    let start = position
    let content: ReferenceValue.Content
    switch next {
    case UInt8(ascii: "n"):
      try expect("null")
      content = .null
    case UInt8(ascii: "t"):
      try expect("true")
      content = .bool(true)
    case UInt8(ascii: "f"):
      try expect("false")
      content = .bool(false)
    case UInt8(ascii: "\""): content = .string(try string())
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      if depth >= maximumDepth { throw refusal }
      content = next == UInt8(ascii: "[") ? try array(depth: depth) : try object(depth: depth)
    default: content = .number(try number())
    }
    return ReferenceValue(content, range: start..<position)
  }

  private mutating func array(depth: Int) throws(Refusal) -> ReferenceValue.Content {
    try expect("[")
    space()
    var elements: [ReferenceValue] = []
    if take(UInt8(ascii: "]")) { return .array(elements) }
    while true {
      elements.append(try value(depth: depth + 1))
      space()
      if take(UInt8(ascii: "]")) { return .array(elements) }
      try expect(",")
      space()
    }
  }

  private mutating func object(depth: Int) throws(Refusal) -> ReferenceValue.Content {
    try expect("{")
    space()
    var members: [ReferenceValue.Member] = []
    if take(UInt8(ascii: "}")) { return .object(members) }
    while true {
      let start = position
      let key = try string()
      let end = position
      space()
      try expect(":")
      space()
      members.append(
        ReferenceValue.Member(key: key, keyRange: start..<end, value: try value(depth: depth + 1)))
      space()
      if take(UInt8(ascii: "}")) { return .object(members) }
      try expect(",")
      space()
    }
  }

  // MARK: - Numbers

  private mutating func number() throws(Refusal) -> String {
    let start = position
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits() throws(Refusal) {
    let start = position
    while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
    if position == start { throw refusal }
  }

  // MARK: - Strings

  /// A string in UTF-16, where each unpaired surrogate becomes a replacement character.
  private mutating func string() throws(Refusal) -> [UInt8] {
    try expect("\"")
    var units: [UInt16] = []
    while !take(UInt8(ascii: "\"")) {
      guard let byte = next, byte >= 0x20 else { throw refusal }
      if byte == UInt8(ascii: "\\") {
        units.append(try escape())
      } else if byte < 0x80 {
        units.append(UInt16(byte))
        position += 1
      } else {
        units += Array(String(decoding: try character(), as: UTF8.self).utf16)
      }
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static let shortEscapes: [UInt8: UInt16] = [
    0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
  ]

  private mutating func escape() throws(Refusal) -> UInt16 {
    try expect("\\")
    guard let letter = next else { throw refusal }
    if let unit = Self.shortEscapes[letter] {
      position += 1
      return unit
    }
    try expect("u")
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next,
        let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80
      else { throw refusal }
      unit = unit * 16 + UInt16(digit)
      position += 1
    }
    return unit
  }

  /// The bytes of the next character, which is not ASCII.
  private mutating func character() throws(Refusal) -> ArraySlice<UInt8> {
    let start = position
    guard let lead = next, let form = Self.forms[lead] else { throw refusal }
    position += 1
    for index in 1..<form.length {
      guard let byte = next,
        index == 1 ? form.secondBytes.contains(byte) : (0x80...0xBF).contains(byte)
      else { throw refusal }
      position += 1
    }
    return bytes[start..<position]
  }

  /// The characters of several bytes that begin with a given byte.
  private struct Form {
    var length: Int
    var secondBytes: Set<UInt8>
  }

  /// The forms by first byte, as the standard library encodes the scalars of Unicode.
  private static let forms: [UInt8: Form] = {
    var forms: [UInt8: Form] = [:]
    // In characters of three and four bytes the first two do not depend on the last six bits.
    let codes = Array(0x80..<0x800) + Array(stride(from: 0x800, to: 0x110000, by: 64))
    for code in codes {
      guard let scalar = Unicode.Scalar(UInt32(code)) else { continue }
      let utf8 = Array(String(scalar).utf8)
      forms[utf8[0], default: Form(length: utf8.count, secondBytes: [])].secondBytes.insert(utf8[1])
    }
    return forms
  }()
}
