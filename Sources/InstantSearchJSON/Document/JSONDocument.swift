import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The bytes of one JSON text and the tape of its values.
///
/// Creating a document reads and validates the whole text in one pass without recursion. It creates
/// no values: strings and numbers stay slices of the text until they are accessed through a
/// ``JSONNode`` or by their index on the tape.
///
/// The document follows RFC 8259 strictly: no byte order mark, no trailing comma, no leading zero,
/// no raw control characters, valid UTF-8 only, one value and nothing after it. Beyond the grammar,
/// escaped lone surrogates are read as U+FFFD, and the last of members with equal keys counts.
///
/// A document makes three allocations: itself, a copy of the text, and the tape. The tape of a
/// search response is smaller than the text, and never has more than one word for each byte.
package final class JSONDocument: Sendable {
  /// The memory of the text and the tape.
  ///
  /// Both are written before the initializer returns, by the only thread that has access, and never
  /// changed. `deinit` frees them when no references remain. So any thread can read them through
  /// the document without a lock.
  nonisolated(unsafe) let readText: PaddedText
  nonisolated(unsafe) let readTape: JSONTape
  /// The positions of recent paths of errors.
  let pathHints = PathHints()

  /// The text.
  @inline(__always)
  var text: PaddedText { unsafe readText }
  /// The values of the text; see ``JSONWord`` for the layout.
  @inline(__always)
  var tape: JSONTape { unsafe readTape }

  /// Reads one JSON text.
  ///
  /// - Parameters:
  ///   - bytes: The text, at most 4 GiB, or 2 GiB if `Int` has 32 bits. Each string, number and
  ///     container is at most 2²⁸ − 1 long.
  ///   - maximumDepth: The maximum number of nested arrays and objects.
  /// - Throws: ``JSONError`` with the first invalid byte.
  /// - Complexity: O(`bytes.count`).
  package convenience init(_ bytes: [UInt8], maximumDepth: Int = 512) throws(JSONError) {
    try self.init(bytes[...], limits: JSONParser.Limits(depth: maximumDepth))
  }

  /// Reads one JSON text that is part of other bytes. Positions in errors count from its start.
  package convenience init(_ bytes: ArraySlice<UInt8>) throws(JSONError) {
    try self.init(bytes, limits: JSONParser.Limits())
  }

  /// Reads one JSON text that can be long, and calls a check regularly.
  ///
  /// - Parameters:
  ///   - maximumMembers: The maximum number of members of an object.
  ///   - maximumKeySize: The maximum size of a key as written, in bytes.
  ///   - maximumNumberSize: The maximum size of a number, in bytes.
  ///   - maximumStringSize: The maximum size of a string as written, in bytes.
  ///   - check: Called at least once for every 16 MiB of values. Its error ends the reading.
  /// - Throws: ``JSONError`` with the first invalid byte, or the error of the check.
  package convenience init(
    _ bytes: ArraySlice<UInt8>, maximumMembers: Int = .max, maximumKeySize: Int = .max,
    maximumNumberSize: Int = .max, maximumStringSize: Int = .max, check: @escaping () throws -> Void
  ) throws {
    let text = try unsafe bytes.withUnsafeBytes { try unsafe PaddedText(copying: $0, check: check) }
    let limits = JSONParser.Limits(
      stringSize: min(maximumStringSize, JSONWord.maximumSize),
      members: min(maximumMembers, JSONWord.maximumSize),
      keySize: min(maximumKeySize, JSONWord.maximumSize),
      numberSize: min(maximumNumberSize, JSONWord.maximumSize))
    var parser = JSONParser(text: text, limits: limits, check: check)
    do throws(JSONError) {
      try parser.parse()
    } catch {
      unsafe parser.tape.deallocate()
      unsafe text.deallocate()
      throw parser.interruption ?? error
    }
    self.init(text: text, tape: parser.tape)
  }

  private init(text: PaddedText, tape: JSONTape) {
    unsafe readText = text
    unsafe readTape = tape
  }

  /// Reads one JSON text within tighter limits than the tape's own, for small tests.
  package convenience init(
    _ bytes: [UInt8], maximumBytes: Int, maximumSize: Int
  ) throws(JSONError) {
    let limits = JSONParser.Limits(
      bytes: Swift.min(maximumBytes, JSONWord.maximumOffset),
      size: Swift.min(maximumSize, JSONWord.maximumSize),
      stringSize: Swift.min(maximumSize, JSONWord.maximumSize),
      members: Swift.min(maximumSize, JSONWord.maximumSize))
    try self.init(bytes[...], limits: limits)
  }

  private init(_ bytes: ArraySlice<UInt8>, limits: JSONParser.Limits) throws(JSONError) {
    let text = unsafe bytes.withUnsafeBytes { unsafe PaddedText(copying: $0) }
    var parser = JSONParser(text: text, limits: limits)
    do throws(JSONError) {
      try parser.parse()
    } catch {
      unsafe parser.tape.deallocate()
      unsafe text.deallocate()
      throw error
    }
    unsafe readText = text
    unsafe readTape = parser.tape
  }

  /// The document `null`.
  private init() {
    let text = unsafe Array("null".utf8).withUnsafeBytes { unsafe PaddedText(copying: $0) }
    var tape = JSONTape(forBytes: text.count)
    tape.append(JSONWord(.null, size: text.count, offset: 0))
    unsafe readText = text
    unsafe readTape = tape
  }

  /// The document `null`.
  static let null = JSONDocument()

  deinit {
    // No references to the document remain, so no thread reads.
    unsafe tape.deallocate()
    unsafe text.deallocate()
  }

  /// The outermost value.
  package var root: JSONNode { JSONNode(document: self, index: 0) }

  /// The number of 8-byte words of the values, at most the number of bytes of the text.
  package var tapeCount: Int { tape.count }

  /// Some bytes of the text.
  package func bytes(_ range: Range<Int>) -> [UInt8] {
    text.bytes(range.clamped(to: 0..<text.count))
  }
}

