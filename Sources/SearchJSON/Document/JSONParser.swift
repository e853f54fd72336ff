/// Reads a text into a tape in one pass, without recursion, and refuses everything RFC 8259 refuses.
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
  private struct Container {
    var isObject: Bool
    /// Where its word and its frame stand on the tape; they are completed when it closes.
    var index: Int
    /// How many children have begun.
    var count = 0
    /// The keys so far.
    var keys = KeyFilter()
  }

  let text: PaddedText
  let limits: Limits
  var tape: JSONTape
  /// The innermost open container; the first one stands for the document, around its root.
  private var container = Container(isObject: false, index: 0)
  /// The containers around it, the outermost first.
  private var outer: [Container] = []
  private var repeatedKeys = RepeatedKeys()

  init(text: PaddedText, limits: Limits) {
    self.text = text
    self.limits = limits
    tape = JSONTape(forBytes: text.count)
  }

  /// Fills the tape with the whole text; the first word is the root.
  mutating func parse() throws(JSONError) {
    guard text.count <= limits.bytes else {
      throw JSONError(
        "expected at most \(limits.bytes) bytes of input, found \(text.count)",
        at: limits.bytes, in: text)
    }
    if text.word(at: 0) & 0xFF_FFFF == 0xBF_BBEF {
      throw JSONError("expected a value, found a byte order mark", at: 0, in: text)
    }
    var position = try readContainers(from: endOfSpace(from: 0))
    position = endOfSpace(from: position)
    guard position == text.count else {
      throw unexpected("the end of the input after the value", at: position)
    }
  }

  /// Reads the value that starts at a position, and all that is in it.
  ///
  /// - Returns: The position behind the value.
  private mutating func readContainers(from start: Int) throws(JSONError) -> Int {
    var position = start
    while true {
      switch text[position] {
      case UInt8(ascii: "\""):
        position = try readString(from: position)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        position = try readNumber(from: position)
      case UInt8(ascii: "t"): position = try readLiteral("true", .true, from: position)
      case UInt8(ascii: "f"): position = try readLiteral("false", .false, from: position)
      case UInt8(ascii: "n"): position = try readLiteral("null", .null, from: position)
      case UInt8(ascii: "["):
        try open(isObject: false, at: position)
        position = endOfSpace(from: position + 1)
        if text[position] != UInt8(ascii: "]") {
          container.count = 1
          continue
        }
        position = try close(at: position)
      case UInt8(ascii: "{"):
        try open(isObject: true, at: position)
        position = endOfSpace(from: position + 1)
        if text[position] != UInt8(ascii: "}") {
          position = try readKey(from: position)
          continue
        }
        position = try close(at: position)
      default: throw unexpected("a value", at: position)
      }
      // A value has ended: another one follows, or what contains it ends too.
      while true {
        if outer.isEmpty { return position }
        position = endOfSpace(from: position)
        let byte = text[position]
        if byte == UInt8(ascii: ",") {
          position = endOfSpace(from: position + 1)
          if container.isObject {
            position = try readKey(from: position)
          } else {
            container.count += 1
          }
          break
        }
        guard byte == (container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          throw unexpected(container.isObject ? "',' or '}'" : "',' or ']'", at: position)
        }
        position = try close(at: position)
      }
    }
  }

  @inline(__always)
  private mutating func open(isObject: Bool, at position: Int) throws(JSONError) {
    guard outer.count < limits.depth else {
      throw JSONError(
        "expected at most \(limits.depth) nested arrays and objects, found one more",
        at: position, in: text)
    }
    outer.append(container)
    container = Container(isObject: isObject, index: tape.count)
    tape.append(JSONWord(isObject ? .object : .array, size: 0, offset: 0))
    tape.append(JSONWord(frameFrom: position, to: position))
  }

  /// Completes the innermost container, whose last bracket is at a position.
  ///
  /// - Returns: The position behind the bracket.
  @inline(__always)
  private mutating func close(at position: Int) throws(JSONError) -> Int {
    let closed = container
    let start = tape[closed.index + 1].frame.lowerBound
    guard closed.count <= limits.size else {
      throw JSONError(
        "expected at most \(limits.size) "
          + "\(closed.isObject ? "members" : "elements"), found \(closed.count)",
        at: start, in: text)
    }
    tape[closed.index] = JSONWord(
      closed.isObject ? .object : .array, size: closed.count, offset: tape.count)
    tape[closed.index + 1] = JSONWord(frameFrom: start, to: position + 1)
    if closed.keys.mayRepeat { repeatedKeys.mark(ofObjectAt: closed.index, in: &tape, text) }
    if let around = outer.popLast() { container = around }
    return position + 1
  }

  /// Reads a key, which starts at the position, and the colon.
  ///
  /// - Returns: The position of the value.
  @inline(__always)
  private mutating func readKey(from start: Int) throws(JSONError) -> Int {
    guard text[start] == UInt8(ascii: "\"") else {
      throw unexpected(
        container.count == 0 ? "a key in quotes or '}'" : "a key in quotes after ','", at: start)
    }
    container.count += 1
    var position = try readString(from: start)
    container.keys.insert(tape[tape.count - 1], in: text)
    position = endOfSpace(from: position)
    guard text[position] == UInt8(ascii: ":") else {
      throw unexpected("':' after the key", at: position)
    }
    return endOfSpace(from: position + 1)
  }

  /// Reads a literal, which starts at the position.
  private mutating func readLiteral(
    _ literal: StaticString, _ kind: JSONWord.Kind, from start: Int
  ) throws(JSONError) -> Int {
    var position = start
    for index in 0..<literal.utf8CodeUnitCount {
      // The index is below the literal's count.
      guard unsafe literal.utf8Start[index] == text[position] else {
        throw unexpected("the literal '\(literal)'", at: position)
      }
      position += 1
    }
    tape.append(JSONWord(kind, size: position - start, offset: start))
    return position
  }

  /// The position of the first byte from a position on that is no whitespace.
  @inline(__always)
  private func endOfSpace(from start: Int) -> Int {
    text[start] > 0x20 ? start : text.endOfSpace(from: start)
  }
}
