/// Encodes `Encodable` types as compact JSON, straight into bytes, with the behaviour of
/// Foundation's `JSONEncoder`.
///
/// Slashes are not escaped. Members stand in the order they were encoded, those of dictionaries by
/// key, so that equal values are equal texts. Only what `Codable` itself writes as an array in hash
/// order has no fixed order: sets, and dictionaries whose keys are no keys of objects.
package struct JSONValueEncoder: Sendable {
  /// The choices JSON leaves.
  package var options: JSONEncodingOptions

  /// Creates an encoder.
  package init(options: JSONEncodingOptions = JSONEncodingOptions()) {
    self.options = options
  }

  /// The value as one JSON text; scalars may stand alone.
  ///
  /// - Throws: `EncodingError`, or what the value's own `encode(to:)` throws.
  package func encode<T: Encodable>(_ value: T) throws -> [UInt8] {
    var writer = JSONWriter()
    try encode(value, into: &writer)
    return writer.bytes
  }

  /// The value as one JSON text, which may be long.
  ///
  /// - Parameter check: Called at least once for every few hundred values, and for every few
  ///   megabytes of the text; what it throws ends the encoding, unless the value's own
  ///   `encode(to:)` ignores errors.
  /// - Throws: What the check throws, `EncodingError`, or what the value's own `encode(to:)`
  ///   throws.
  package func encode<T: Encodable>(
    _ value: T, check: @escaping () throws -> Void
  ) throws -> [UInt8] {
    var writer = JSONWriter()
    try encode(
      value, into: &writer, session: EncodingSession(options: options, check: check))
    return try writer.bytes(check: check)
  }

  /// Writes the value where the writer stands; on an error the writer is left as it was.
  ///
  /// - Throws: `EncodingError`, or what the value's own `encode(to:)` throws.
  package func encode<T: Encodable>(_ value: T, into writer: inout JSONWriter) throws {
    try encode(value, into: &writer, session: EncodingSession(options: options))
  }

  /// Encodes a value and tells how many parts filled in later had to be looked at to arrange the
  /// members of its objects: the work that must not grow faster than the value.
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

/// A type that writes itself without `Codable`; ``JSONValueEncoder`` takes this way wherever it
/// meets such a type, at any depth.
package protocol JSONWritable: Encodable {
  /// Writes exactly one value.
  func write(to writer: inout JSONWriter)

  /// Writes exactly one value, which may be long.
  ///
  /// - Parameter check: Called at least once for every few hundred values inside; what it throws
  ///   ends the writing. Types that are never long do not call it.
  func write(to writer: inout JSONWriter, check: () throws -> Void) throws
}

extension JSONWritable {
  package func write(to writer: inout JSONWriter, check: () throws -> Void) throws {
    write(to: &writer)
  }

  /// Writes exactly one value, with a check if there is one.
  func write(to writer: inout JSONWriter, check: (() throws -> Void)?) throws {
    if let check { try write(to: &writer, check: check) } else { write(to: &writer) }
  }
}

/// What the encoders of one encoding call share.
final class EncodingSession {
  let options: JSONEncodingOptions
  /// Whether keys are converted.
  let convertsKeys: Bool
  /// The first misuse of a container by a function that cannot throw; the call ends with it.
  var failure: EncodingError?
  /// How many insertions were looked at while members were arranged.
  var insertionsVisited = 0
  /// The nodes that have others inside which may be filled later; these refer to one another.
  var parents: [EncodingNode] = []
  /// The types met so far, and the one that was met last: elements of an array have one type.
  private var ways: [ObjectIdentifier: EncodingWay] = [:]
  private var latest: (type: any Any.Type, way: EncodingWay) = (Never.self, .encoder)

  /// Asked from time to time whether to go on.
  let check: (() throws -> Void)?
  /// How many values are written until the check is asked again.
  private var stepsLeft = EncodingSession.checkedValues

  /// How many values are written between two checks.
  static let checkedValues = 256

  init(options: JSONEncodingOptions, check: (() throws -> Void)? = nil) {
    self.options = options
    self.check = check
    convertsKeys = options.convertsKeys
  }

  /// Counts a value, and asks the check when there were enough of them.
  @inline(__always)
  func countValue() throws {
    stepsLeft &-= 1
    if stepsLeft <= 0 { try checkAgain() }
  }

  @inline(never)
  private func checkAgain() throws {
    // When it throws, the next value asks again, whatever the caller made of the error.
    try check?()
    stepsLeft = Self.checkedValues
  }

  /// How values of a type are written.
  func way<T: Encodable>(of type: T.Type) -> EncodingWay {
    if latest.type == type { return latest.way }
    let way: EncodingWay
    if let known = ways[ObjectIdentifier(type)] {
      way = known
    } else {
      way = EncodingWay(type)
      ways[ObjectIdentifier(type)] = way
    }
    latest = (type, way)
    return way
  }
}

/// How values of a type are written; looking it up takes longer than writing a number.
enum EncodingWay {
  /// As a string, the most frequent of them.
  case string
  /// By themselves, as ``JSONWritable``.
  case writable
  /// By themselves, as ``DirectlyEncodable``.
  case direct
  /// By their `encode(to:)`.
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

/// Bytes being written, and the places in them where other bytes belong.
///
/// A value that is encoded by one call is written in place. A nested container or a superclass's
/// encoder may be filled at any later time, in turn with its parent; each has a sink of its own,
/// and the parent's sink notes where it belongs.
final class EncodingSink {
  /// A value whose bytes are in another sink.
  struct Insertion {
    /// The place in this sink's bytes.
    var offset: Int
    var node: EncodingNode
  }

  var writer = JSONWriter(capacity: 0)
  /// In the order of their offsets.
  var insertions: [Insertion] = []

  /// Notes that the value of `node` belongs here.
  func insert(_ node: EncodingNode) {
    insertions.append(Insertion(offset: writer.placeholder(), node: node))
  }

  /// Puts all inserted values in their places, at or after `start`.
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
