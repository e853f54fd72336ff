/// Reads a text into a tape in one pass without recursion, and rejects everything that RFC 8259
/// rejects.
struct JSONParser: ~Copyable {
  /// The limits of a parser. The defaults are the limits of the tape and of reasonable documents.
  struct Limits: Sendable {
    /// The maximum number of open arrays and objects.
    var depth = 512
    /// The maximum size of a document, in bytes.
    var bytes = JSONWord.maximumOffset
    /// The maximum size of a value in bytes, and the maximum number of elements of an array.
    var size = JSONWord.maximumSize
    /// The maximum size of a string as written, in bytes.
    var stringSize = JSONWord.maximumSize
    /// The maximum number of members of an object.
    var members = JSONWord.maximumSize
    /// The maximum size of a key as written, in bytes.
    var keySize = JSONWord.maximumSize
    /// The maximum size of a number, in bytes.
    var numberSize = JSONWord.maximumSize
  }

  /// A container that is still open.
  struct Container {
    var isObject: Bool
    /// Whether its keys must be checked when it is complete.
    var mayRepeatKeys = false
    /// The index of its word on the tape. The word and the frame are completed when it closes.
    var index: Int
    /// The number of children that have begun.
    var count = 0
  }

  private let scanner: JSONScanner
  /// The tape that was read. While ``readContainers(from:)`` runs, only its memory.
  private(set) var tape: JSONTape
  /// The open containers around the innermost one, outermost first.
  private var outer: [Container] = []
  /// Called regularly. Its error ends the reading.
  private let check: (() throws -> Void)?
  /// The error of the check. It replaces the error of ``parse()``.
  private(set) var interruption: (any Error)?
  /// The number of bytes of long strings and numbers since the last check.
  private var longBytes = 0

  /// The number of words between two checks.
  static let checkedWords = 1 << 16
  /// The minimum size of a string or number whose bytes count for the next check, and the number of
  /// such bytes between two checks.
  private static let (longSize, checkedBytes) = (256, 1 << 20)

  init(text: PaddedText, limits: Limits, check: (() throws -> Void)? = nil) {
    scanner = JSONScanner(text: text, limits: limits)
    tape = JSONTape(forBytes: text.count)
    self.check = check
    if check != nil { tape.allow(Self.checkedWords) }
  }

  /// Reads the whole text. The first word is the root.
  mutating func parse() throws(JSONError) {
    let (text, limits) = (scanner.text, scanner.limits)
    guard text.count <= limits.bytes else {
      throw JSONError(
        "expected at most \(limits.bytes) bytes of input, found \(text.count)",
        at: limits.bytes, in: text)
    }
    if text.word(at: 0) & 0xFF_FFFF == 0xBF_BBEF {
      throw JSONError("expected a value, found a byte order mark", at: 0, in: text)
    }
    var position = try readContainers(from: text.endOfSpace(from: 0))
    position = text.endOfSpace(from: position)
    guard position == text.count else {
      throw scanner.unexpected("the end of the input after the value", at: position)
    }
  }

  /// Reads the value that starts at a position, including its children.
  ///
  /// The tape and the innermost container are local, so that they stay in registers, and so is the
  /// table of keys; see ``RepeatedKeys``.
  ///
  /// - Returns: The position after the value.
  private mutating func readContainers(from start: Int) throws(JSONError) -> Int {
    let scanner = scanner
    let text = scanner.text
    var tape = tape
    var keys = RepeatedKeys()
    // A container around the root, for the document.
    var container = Container(isObject: false, index: 0)
    var position = start
    while true {
      // Room for one iteration: the two words of a container and a key.
      if !tape.hasRoom(for: 3) { tape = try grow(tape) }
      switch text[position] {
      case UInt8(ascii: "\""):
        let string = try scanner.readString(from: position)
        tape.append(string)
        position = string.offset &+ string.size &+ 1
        if string.size >= Self.longSize { try noteLong(string.size) }
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        let number = try scanner.readNumber(from: position)
        guard number.size <= scanner.limits.numberSize else {
          throw scanner.tooLarge(
            number.size, "bytes of a number", limit: scanner.limits.numberSize, at: position)
        }
        tape.append(number)
        position = number.offset &+ number.size
        if number.size >= Self.longSize { try noteLong(number.size) }
      case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
        let literal = try scanner.readLiteral(from: position)
        tape.append(literal)
        position = literal.offset &+ literal.size
      case UInt8(ascii: "["):
        try open(&container, isObject: false, at: position, &tape, scanner)
        position = text.skipSpace(from: position &+ 1)
        if text[position] != UInt8(ascii: "]") {
          container.count = 1
          continue
        }
        position = try close(&container, at: position, &tape, scanner)
      case UInt8(ascii: "{"):
        try open(&container, isObject: true, at: position, &tape, scanner)
        position = text.skipSpace(from: position &+ 1)
        if text[position] != UInt8(ascii: "}") {
          position = try readKey(from: position, of: &container, &keys, &tape, scanner)
          continue
        }
        position = try close(&container, at: position, &tape, scanner)
      default: throw scanner.unexpected("a value", at: position)
      }
      // A value has ended. Either another one follows, or its container ends.
      while true {
        if outer.isEmpty {
          self.tape = tape
          return position
        }
        position = text.skipSpace(from: position)
        let byte = text[position]
        if byte == UInt8(ascii: ",") {
          position = text.skipSpace(from: position &+ 1)
          if container.isObject {
            if !tape.hasRoom(for: 1) { tape = try grow(tape) }
            position = try readKey(from: position, of: &container, &keys, &tape, scanner)
          } else {
            container.count &+= 1
          }
          break
        }
        guard byte == (container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          throw scanner.unexpected(container.isObject ? "',' or '}'" : "',' or ']'", at: position)
        }
        position = try close(&container, at: position, &tape, scanner)
      }
    }
  }

