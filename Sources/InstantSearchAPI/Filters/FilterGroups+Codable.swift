// As JSON, groups are a list of objects that name their kind:
//
//     [
//       {"or": "brand", "filters": [{"facet": "brand", "value": "Apple"}]},
//       {"and": "price", "filters": [{"numeric": "price", "operator": ">=", "value": 10}]},
//       {"hierarchical": "categories", "attributes": ["lvl0", "lvl1"],
//        "path": [{"facet": "lvl0", "value": "Audio"}]}
//     ]

extension FilterGroups: Codable {
  private enum Key: String, CodingKey {
    case and, or, hierarchical, filters, attributes, path
  }

  /// Writes the groups that are not empty.
  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for (id, filters) in groups {
      switch id {
      case .and(let name):
        var group = list.nestedContainer(keyedBy: Key.self)
        try group.encode(name, forKey: .and)
        try group.encode(filters, forKey: .filters)
      case .or(let name, _):
        var group = list.nestedContainer(keyedBy: Key.self)
        try group.encode(name, forKey: .or)
        try group.encode(filters, forKey: .filters)
      case .hierarchical: break
      }
    }
    for (name, hierarchy) in hierarchies {
      var group = list.nestedContainer(keyedBy: Key.self)
      try group.encode(name, forKey: .hierarchical)
      try group.encode(hierarchy.attributes, forKey: .attributes)
      try group.encode(hierarchy.path.map(Filter.facet), forKey: .path)
    }
  }

  /// Reads groups.
  ///
  /// - Throws: `DecodingError` for a group without a kind, and for an OR group with filters of
  ///   several kinds.
  public init(from decoder: any Decoder) throws {
    self.init()
    var list = try decoder.unkeyedContainer()
    while !list.isAtEnd {
      let group = try list.nestedContainer(keyedBy: Key.self)
      if let name = try group.decodeIfPresent(String.self, forKey: .hierarchical) {
        let path = try group.decode([Filter].self, forKey: .path)
        let facets = path.compactMap(Filter.Facet.init)
        guard facets.count == path.count else {
          throw DecodingError.dataCorruptedError(
            forKey: .path, in: group, debugDescription: "A path has only facet filters.")
        }
        self[hierarchical: name] = HierarchicalFilters(
          attributes: try group.decode([Attribute].self, forKey: .attributes), path: facets)
        continue
      }
      let filters = try group.decode([Filter].self, forKey: .filters)
      if let name = try group.decodeIfPresent(String.self, forKey: .and) {
        self[and: name].add(contentsOf: filters)
        continue
      }
      let name = try group.decode(String.self, forKey: .or)
      guard Set(filters.map(\.kind)).count <= 1 else {
        throw DecodingError.dataCorruptedError(
          forKey: .filters, in: group,
          debugDescription: "An OR group has only facet filters, numeric filters or tags.")
      }
      switch filters.first?.kind {
      case .facet: self[or: name].add(contentsOf: filters.compactMap(Filter.Facet.init))
      case .numeric:
        self[or: name, Filter.Numeric.self].add(
          contentsOf: filters.compactMap(Filter.Numeric.init))
      case .tag:
        self[or: name, Filter.Tag.self].add(contentsOf: filters.compactMap(Filter.Tag.init))
      case nil: break
      }
    }
  }
}

extension Filter: Codable {
  private enum Key: String, CodingKey {
    case facet, numeric, tag, value, `operator`, from, to, isNegated, score
  }

  /// Writes the filter: its kind and attribute, and its value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .facet(let filter):
      try container.encode(filter.attribute, forKey: .facet)
      switch filter.value {
      case .string(let text): try container.encode(text, forKey: .value)
      case .number(let number): try container.encode(number, forKey: .value)
      case .bool(let bool): try container.encode(bool, forKey: .value)
      }
      try container.encodeIfPresent(filter.score, forKey: .score)
    case .numeric(let filter):
      try container.encode(filter.attribute, forKey: .numeric)
      switch filter.value {
      case .comparison(let sign, let number):
        try container.encode(sign.rawValue, forKey: .operator)
        try container.encode(number, forKey: .value)
      case .range(let range):
        try container.encode(range.lowerBound, forKey: .from)
        try container.encode(range.upperBound, forKey: .to)
      }
    case .tag(let filter):
      try container.encode(filter.value, forKey: .tag)
    }
    if isNegated { try container.encode(true, forKey: .isNegated) }
  }

  /// Reads a filter.
  ///
  /// - Throws: `DecodingError` for one without a kind or a value, with an unknown operator, and for
  ///   a range that starts above its end.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let isNegated = try container.decodeIfPresent(Bool.self, forKey: .isNegated) ?? false
    if let tag = try container.decodeIfPresent(String.self, forKey: .tag) {
      self = .tag(Tag(tag, isNegated: isNegated))
    } else if let attribute = try container.decodeIfPresent(Attribute.self, forKey: .numeric) {
      var filter = Numeric(attribute, .equal, 0, isNegated: isNegated)
      filter.value = try Self.numericValue(in: container)
      self = .numeric(filter)
    } else {
      let attribute = try container.decode(Attribute.self, forKey: .facet)
      self = .facet(
        Filter.Facet(
          attribute, try Self.facetValue(in: container), isNegated: isNegated,
          score: try container.decodeIfPresent(Int.self, forKey: .score)))
    }
  }

  private static func facetValue(in container: KeyedDecodingContainer<Key>) throws
    -> Filter.Facet.Value
  {
    if let bool = try? container.decode(Bool.self, forKey: .value) { return .bool(bool) }
    if let number = try? container.decode(Double.self, forKey: .value) { return .number(number) }
    return .string(try container.decode(String.self, forKey: .value))
  }

  private static func numericValue(
    in container: KeyedDecodingContainer<Key>
  ) throws -> Numeric.Value {
    if let lower = try container.decodeIfPresent(Double.self, forKey: .from) {
      let upper = try container.decode(Double.self, forKey: .to)
      guard lower <= upper else {
        throw DecodingError.dataCorruptedError(
          forKey: .from, in: container, debugDescription: "The range starts above its end.")
      }
      return .range(lower...upper)
    }
    let text = try container.decode(String.self, forKey: .operator)
    guard let sign = Numeric.Operator(rawValue: text) else {
      throw DecodingError.dataCorruptedError(
        forKey: .operator, in: container, debugDescription: "\(text) is not an operator.")
    }
    return .comparison(sign, try container.decode(Double.self, forKey: .value))
  }
}
