/// Encodes `Encodable` types as compact JSON bytes, with the behavior of Foundation's
/// `JSONEncoder`.
///
/// Slashes are not escaped. Members have the order in which they were encoded, and members of
/// dictionaries are sorted by key, so equal values have equal texts. Only values that `Codable`
/// writes as arrays in hash order have no fixed order: sets, and dictionaries whose keys cannot be
/// keys of objects.
package struct JSONValueEncoder: Sendable {
  /// The options of the encoder.
  package var options: JSONEncodingOptions

  /// Creates an encoder.
  package init(options: JSONEncodingOptions = JSONEncodingOptions()) {
    self.options = options
  }

  /// Encodes a value as one JSON text, which can be a scalar.
  ///
  /// - Throws: `EncodingError`, or the error of the value's `encode(to:)`.
  package func encode<T: Encodable>(_ value: T) throws -> [UInt8] {
    var writer = JSONWriter()
    try encode(value, into: &writer)
    return writer.bytes
  }

  /// Encodes a value as one JSON text, which can be long.
  ///
  /// - Parameter check: Called at least once for every few hundred values and every few megabytes
  ///   of the text. Its error ends the encoding, unless the value's `encode(to:)` ignores errors.
  /// - Throws: The error of the check, `EncodingError`, or the error of the value's `encode(to:)`.
  package func encode<T: Encodable>(
    _ value: T, check: @escaping () throws -> Void
  ) throws -> [UInt8] {
    var writer = JSONWriter()
    try encode(
      value, into: &writer, session: EncodingSession(options: options, check: check))
    return try writer.bytes(check: check)
  }

  /// Writes the value with a writer. If it throws, the writer is unchanged.
  ///
  /// - Throws: `EncodingError`, or the error of the value's `encode(to:)`.
  package func encode<T: Encodable>(_ value: T, into writer: inout JSONWriter) throws {
    try encode(value, into: &writer, session: EncodingSession(options: options))
  }

  /// Encodes a value, and returns the number of insertions that were examined to arrange members.
  /// That work must not grow faster than the value.
  package func insertionsVisited<T: Encodable>(encoding value: T) throws -> Int {
    let session = EncodingSession(options: options)
    var writer = JSONWriter()
    try encode(value, into: &writer, session: session)
    return session.insertionsVisited
  }

  private func encode<T: Encodable>(
    _ value: T, into writer: inout JSONWriter, session: EncodingSession
  ) throws {
    if let value = value as? any JSONWritable {
      return try value.write(to: &writer, check: session.check)
    }
    let mark = writer.mark
    let sink = EncodingSink()
    swap(&writer, &sink.writer)
    defer {
      swap(&writer, &sink.writer)
      for parent in session.parents { parent.forgetChildren() }
      session.parents.removeAll()
    }
    do {
      try EncodingNode(session: session, sink: sink).encodeRoot(value)
      if let failure = session.failure { throw failure }
      sink.assemble(from: mark.count)
    } catch {
      sink.writer.rewind(to: mark)
      throw error
    }
  }
}

/// A type that writes itself without `Codable`. ``JSONValueEncoder`` uses this for such types at
/// any depth.
package protocol JSONWritable: Encodable {
  /// Writes exactly one value.
  func write(to writer: inout JSONWriter)

  /// Writes exactly one value, which can be long.
  ///
  /// - Parameter check: Called at least once for every few hundred values inside. Its error ends
  ///   the writing. Types that are never long do not call it.
  func write(to writer: inout JSONWriter, check: () throws -> Void) throws
}

extension JSONWritable {
  package func write(to writer: inout JSONWriter, check: () throws -> Void) throws {
    write(to: &writer)
  }

  /// Writes exactly one value, with an optional check.
  func write(to writer: inout JSONWriter, check: (() throws -> Void)?) throws {
    if let check { try write(to: &writer, check: check) } else { write(to: &writer) }
  }
}

