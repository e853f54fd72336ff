/// Decodes `Decodable` types from JSON, with the behavior of Foundation's `JSONDecoder`.
///
/// The tests list the differences: `FoundationDifference` in Tests/JSONProperties.
package struct JSONValueDecoder: Sendable {
  /// The options of the decoder.
  package var options: JSONDecodingOptions

  /// Creates a decoder.
  package init(options: JSONDecodingOptions = JSONDecodingOptions()) {
    self.options = options
  }

  /// Decodes the value of a whole JSON text.
  ///
  /// - Throws: `DecodingError`. For a text that is not JSON it is `dataCorrupted` with a
  ///   ``JSONError`` as the underlying error.
  package func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws -> T {
    let document: JSONDocument
    do {
      document = try JSONDocument(bytes)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: [], debugDescription: "The given data was not valid JSON: \(error)",
          underlyingError: error))
    }
    return try decode(type, from: document.root)
  }

  /// Decodes a value in a document.
  ///
  /// - Throws: `DecodingError` whose coding path starts at the root of the document, not at the
  ///   node, so that nested decoders report one path.
  package func decode<T: Decodable>(_ type: T.Type, from node: JSONNode) throws -> T {
    let session = DecodingSession(document: node.document, options: options)
    return try session.value(type, at: node.index, depth: 0)
  }
}

/// A type that reads itself from a node of a document.
package protocol JSONNodeDecodable: TapeDecodable {
  /// Reads the value. Errors are `DecodingError`s with the node's coding path.
  init(node: JSONNode, options: JSONDecodingOptions) throws
}

extension JSONNodeDecodable {
  package init(at index: Int, in session: DecodingSession, depth: Int) throws {
    try self.init(node: session.node(at: index), options: session.options)
  }
}

extension DecodingSession {
  /// The position of one of our decoders, or nil for any other decoder.
  ///
  /// A ``JSONNodeDecodable`` type uses it in `init(from:)`, which user code can call without the
  /// decoder.
  package static func location(
    of decoder: any Decoder
  ) -> (session: DecodingSession, index: Int, depth: Int)? {
    guard let decoder = decoder as? NodeDecoder else { return nil }
    guard decoder.index >= 0 else {
      let options = decoder.session.options
      return (DecodingSession(document: .null, options: options), JSONDocument.rootIndex, 0)
    }
    return (decoder.session, decoder.index, decoder.depth)
  }
}

extension JSONNode {
  /// The node and the options of one of our decoders, or nil for any other decoder.
  package static func current(
    of decoder: any Decoder
  ) -> (node: JSONNode, options: JSONDecodingOptions)? {
    DecodingSession.location(of: decoder).map {
      ($0.session.node(at: $0.index), $0.session.options)
    }
  }
}

/// The decoder of one value of a document.
struct NodeDecoder: Decoder {
  let session: DecodingSession
  /// The value's tape index. Negative for an absent value.
  let index: Int
  /// The number of values being decoded around this one. It distinguishes containers in use.
  let depth: Int

  var codingPath: [any CodingKey] { session.path(to: index) }

  var userInfo: [CodingUserInfoKey: Any] { session.options.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(
      try KeyedNodeContainer<Key>(session: session, index: index, depth: depth))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try UnkeyedNodeContainer(session: session, index: index, depth: depth)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension NodeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { session.isNull(at: index) }

  func decode(_ type: Bool.Type) throws -> Bool { try session.bool(at: index) }
  func decode(_ type: String.Type) throws -> String { try session.string(at: index) }
  func decode(_ type: Double.Type) throws -> Double { try session.double(at: index) }
  func decode(_ type: Float.Type) throws -> Float { try session.float(at: index) }
  func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
    try session.integer(type, at: index)
  }
  func decode(_ type: Int128.Type) throws -> Int128 { try session.integer(type, at: index) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try session.integer(type, at: index) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try session.value(type, at: index, depth: depth)
  }
}
