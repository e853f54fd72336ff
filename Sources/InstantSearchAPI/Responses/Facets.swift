package import InstantSearchJSON

/// The facets of a result: each requested attribute with its values and their counts.
///
/// Attributes and values keep the server's order.
///
/// ```swift
/// for facet in page.facets {
///   for value in facet.values { print(facet.attribute, value.value, value.count) }
/// }
/// page.facets["genre"]?["Drama"]      // 12
/// ```
public struct Facets: Sendable {
  private var facets: [Facet]

  /// Creates facets. If several have the same attribute, the last one takes the position of the
  /// first.
  public init(_ facets: some Sequence<Facet> = []) {
    self.init(Array(facets))
  }

  init(_ facets: [Facet]) {
    self.facets = facets
    // A result has few facets, which are cheaper to compare than to hash.
    let hasRepeated =
      facets.count > 16
      ? Set(facets.map(\.attribute)).count < facets.count
      : facets.indices.contains { index in
        facets[..<index].contains { $0.attribute == facets[index].attribute }
      }
    if hasRepeated { self.facets = Self.withoutRepetition(facets) }
  }

  private static func withoutRepetition(_ facets: [Facet]) -> [Facet] {
    var kept: [Facet] = []
    var positions: [String: Int] = [:]
    for facet in facets {
      if let position = positions[facet.attribute] {
        kept[position] = facet
      } else {
        positions[facet.attribute] = kept.count
        kept.append(facet)
      }
    }
    return kept
  }

  /// The facet of an attribute; `nil` if it is missing.
  ///
  /// Assigning replaces the facet in its position, or appends it, under that attribute. Assigning
  /// `nil` removes it.
  ///
  /// - Complexity: O(*n*) in the number of facets.
  public subscript(attribute: String) -> Facet? {
    get { facets.first { $0.attribute == attribute } }
    set {
      var newValue = newValue
      newValue?.attribute = attribute
      switch (facets.firstIndex { $0.attribute == attribute }, newValue) {
      case (let position?, let facet?): facets[position] = facet
      case (nil, let facet?): facets.append(facet)
      case (let position?, nil): facets.remove(at: position)
      case (nil, nil): break
      }
    }
  }

  /// The attributes, in order.
  public var attributes: [String] { facets.map(\.attribute) }
}

extension Facets: RandomAccessCollection {
  /// The index of the first facet.
  public var startIndex: Int { 0 }
  /// The index after the last facet.
  public var endIndex: Int { facets.count }
  /// The facet at a valid index.
  public subscript(position: Int) -> Facet { facets[position] }
}

extension Facets: Hashable {
  /// Whether two values have equal facets in the same order.
  public static func == (left: Facets, right: Facets) -> Bool { left.facets == right.facets }

  /// Hashes the facets in order.
  public func hash(into hasher: inout Hasher) { hasher.combine(facets) }
}

extension Facets: CustomStringConvertible {
  /// One line with the attributes and their first five values, such as
  /// `Facets(genre: Drama 12, War 3; year: 1999 4, 6 more)`.
  public var description: String {
    let parts = facets.map { facet in
      var values = facet.values.prefix(5).map { "\($0.value) \($0.count)" }
      if facet.values.count > 5 { values.append("\(facet.values.count - 5) more") }
      return "\(facet.attribute): \(values.joined(separator: ", "))"
    }
    return "Facets(\(parts.joined(separator: "; ")))"
  }
}

extension Facets: ExpressibleByDictionaryLiteral {
  /// Creates facets from attributes, values and counts: `["genre": ["Drama": 12, "War": 3]]`.
  public init(dictionaryLiteral elements: (String, KeyValuePairs<String, Int>)...) {
    self.init(
      elements.map { attribute, values in
        Facet(
          attribute: attribute, values: values.map { FacetValue(value: $0.key, count: $0.value) })
      })
  }
}

/// One attribute of a result with its values and their counts.
public struct Facet: Sendable, Hashable {
  /// The attribute.
  public var attribute: String
  /// The values, in the server's order.
  public var values: [FacetValue]

  /// Creates a facet.
  public init(attribute: String, values: [FacetValue] = []) {
    self.attribute = attribute
    self.values = values
  }

  /// The count of a value; `nil` if the value is not in ``values``.
  ///
  /// - Complexity: O(*n*) in the number of values. To look up many, use ``counts``.
  public subscript(value: String) -> Int? {
    values.first { $0.value == value }?.count
  }

  /// The counts by value.
  ///
  /// - Complexity: O(*n*) each time, so keep the result to look up many.
  public var counts: [String: Int] {
    Dictionary(values.map { ($0.value, $0.count) }, uniquingKeysWith: { _, last in last })
  }
}

/// One value of a facet and the number of hits with it.
public struct FacetValue: Sendable, Hashable {
  /// The value as text, even for a number or a Boolean.
  public var value: String
  /// The number of hits with the value.
  public var count: Int

  /// Creates a value.
  public init(value: String, count: Int) {
    self.value = value
    self.count = count
  }
}

extension Facets: Codable {
  /// Reads `{attribute: {value: count}}`.
  ///
  /// The decoder of this library keeps the order. With other decoders, which lose it, the
  /// attributes are sorted by name, and the values by descending count and then by name.
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
  /// Reads `{attribute: {value: count}}` in the order of the JSON text.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    try self.init(at: node.index, of: node.document)
  }

  /// Reads `{attribute: {value: count}}` in the order of the JSON text.
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

/// Statistics of the numeric values of a facet among the hits.
public struct FacetStats: Sendable, Hashable, Codable {
  /// The minimum value.
  public var min: Double
  /// The maximum value.
  public var max: Double
  /// The mean, if the server reports it.
  public var avg: Double?
  /// The sum, if the server reports it.
  public var sum: Double?

  /// Creates statistics.
  public init(min: Double, max: Double, avg: Double? = nil, sum: Double? = nil) {
    self.min = min
    self.max = max
    self.avg = avg
    self.sum = sum
  }
}

extension FacetStats {
  /// Reads the statistics; `nil` without a minimum and a maximum.
  init?(_ json: JSON) {
    guard let min = json["min"]?.doubleValue, let max = json["max"]?.doubleValue else {
      return nil
    }
    self.init(min: min, max: max, avg: json["avg"]?.doubleValue, sum: json["sum"]?.doubleValue)
  }

  private enum Member: Int { case min, max, avg, sum }

  private static let keys = JSONKeys([
    Member.min: "min", .max: "max", .avg: "avg", .sum: "sum",
  ])

  /// Reads the statistics from a tape; `nil` without a minimum and a maximum.
  init?(at index: Int, of document: JSONDocument) {
    let members = document.members(Self.keys, ofObjectAt: index)
    guard let min = members[Member.min].flatMap(document.double(at:)),
      let max = members[Member.max].flatMap(document.double(at:))
    else { return nil }
    self.init(
      min: min, max: max, avg: members[Member.avg].flatMap(document.double(at:)),
      sum: members[Member.sum].flatMap(document.double(at:)))
  }

  /// The statistics as a JSON object.
  var json: JSON {
    var members: [String: JSON] = ["min": .double(min), "max": .double(max)]
    if let avg { members["avg"] = .double(avg) }
    if let sum { members["sum"] = .double(sum) }
    return .object(members)
  }
}
