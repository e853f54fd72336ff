package import InstantSearchJSON

/// The answer to a search for values of a facet.
public struct FacetValuesPage: Sendable, Hashable {
  /// The values that match, the most frequent first.
  public var facetHits: [FacetHit]
  /// Whether the counts are exact.
  public var exhaustiveFacetsCount: Bool
  /// How long the engine worked, in milliseconds.
  public var processingTimeMS: Int

  /// Creates an answer.
  public init(
    facetHits: [FacetHit] = [], exhaustiveFacetsCount: Bool = true, processingTimeMS: Int = 0
  ) {
    self.facetHits = facetHits
    self.exhaustiveFacetsCount = exhaustiveFacetsCount
    self.processingTimeMS = processingTimeMS
  }
}

/// A value of a facet that matches a search for values.
public struct FacetHit: Sendable, Hashable {
  /// The value.
  public var value: String
  /// The value with what matches marked; for an empty search nothing is.
  public var highlighted: HighlightedString
  /// How many records have the value.
  public var count: Int

  /// Creates a value; by default nothing in it is marked.
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

  /// Reads an answer; only the values themselves must be there.
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

  /// Writes an answer.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(facetHits, forKey: .facetHits)
    try container.encode(exhaustiveFacetsCount, forKey: .exhaustiveFacetsCount)
    try container.encode(processingTimeMS, forKey: .processingTimeMS)
  }
}

extension FacetValuesPage: JSONNodeDecodable {
  /// Reads an answer whose highlights have the standard tags.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    try self.init(node: node, options: options, tags: .standard)
  }

  /// Reads an answer; only the values themselves must be there.
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

  /// Reads a value; without a highlight nothing in it is marked.
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
