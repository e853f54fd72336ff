/// Encodes `Encodable` types as compact JSON, straight into bytes, with the behaviour of
/// Foundation's `JSONEncoder`; slashes are not escaped, and members stand in the order they were
/// encoded.
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
    if let value = value as? any JSONWritable { return value.write(to: &writer) }
    let mark = writer.mark
    let sink = EncodingSink(writer: writer)
    writer = JSONWriter(capacity: 0)
    defer { writer = sink.writer }
    do {
      let root = EncodingNode(session: EncodingSession(options: options), sink: sink)
      try root.encodeRoot(value)
      if let failure = root.session.failure { throw failure }
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
