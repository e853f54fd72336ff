package import InstantSearchJSON

extension Facets: Codable {
  /// Reads `{attribute: {value: count}}`.
  ///
  /// The decoder of this library keeps the order. Other decoders lose it; then the
  /// attributes are sorted by name, and the values by falling count and then by name.
  public init(from decoder: any Decoder) throws {
    if let current = JSONNode.current(of: decoder) {
      try self.init(node: current.node, options: current.options)
      return
    }
    let container = try decoder.singleValueContainer()
    let object = try container.decode([String: [String: Int]].self)
    self.init(
      object.sorted { $0.key < $1.key }.map { attribute, counts in
        let values = counts.map { FacetValue(value: $0.key, count: $0.value) }
        return Facet(
          attribute: attribute,
          values: values.sorted { ($1.count, $0.value) < ($0.count, $1.value) })
      })
  }

  /// Writes `{attribute: {value: count}}`.
  public func encode(to encoder: any Encoder) throws {
    let object = Dictionary(
      map { ($0.attribute, $0.counts) }, uniquingKeysWith: { _, last in last })
    var container = encoder.singleValueContainer()
    try container.encode(object)
  }
}

extension Facets: JSONNodeDecodable, JSONWritable {
  /// Reads `{attribute: {value: count}}` in the order of the text.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    try self.init(at: node.index, of: node.document)
  }

  /// Reads `{attribute: {value: count}}` in the order of the text.
  init(at index: Int, of document: JSONDocument) throws {
    func mismatch(_ type: Any.Type, at index: Int) -> DecodingError {
      JSONNode(document: document, index: index).mismatch(type)
    }
    guard case .object = document.kind(at: index) else {
      throw mismatch([String: Any].self, at: index)
    }
    var facets: [Facet] = []
    facets.reserveCapacity(document.count(at: index))
    try document.forEachMember(ofObjectAt: index) { attribute in
      guard case .object = document.kind(at: attribute) else {
        throw mismatch([String: Any].self, at: attribute)
      }
      var values: [FacetValue] = []
      values.reserveCapacity(document.count(at: attribute))
      try document.forEachMember(ofObjectAt: attribute) { value in
        guard let count = document.int(at: value) else { throw mismatch(Int.self, at: value) }
        values.append(FacetValue(value: document.key(of: value), count: count))
      }
      facets.append(Facet(attribute: document.key(of: attribute), values: values))
    }
    self.init(facets)
  }

  /// Writes `{attribute: {value: count}}` in order.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for facet in self {
      writer.key(facet.attribute)
      writer.beginObject()
      for value in facet.values {
        writer.key(value.value)
        writer.int(value.count)
      }
      writer.endObject()
    }
    writer.endObject()
  }
}