/// The state that the encoders of one encoding call share.
final class EncodingSession {
  let options: JSONEncodingOptions
  /// Whether keys are converted.
  let convertsKeys: Bool
  /// The first misuse of a container by a function that cannot throw. The call ends with it.
  var failure: EncodingError?
  /// The number of insertions that were examined to arrange members.
  var insertionsVisited = 0
  /// The nodes with other nodes inside that can be encoded later. They refer to one another.
  var parents: [EncodingNode] = []
  /// The types used so far, and the last one, because elements of an array share their type.
  private var strategies: [ObjectIdentifier: EncodingStrategy] = [:]
  private var latest: (type: any Any.Type, strategy: EncodingStrategy) = (Never.self, .encoder)

  /// Called regularly. Its error ends the encoding.
  let check: (() throws -> Void)?
  /// The number of values until the next check.
  private var stepsLeft = EncodingSession.checkedValues

  /// The number of values between two checks.
  static let checkedValues = 256

  init(options: JSONEncodingOptions, check: (() throws -> Void)? = nil) {
    self.options = options
    self.check = check
    convertsKeys = options.convertsKeys
  }

  /// Counts a value, and calls the check if it is due.
  @inline(__always)
  func countValue() throws {
    stepsLeft &-= 1
    if stepsLeft <= 0 { try checkAgain() }
  }

  @inline(never)
  private func checkAgain() throws {
    // If it throws, the next value calls it again, even if the caller ignored the error.
    try check?()
    stepsLeft = Self.checkedValues
  }

  /// The strategy for values of a type.
  func strategy<T: Encodable>(of type: T.Type) -> EncodingStrategy {
    if latest.type == type { return latest.strategy }
    let strategy: EncodingStrategy
    if let known = strategies[ObjectIdentifier(type)] {
      strategy = known
    } else {
      strategy = EncodingStrategy(type)
      strategies[ObjectIdentifier(type)] = strategy
    }
    latest = (type, strategy)
    return strategy
  }
}

/// The strategy for values of a type. Finding it takes longer than writing a number.
enum EncodingStrategy {
  /// A string, the most frequent type.
  case string
  /// A type that conforms to ``JSONWritable``.
  case writable
  /// A type that conforms to ``DirectlyEncodable``.
  case direct
  /// A type with `encode(to:)` only.
  case encoder

  init<T: Encodable>(_ type: T.Type) {
    if type == String.self {
      self = .string
    } else if type is any JSONWritable.Type {
      self = .writable
    } else if type is any DirectlyEncodable.Type {
      self = .direct
    } else {
      self = .encoder
    }
  }
}

/// Bytes being written, and the offsets where other bytes are inserted.
///
/// A value that is encoded by one call is written in place. A nested container or a superclass's
/// encoder can be used at any later time, alternating with its parent. Each has a separate sink,
/// and the parent's sink records where it is inserted.
final class EncodingSink {
  /// A value whose bytes are in another sink.
  struct Insertion {
    /// The offset in this sink's bytes.
    var offset: Int
    var node: EncodingNode
  }

  var writer = JSONWriter(capacity: 0)
  /// In the order of their offsets.
  var insertions: [Insertion] = []

  /// Records that the value of `node` is inserted here.
  func insert(_ node: EncodingNode) {
    insertions.append(Insertion(offset: writer.placeholder(), node: node))
  }

  /// Inserts all values at or after `start`.
  func assemble(from start: Int) {
    guard !insertions.isEmpty else { return }
    var bytes: [UInt8] = []
    append(from: start, to: &bytes)
    writer.replace(from: start, with: bytes)
    insertions.removeAll()
  }

  private func append(from start: Int, to bytes: inout [UInt8]) {
    var position = start
    for insertion in insertions {
      bytes.append(contentsOf: writer.bytes(in: position..<insertion.offset))
      insertion.node.finish()
      insertion.node.sink.append(from: 0, to: &bytes)
      position = insertion.offset
    }
    bytes.append(contentsOf: writer.bytes(in: position..<writer.count))
  }
}
