package import InstantSearchJSON

/// Describes why decoding failed, in readable text.
package struct DecodingIssue: Sendable, Hashable {
  /// The location of the issue, one step per key or index.
  package var codingPath: [String]
  /// The reason, such as `expected a number, found a string`.
  package var reason: String

  /// Describes an error of a decoder.
  ///
  /// - Parameter value: Returns the JSON value at the error's coding path, if known.
  package init(_ error: any Error, found value: ([any CodingKey]) -> JSONNode? = { _ in nil }) {
    switch error {
    case DecodingError.typeMismatch(let type, let context):
      codingPath = Self.steps(context.codingPath)
      let found = value(context.codingPath)?.kind
      if let expected = Self.phrase(for: type), let found, Self.phrase(for: found) != expected {
        reason = "expected \(expected), found \(Self.phrase(for: found))"
      } else {
        reason = context.debugDescription
      }
    case DecodingError.valueNotFound(let type, let context):
      codingPath = Self.steps(context.codingPath)
      reason = "expected \(Self.phrase(for: type) ?? "a value of type \(type)"), found null"
    case DecodingError.keyNotFound(let key, let context):
      codingPath = Self.steps(context.codingPath + [key])
      reason = "the member is missing"
    case DecodingError.dataCorrupted(let context):
      codingPath = Self.steps(context.codingPath)
      reason = context.debugDescription
    default:
      codingPath = []
      reason = String(describing: error)
    }
  }

  /// The steps of a coding path as text, with the number of an array index.
  ///
  /// A key can have an integer value without being an index; decoders name an index `Index 3`.
  package static func steps(_ path: [any CodingKey]) -> [String] {
    path.map { key in
      guard let index = key.intValue, key.stringValue.hasPrefix("Index ") else {
        return key.stringValue
      }
      return String(index)
    }
  }

  /// The kind of JSON value that a Swift type is read from; `nil` if it is unknown.
  private static func phrase(for type: Any.Type) -> String? {
    if type is any BinaryInteger.Type || type is any BinaryFloatingPoint.Type { return "a number" }
    if type is any StringProtocol.Type { return "a string" }
    if type is Bool.Type { return "a boolean" }
    if type is any KeyedShape.Type { return "an object" }
    if type is any ListShape.Type { return "an array" }
    return nil
  }

  private static func phrase(for kind: JSONNode.Kind) -> String {
    switch kind {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// Marks the types that are read from a JSON object.
private protocol KeyedShape {}
extension Dictionary: KeyedShape {}

/// Marks the types that are read from a JSON array.
private protocol ListShape {}
extension Array: ListShape {}
extension Set: ListShape {}

extension SearchError {
  /// Describes the failure of a decoder as an error of code `decoding`.
  package init(decodingFailure error: any Error, indexName: String? = nil) {
    if let error = error as? SearchError {
      self = error
    } else if let error = error as? JSONError {
      self.init(.decoding, "the text is not JSON: \(error)", indexName: indexName)
    } else {
      let issue = DecodingIssue(error)
      let location =
        issue.codingPath.isEmpty ? "" : "at \(issue.codingPath.joined(separator: ".")): "
      self.init(.decoding, location + issue.reason, indexName: indexName)
    }
  }

  /// Describes the failure of an encoder as an error of code `invalidRequest`.
  package init(encodingFailure error: any Error) {
    if let error = error as? SearchError {
      self = error
    } else if case EncodingError.invalidValue(_, let context) = error {
      let path = DecodingIssue.steps(context.codingPath).joined(separator: ".")
      let location = path.isEmpty ? "" : "at \(path): "
      self.init(.invalidRequest, "cannot be encoded: " + location + context.debugDescription)
    } else {
      self.init(.invalidRequest, "cannot be encoded: " + String(describing: error))
    }
  }
}

extension JSON {
  /// Reads JSON text given as UTF-8.
  ///
  /// - Throws: ``SearchError`` of code `decoding`, with the line and the column of the error.
  public init(parsing bytes: [UInt8]) throws(SearchError) {
    do {
      try self.init(node: JSONDocument(bytes).root)
    } catch {
      throw SearchError(decodingFailure: error)
    }
  }

  /// Reads JSON text.
  ///
  /// - Throws: ``SearchError`` of code `decoding`, with the line and the column of the error.
  public init(parsing text: String) throws(SearchError) {
    try self.init(parsing: Array(text.utf8))
  }

  /// Converts any encodable value. Dates become seconds since 2001, the default of `Codable`.
  ///
  /// - Throws: ``SearchError`` of code `invalidRequest` if the value cannot be encoded.
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
