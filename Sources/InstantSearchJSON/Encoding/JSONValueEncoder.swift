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