extension JSONDocument {
  /// A step from a container to one of its children.
  struct Step {
    /// The tape index of the container.
    var container: Int
    /// The tape index of the child.
    var child: Int
    /// The child's position, counted in elements or members.
    var position: Int
  }

  /// The steps from the root to the value at a tape index.
  ///
  /// Reading records no paths: a value is between its siblings on the tape, so its path is found
  /// from the outermost container inwards.
  ///
  /// - Complexity: O(depth · children of a container). For values in the order of the text, the
  ///   children are traversed once; see ``PathHints``.
  func steps(to index: Int) -> [Step] {
    var steps: [Step] = []
    var current = 0
    while current != index {
      let isObject = word(at: current).kind == .object
      var children = tape.children(of: current)
      var position = 0
      // The first child is at least two words after its container, because the frame is between
      // them.
      if let hint = pathHints.hint(atDepth: steps.count), hint.child > current + 1,
        hint.child <= index
      {
        children.index = isObject ? hint.child - 1 : hint.child
        position = hint.position
      }
      while true {
        let next =
          isObject
          ? children.nextKey(on: tape).map { $0 + 1 } : children.nextElement(on: tape)
        guard let child = next else { return steps }
        if index < tape.end(of: child) {
          pathHints.leave(
            PathHints.Hint(child: child, position: position), atDepth: steps.count)
          steps.append(Step(container: current, child: child, position: position))
          current = child
          break
        }
        position += 1
      }
    }
    return steps
  }

  /// The coding key of a step; `rename` is applied to the keys of objects.
  func codingKey(of step: Step, rename: (String) -> String = { $0 }) -> JSONCodingKey {
    word(at: step.container).kind == .object
      ? JSONCodingKey(stringValue: rename(key(of: step.child)))
      : JSONCodingKey(index: step.position)
  }
}

/// The positions of the last path in the containers of a document. The next path, to a later value,
/// starts there instead of at the first child, so paths to many values take linear time.
///
/// There is one hint for each depth, a child and its position. A child at this depth and within a
/// container is a child of that container, so a hint needs no validation: a hint of another
/// container is ignored. Each hint is one atomic word, which any thread can write.
struct PathHints: ~Copyable, Sendable {
  /// The number of depths with hints.
  static let depths = 128

  private let hint0 = Atomic<UInt64>(0)
  private let hint1 = Atomic<UInt64>(0)
  private let hint2 = Atomic<UInt64>(0)
  private let hint3 = Atomic<UInt64>(0)
  private let hint4 = Atomic<UInt64>(0)
  private let hint5 = Atomic<UInt64>(0)
  private let hint6 = Atomic<UInt64>(0)
  private let hint7 = Atomic<UInt64>(0)

  /// A child of a container and its position among the children.
  struct Hint {
    var child: Int
    var position: Int
  }

