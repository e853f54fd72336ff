package import InstantSearchJSON

// The package's own coder takes the direct way; any other coder goes through `JSON`, so that each
// value has one description of its forms and not two.

/// A type of a search parameter that is coded in its JSON form wherever it stands, outside a query
/// too.
package protocol SearchParameterType: SearchParameterValue {}

extension SearchParameterType {
  /// Reads the value from JSON.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    do throws(SearchParameterMismatch) {
      try self.init(parameter: node)
    } catch {
      throw error.decodingError(Self.self, codingPath: node.codingPath)
    }
  }

  /// Writes the value as JSON.
  package func write(to writer: inout JSONWriter) { writeParameter(to: &writer) }

  /// Reads the value with a coder of another library.
  package init(readingFrom decoder: any Decoder) throws {
    let node = try JSONNode(reading: decoder)
    do throws(SearchParameterMismatch) {
      try self.init(parameter: node)
    } catch {
      throw error.decodingError(Self.self, codingPath: decoder.codingPath)
    }
  }

  /// Writes the value with a coder of another library.
  package func write(into encoder: any Encoder) throws {
    try encoder.encode(compactJSON)
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

extension JSONNode {
  /// What a decoder stands at: the node itself for a decoder of this package, otherwise a copy.
  init(reading decoder: any Decoder) throws {
    if let (node, _) = JSONNode.current(of: decoder) {
      self = node
    } else {
      var writer = JSONWriter()
      try JSON(from: decoder).write(to: &writer)
      do {
        self = try JSONDocument(writer.bytes).root
      } catch {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: decoder.codingPath, debugDescription: error.message, underlyingError: error)
        )
      }
    }
  }
}

extension Encoder {
  /// Encodes JSON text, member names as they are.
  func encode(_ text: [UInt8]) throws {
    try JSON(node: JSONDocument(text).root).encode(to: self)
  }
}
