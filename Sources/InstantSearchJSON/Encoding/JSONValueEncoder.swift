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
    if let value = value as? any JSONWritable { return value.write(to: &writer) }
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
}
