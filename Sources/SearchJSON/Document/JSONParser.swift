/// Reads bytes into a tape in one pass, without recursion, and refuses everything RFC 8259 refuses.
struct JSONParser {
  /// The bounds a parser keeps to; the defaults are those of the tape and of sensible documents.
  struct Limits: Sendable {
    /// How many arrays and objects may be open at once.
    var depth = 512
    /// How many bytes a document may have.
    var bytes = JSONWord.maximumOffset
    /// How many bytes a string or number, and how many children a container may have.
    var size = JSONWord.maximumSize
  }

  /// A container that is still open.
  struct Frame {
    var isObject: Bool
    /// Where its children start in ``JSONParser/pending``.
    var firstChild: Int
    /// The byte of its opening bracket.
    var start: Int
  }

  let bytes: [UInt8]
  let limits: Limits
  var position = 0
  /// The finished blocks, innermost first.
  var tape: [JSONWord] = []
  /// The children of the open containers, outermost first.
  var pending: [JSONWord] = []
  var frames: [Frame] = []
  var repeatedKeys = RepeatedKeys()

  init(bytes: [UInt8], limits: Limits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// The tape of the whole input; the last word is the root.
  mutating func parse() throws(JSONError) -> [JSONWord] {
    guard bytes.count <= limits.bytes else {
      throw JSONError(
        "expected at most \(limits.bytes) bytes of input, found \(bytes.count)",
        at: limits.bytes, in: bytes)
    }
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      throw JSONError("expected a value, found a byte order mark", at: 0, in: bytes)
    }
    tape.reserveCapacity(bytes.count / 8 + 1)
    skipWhitespace()
    repeat {
      try readValue()
    } while try advanceToNextValue()
    if position < bytes.count { throw unexpected("the end of the input after the value") }
    tape.append(contentsOf: pending)
    return tape
  }

  /// Reads what starts at the position: a scalar, or the opening of containers down to the first
  /// scalar or empty container.
  private mutating func readValue() throws(JSONError) {
    while true {
      guard position < bytes.count else { throw unexpected("a value") }
      switch bytes[position] {
      case UInt8(ascii: "\""): return try readString()
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber()
      case UInt8(ascii: "t"): return try readLiteral("true", .true)
      case UInt8(ascii: "f"): return try readLiteral("false", .false)
      case UInt8(ascii: "n"): return try readLiteral("null", .null)
      case UInt8(ascii: "["):
        try open(isObject: false)
        if position < bytes.count, bytes[position] == UInt8(ascii: "]") { return try close() }
      case UInt8(ascii: "{"):
        try open(isObject: true)
        if position < bytes.count, bytes[position] == UInt8(ascii: "}") { return try close() }
        try readKey(expecting: "a key in quotes or '}'")
      default: throw unexpected("a value")
      }
    }
  }

  /// Closes what ends here and goes to the next value; false when the root is complete.
  private mutating func advanceToNextValue() throws(JSONError) -> Bool {
    while true {
      skipWhitespace()
      guard let frame = frames.last else { return false }
      let byte = position < bytes.count ? bytes[position] : 0
      if byte == UInt8(ascii: ",") {
        position += 1
        skipWhitespace()
        if frame.isObject { try readKey(expecting: "a key in quotes after ','") }
        return true
      }
      guard byte == (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
        throw unexpected(frame.isObject ? "',' or '}'" : "',' or ']'")
      }
      try close()
    }
  }

  private mutating func open(isObject: Bool) throws(JSONError) {
    guard frames.count < limits.depth else {
      throw JSONError(
        "expected at most \(limits.depth) nested arrays and objects, found one more",
        at: position, in: bytes)
    }
    frames.append(Frame(isObject: isObject, firstChild: pending.count, start: position))
    position += 1
    skipWhitespace()
  }

  /// Moves the children of the innermost container to the tape and leaves its own word.
  private mutating func close() throws(JSONError) {
    guard let frame = frames.popLast() else { return }
    position += 1
    let words = pending.count - frame.firstChild
    let count = frame.isObject ? words / 2 : words
    guard count <= limits.size else {
      throw JSONError(
        "expected at most \(limits.size) "
          + "\(frame.isObject ? "members" : "elements"), found \(count)",
        at: frame.start, in: bytes)
    }
    if frame.isObject, count > 1 {
      repeatedKeys.mark(in: &pending, from: frame.firstChild, bytes: bytes)
    }
    tape.append(JSONWord(frameFrom: frame.start, to: position))
    let first = tape.count
    tape.append(contentsOf: pending[frame.firstChild...])
    pending.removeSubrange(frame.firstChild...)
    pending.append(JSONWord(frame.isObject ? .object : .array, size: count, offset: first))
  }

  private mutating func readKey(expecting expected: String) throws(JSONError) {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
      throw unexpected(expected)
    }
    try readString()
    skipWhitespace()
    guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
      throw unexpected("':' after the key")
    }
    position += 1
    skipWhitespace()
  }

  private mutating func readLiteral(
    _ literal: StaticString, _ kind: JSONWord.Kind
  ) throws(JSONError) {
    let start = position
    for byte in literal.description.utf8 {
      guard position < bytes.count, bytes[position] == byte else {
        throw unexpected("the literal '\(literal)'")
      }
      position += 1
    }
    pending.append(JSONWord(kind, size: position - start, offset: start))
  }

  private mutating func skipWhitespace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }
}
