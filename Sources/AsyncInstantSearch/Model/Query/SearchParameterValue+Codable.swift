package import SearchJSON

// The package's own coder takes the direct way; any other coder goes through `JSON`, so that each
// value has one description of its forms and not two.

extension JSONNodeDecodable where Self: SearchParameterValue {
  /// Reads the value from JSON.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    do throws(SearchParameterMismatch) {
      try self.init(parameter: node)
    } catch {
      throw error.decodingError(Self.self, codingPath: node.codingPath)
    }
  }
}

extension JSONWritable where Self: SearchParameterValue {
  /// Writes the value as JSON.
  package func write(to writer: inout JSONWriter) { writeParameter(to: &writer) }
}

extension SearchParameterValue {
  /// Reads the value with a coder of another library.
  package init(readingFrom decoder: any Decoder) throws {
    let document = try JSONDocument(reading: decoder)
    do throws(SearchParameterMismatch) {
      try self.init(parameter: document.root)
    } catch {
      throw error.decodingError(Self.self, codingPath: decoder.codingPath)
    }
  }

  /// Writes the value with a coder of another library.
  package func write(into encoder: any Encoder) throws {
    try JSON(document: JSONDocument(compactJSON)).encode(to: encoder)
  }
}

extension SearchParameterMismatch {
  /// The standard library's error for the mismatch.
  func decodingError(_ type: any Any.Type, codingPath: [any CodingKey]) -> DecodingError {
    let place = path.isEmpty ? "" : " in \(path.joined(separator: "."))"
    return .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: codingPath, debugDescription: "Expected \(expected)\(place), got \(found)."))
  }
}

extension JSONDocument {
  /// What a coder of another library holds, as a document.
  convenience init(reading decoder: any Decoder) throws {
    var writer = JSONWriter()
    try JSON(from: decoder).write(to: &writer)
    try self.init(writer.bytes)
  }
}

extension JSON {
  /// A whole document as a value.
  init(document: JSONDocument) throws {
    try self.init(node: document.root, options: JSONDecodingOptions())
  }
}
