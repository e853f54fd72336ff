package import InstantSearchJSON

/// The response to a search for facet values.
public struct FacetValuesPage: Sendable, Hashable {
  /// The matching values, most frequent first.
  public var facetHits: [FacetHit]
  /// Whether the counts are exact.
  public var exhaustiveFacetsCount: Bool
  /// The processing time of the engine, in milliseconds.
  public var processingTimeMS: Int

  /// Creates a response.
  public init(
    facetHits: [FacetHit] = [], exhaustiveFacetsCount: Bool = true, processingTimeMS: Int = 0
  ) {
    self.facetHits = facetHits
    self.exhaustiveFacetsCount = exhaustiveFacetsCount
    self.processingTimeMS = processingTimeMS
  }
}

/// A facet value that matches a search for facet values.
public struct FacetHit: Sendable, Hashable {
  /// The value.
  public var value: String
  /// The value with the matching part highlighted. For an empty search nothing is highlighted.
  public var highlighted: HighlightedString
  /// The number of records that have the value.
  public var count: Int

  /// Creates a value. By default nothing in it is highlighted.
  public init(value: String, highlighted: HighlightedString? = nil, count: Int) {
    self.value = value
    self.highlighted = highlighted ?? HighlightedString(value)
    self.count = count
  }
}

extension FacetValuesPage: Codable {
  private enum Key: String, JSONVerbatimKey, CaseIterable {
    case facetHits, exhaustiveFacetsCount, processingTimeMS

    static let names = DocumentedNames(allCases.map(\.rawValue))
  }

  /// Reads a response. Only the values themselves are required.
  public init(from decoder: any Decoder) throws {
    if let current = JSONNode.current(of: decoder) {
      try self.init(node: current.node, options: current.options)
      return
    }
    let container = try decoder.container(keyedBy: AnyKey.self)
    let keys = container.keys(of: Key.names)
    func value<Value: Decodable>(_ key: Key) throws -> Value {
      try container.decode(Value.self, forKey: keys[key.rawValue] ?? AnyKey(key.rawValue))
    }
    self.init(
      facetHits: try value(.facetHits),
      exhaustiveFacetsCount: (try? value(.exhaustiveFacetsCount)) ?? true,
      processingTimeMS: (try? value(.processingTimeMS)) ?? 0)
  }

  /// Writes a response.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(facetHits, forKey: .facetHits)
    try container.encode(exhaustiveFacetsCount, forKey: .exhaustiveFacetsCount)
    try container.encode(processingTimeMS, forKey: .processingTimeMS)
  }
}

extension FacetValuesPage: JSONNodeDecodable {
  /// Reads a response whose highlights have the standard tags.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    try self.init(node: node, options: options, tags: .standard)
  }

  /// Reads a response. Only the values themselves are required.
  ///
  /// - Parameter tags: The tags of the highlights.
  package init(
    node: JSONNode, options: JSONDecodingOptions, tags: HighlightedString.Tags
  ) throws {
    let hits = try node.required(Key.facetHits.rawValue)
    guard hits.kind == .array else { throw hits.mismatch([Any].self) }
    self.init(
      facetHits: try hits.elements.map { try FacetHit(node: $0, tags: tags) },
      exhaustiveFacetsCount: node[Key.exhaustiveFacetsCount.rawValue]?.bool ?? true,
      processingTimeMS: node[Key.processingTimeMS.rawValue]?.int ?? 0)
  }
}

extension FacetHit: Codable {
  private enum Key: String, CodingKey {
    case value, highlighted, count
  }

  /// Reads a value. Without a highlight, nothing in it is highlighted.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      value: try container.decode(String.self, forKey: .value),
      highlighted: try? container.decode(HighlightedString.self, forKey: .highlighted),
      count: try container.decode(Int.self, forKey: .count))
  }

  init(node: JSONNode, tags: HighlightedString.Tags) throws {
    let count = try node.required(Key.count.rawValue)
    guard let number = count.int else { throw count.mismatch(Int.self) }
    self.init(
      value: try node.text(Key.value.rawValue),
      highlighted: node[Key.highlighted.rawValue]?.string.map {
        HighlightedString($0, tags: tags)
      },
      count: number)
  }
}