  /// The last hint of a depth, or nil without one.
  func hint(atDepth depth: Int) -> Hint? {
    let value = withWord(forDepth: depth) { $0.load(ordering: .relaxed) }
    // Depths that are eight apart share a word, which contains the depth.
    guard value != 0, depth < Self.depths, Int(value >> 60) == depth / 8 else { return nil }
    return Hint(
      child: Int(truncatingIfNeeded: value & 0xFFFF_FFFF),
      position: Int(truncatingIfNeeded: value >> 32 & 0xFFF_FFFF))
  }

  /// Stores the hint of a depth.
  func leave(_ hint: Hint, atDepth depth: Int) {
    guard depth < Self.depths else { return }
    // Tape indices have 32 bits and the numbers of children 28; see ``JSONWord``.
    let value =
      UInt64(truncatingIfNeeded: depth / 8) << 60
      | (UInt64(truncatingIfNeeded: hint.position) & 0xFFF_FFFF) << 32
      | UInt64(truncatingIfNeeded: hint.child) & 0xFFFF_FFFF
    withWord(forDepth: depth) { $0.store(value, ordering: .relaxed) }
  }

  private func withWord<Value>(
    forDepth depth: Int, _ use: (borrowing Atomic<UInt64>) -> Value
  ) -> Value {
    switch depth % 8 {
    case 0: use(hint0)
    case 1: use(hint1)
    case 2: use(hint2)
    case 3: use(hint3)
    case 4: use(hint4)
    case 5: use(hint5)
    case 6: use(hint6)
    default: use(hint7)
    }
  }
}

/// The reason why bytes are not one JSON value, and its position.
package struct JSONError: Error, Sendable, Hashable {
  /// A message with the expected and the actual token.
  package var message: String
  /// The offset of the first invalid byte, counted from 0.
  package var offset: Int
  /// The line of that byte, counted from 1.
  package var line: Int
  /// The column of that byte within its line, in bytes, counted from 1.
  package var column: Int

  /// Creates an error with a known position.
  package init(message: String, offset: Int, line: Int, column: Int) {
    self.message = message
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// Creates an error at `offset` of a text, and counts the lines before it.
  ///
  /// A line ends with `\n`, `\r\n` or a lone `\r`.
  init(_ message: String, at offset: Int, in text: PaddedText) {
    let end = Swift.min(offset, text.count)
    var line = 1
    var lineStart = 0
    var index = 0
    while index < end {
      let byte = text[index]
      index += 1
      let isPair = byte == UInt8(ascii: "\r") && index < end && text[index] == UInt8(ascii: "\n")
      if byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && !isPair) {
        line += 1
        lineStart = index
      }
    }
    self.init(message: message, offset: offset, line: line, column: end - lineStart + 1)
  }
}

extension JSONError: CustomStringConvertible {
  /// `line 3, column 7 (offset 42): expected a value, found '}'`
  package var description: String {
    "line \(line), column \(column) (offset \(offset)): \(message)"
  }
}

extension JSONError: LocalizedError {
  /// The text of ``description``.
  package var errorDescription: String? { description }
}

/// The limits of the numbers of a document, for an integer type. `Int` has 32 bits on some watches.
package enum JSONLimits<Integer: FixedWidthInteger & Sendable> {
  /// The largest offset of a word: 2³² − 1, or the maximum of the type.
  package static var offset: Integer { Integer(clamping: UInt32.max) }

  /// The largest size of a word: 2²⁸ − 1.
  package static var size: Integer { (1 << 28) - 1 }

  /// The largest exponent of ten: 2²⁹. The digits of a number, fewer than 2²⁸, cannot compensate
  /// for it, and adding their count cannot overflow.
  package static var exponent: Integer { 1 << 29 }

  /// Appends a digit to an exponent, up to the limit.
  package static func exponent(_ exponent: Integer, appending digit: Integer) -> Integer {
    exponent > (Self.exponent - digit) / 10 ? Self.exponent : exponent * 10 + digit
  }
}

/// A step of a coding path that no user type defines: the key of a member or the index of an
/// element.
package struct JSONCodingKey: CodingKey, Sendable, Hashable {
  /// The key, or `Index 3` for an element, as in the standard library.
  package let stringValue: String
  /// The index of an element, or nil for a member.
  package let intValue: Int?

  /// The key of a member.
  package init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  /// Creates a key that is a number.
  package init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  /// Creates the key of an element with an index counted from 0.
  package init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }

  /// The key under which a class keeps the members of its superclass.
  static let `super` = JSONCodingKey(stringValue: "super")
}
