package import InstantSearchJSON

extension HighlightedString: Codable {
  /// Reads the tagged text, with the standard tags.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the tagged text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(raw)
  }
}

extension HighlightedString: JSONNodeDecodable, JSONWritable {
  /// Reads the tagged text, with the standard tags.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    guard let raw = node.string else { throw node.mismatch(String.self) }
    self.init(raw)
  }

  /// Writes the tagged text.
  package func write(to writer: inout JSONWriter) { writer.string(raw) }
}