  /// Gives a tape more memory. The parser stores the tape, so that it is freed when reading fails.
  ///
  /// The check also runs here, so that it costs nothing while values are read.
  @inline(never)
  private mutating func grow(_ tape: JSONTape) throws(JSONError) -> JSONTape {
    self.tape = tape.hasMemory(for: 3) ? tape : tape.grown()
    guard check != nil else { return self.tape }
    try askCheck()
    self.tape.allow(Self.checkedWords)
    return self.tape
  }

  @inline(never)
  private mutating func noteLong(_ size: Int) throws(JSONError) {
    longBytes &+= size
    if longBytes >= Self.checkedBytes { try askCheck() }
  }

  private mutating func askCheck() throws(JSONError) {
    longBytes = 0
    do {
      try check?()
    } catch {
      interruption = error
      throw JSONError(message: "interrupted", offset: 0, line: 1, column: 1)
    }
  }

  @inline(__always)
  private mutating func open(
    _ container: inout Container, isObject: Bool, at position: Int, _ tape: inout JSONTape,
    _ scanner: JSONScanner
  ) throws(JSONError) {
    guard outer.count < scanner.limits.depth else { throw scanner.tooDeep(at: position) }
    outer.append(container)
    container = Container(isObject: isObject, index: tape.count)
    tape.append(JSONWord(isObject ? .object : .array, size: 0, offset: 0))
    tape.append(JSONWord(frameFrom: position, to: position))
  }

  /// Completes the innermost container, with its closing bracket at a position.
  ///
  /// - Returns: The position after the bracket.
  @inline(__always)
  private mutating func close(
    _ container: inout Container, at position: Int, _ tape: inout JSONTape,
    _ scanner: JSONScanner
  ) throws(JSONError) -> Int {
    let index = container.index
    let start = tape[index &+ 1].offset
    let limit = container.isObject ? scanner.limits.members : scanner.limits.size
    guard container.count <= limit else {
      throw scanner.tooLarge(
        container.count, container.isObject ? "members" : "elements", limit: limit, at: start)
    }
    tape[index] = JSONWord(
      container.isObject ? .object : .array, size: container.count, offset: tape.count)
    tape[index &+ 1] = JSONWord(frameFrom: start, to: position &+ 1)
    if container.mayRepeatKeys { RepeatedKeys.mark(ofObjectAt: index, in: tape, scanner.text) }
    if let around = outer.popLast() { container = around }
    return position &+ 1
  }

  /// Reads a key that starts at a position, and the colon.
  ///
  /// - Returns: The position of the value.
  @inline(__always)
  private mutating func readKey(
    from start: Int, of object: inout Container, _ keys: inout RepeatedKeys,
    _ tape: inout JSONTape, _ scanner: JSONScanner
  ) throws(JSONError) -> Int {
    let text = scanner.text
    guard text[start] == UInt8(ascii: "\"") else {
      throw scanner.unexpected(
        object.count == 0 ? "a key in quotes or '}'" : "a key in quotes after ','", at: start)
    }
    object.count &+= 1
    let key = try scanner.readString(from: start)
    guard key.size <= scanner.limits.keySize else {
      throw scanner.keyTooLong(key.size, at: start)
    }
    tape.append(key)
    if key.size >= Self.longSize { try noteLong(key.size) }
    keys.note(key, of: &object, on: tape, text)
    let end = text.skipSpace(from: key.offset &+ key.size &+ 1)
    guard text[end] == UInt8(ascii: ":") else {
      throw scanner.unexpected("':' after the key", at: end)
    }
    return text.skipSpace(from: end &+ 1)
  }
}
