import InstantSearchJSON

extension JSON {
  /// Reads JSON text given as UTF-8.
  ///
  /// - Throws: ``SearchError`` of code `decoding`, with the line and the column of the mistake.
  public init(parsing bytes: [UInt8]) throws(SearchError) {
    do {
      try self.init(node: JSONDocument(bytes).root)
    } catch {
      throw SearchError(decodingFailure: error)
    }
  }

  /// Reads JSON text.
  ///
  /// - Throws: ``SearchError`` of code `decoding`, with the line and the column of the mistake.
  public init(parsing text: String) throws(SearchError) {
    try self.init(parsing: Array(text.utf8))
  }

  /// Converts any encodable value; dates become seconds since 2001, as `Codable` has them.
  ///
  /// - Throws: ``SearchError`` of code `invalidRequest` when the value cannot be encoded.
  public init(encoding value: some Encodable) throws(SearchError) {
    if let json = value as? JSON {
      self = json
      return
    }
    do {
      try self.init(node: JSONDocument(JSONValueEncoder().encode(value)).root)
    } catch {
      throw SearchError(encodingFailure: error)
    }
  }

  /// Converts to any decodable type.
  ///
  /// - Throws: ``SearchError`` of code `decoding`, with the path to the member that does not fit.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws(SearchError) -> Value
  {
    if let value = self as? Value { return value }
    var writer = JSONWriter()
    write(to: &writer)
    do {
      return try JSONValueDecoder().decode(type, from: writer.bytes)
    } catch {
      throw SearchError(decodingFailure: error)
    }
  }

  /// The value as compact JSON text, object members sorted by name.
  public var text: String {
    var writer = JSONWriter()
    write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSON: CustomStringConvertible {
  /// The value as compact JSON text, object members sorted by name.
  public var description: String { text }
}
