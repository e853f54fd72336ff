import InstantSearchJSON

extension AttributeColumns {
  /// Collects the columns while records are added one after the other.
  ///
  /// The members that records have make a tree of paths. A path says once what its values are
  /// needed for, so that adding a record costs one dictionary look-up per member.
  struct Builder {
    private struct Path {
      var name: String
      var children: [String: Int] = [:]
      var facet: Int?
      var number: Int?
      var ranking: Int?
      var isDistinct = false
      var isGeoloc = false
    }

    /// How many names of attributes are kept to find the one that was meant.
    static let maximumNameCount = 1000

    private var paths: [Path]
    private var facetPlaces: [String: Int] = [:]
    private var numberPlaces: [String: Int] = [:]
    private var rankingPlaces: [String: Int] = [:]
    private var facets: [FacetColumn.Builder] = []
    private var numbers: [[(number: Double, document: UInt32)]] = []
    private var rankings: [[RankingValue]] = []
    private var distinct: DistinctColumn.Builder?
    private var geo = GeoColumn.Builder()
    private let distinctAttribute: String?
    private let settings: IndexSettings
    private let searchableFacets: [String]
    /// The attributes of numeric filters; `nil` for all.
    private let numericAttributes: Set<String>?

    /// Creates a builder for the attributes that the settings name.
    init(settings: IndexSettings) {
      paths = [Path(name: "")]
      distinctAttribute = settings.attributeForDistinct
      let numeric = NumericDeclaration.all(in: settings)
      numericAttributes = numeric.map { Set($0.keys) }
      if distinctAttribute != nil { distinct = DistinctColumn.Builder() }
      let declarations = FacetDeclaration.all(in: settings)
      self.settings = settings
      searchableFacets = declarations.filter(\.isSearchable).map(\.attribute)
      for attribute in declarations.map(\.attribute) + ["_tags"]
      where facetPlaces[attribute] == nil {
        facetPlaces[attribute] = facets.count
        facets.append(FacetColumn.Builder())
      }
      for text in settings.ranking + settings.customRanking {
        guard let attribute = SortCriterion(text)?.attribute,
          rankingPlaces[attribute] == nil
        else { continue }
        rankingPlaces[attribute] = rankings.count
        rankings.append([])
      }
    }

    /// Adds a record; documents come in ascending order.
    mutating func add(document: Int, record: JSONNode, _ checkpoint: Checkpoint) throws {
      try add(record, at: 0, document: document, isElement: false, checkpoint)
    }

    private mutating func add(
      _ node: JSONNode, at path: Int, document: Int, isElement: Bool, _ checkpoint: Checkpoint
    ) throws {
      try checkpoint.count()
      if paths[path].isGeoloc {
        try geo.add(document: document, geoloc: node, checkpoint)
        return
      }
      switch node.kind {
      case .object:
        for member in node.members where !member.isSuperseded {
          let child = try child(member.key, of: path, checkpoint)
          try add(
            member.value, at: child, document: document, isElement: isElement, checkpoint)
        }
      case .array:
        for element in node.elements {
          try add(element, at: path, document: document, isElement: true, checkpoint)
        }
      case .null: break
      case .number, .string, .bool:
        try addScalar(node, at: path, document: document, isElement: isElement, checkpoint)
      }
    }

    private mutating func addScalar(
      _ node: JSONNode, at path: Int, document: Int, isElement: Bool, _ checkpoint: Checkpoint
    ) throws {
      if let facet = paths[path].facet {
        try facets[facet].add(document: document, node, checkpoint)
      }
      if node.kind == .number, let number = node.double, number.isFinite,
        let place = numberPlace(of: path)
      {
        numbers[place].append((number, UInt32(clamping: document)))
      }
      // An attribute inside an array has many values, so none to rank or to group by.
      if isElement { return }
      if let place = paths[path].ranking, rankings[place].count <= document {
        rankings[place].append(
          contentsOf: repeatElement(.missing, count: document - rankings[place].count))
        rankings[place].append(RankingValue(node))
      }
      if paths[path].isDistinct { try distinct?.add(document: document, value: node, checkpoint) }
    }

    /// The column of the numbers of a path, made when the first number is met.
    private mutating func numberPlace(of path: Int) -> Int? {
      if let place = paths[path].number { return place }
      let name = paths[path].name
      if let numericAttributes, !numericAttributes.contains(name) { return nil }
      let place = numberPlaces[name] ?? numbers.count
      if place == numbers.count {
        numberPlaces[name] = place
        numbers.append([])
      }
      paths[path].number = place
      return place
    }

    private mutating func child(
      _ key: String, of path: Int, _ checkpoint: Checkpoint
    ) throws -> Int {
      if let child = paths[path].children[key] { return child }
      try checkpoint.count(bytes: paths[path].name.utf8.count + key.utf8.count)
      let name = path == 0 ? key : paths[path].name + "." + key
      let child = paths.count
      paths[path].children[key] = child
      paths.append(
        Path(
          name: name, facet: facetPlaces[name], ranking: rankingPlaces[name],
          isDistinct: name == distinctAttribute, isGeoloc: path == 0 && key == "_geoloc"))
      return child
    }

    /// The finished columns over so many documents.
    consuming func build(count: Int, _ checkpoint: Checkpoint) throws -> AttributeColumns {
      let facets = facets
      let numbers = numbers
      let rankings = rankings
      let columns = try facetPlaces.mapValues { try facets[$0].build(count: count, checkpoint) }
      var indices: [String: Segment] = [:]
      for attribute in searchableFacets {
        indices[attribute] = try columns[attribute].map {
          try FacetValueIndex.build($0, settings: settings, checkpoint)
        }
      }
      return try AttributeColumns(
        count: count,
        names: paths.dropFirst().prefix(Self.maximumNameCount).map(\.name),
        facets: columns,
        facetIndices: indices,
        numbers: numberPlaces.mapValues {
          try NumericColumn(numbers[$0], count: count, checkpoint)
        },
        rankings: rankingPlaces.mapValues { place in
          let values = rankings[place]
          let missing = count - values.count
          return try RankingColumn(
            missing > 0 ? values + Array(repeating: .missing, count: missing) : values, checkpoint)
        },
        tags: columns["_tags"] ?? FacetColumn.Builder().build(count: count, checkpoint),
        distinct: distinct?.build(count: count),
        geo: geo.build(count: count, checkpoint), checkpoint)
    }
  }
}
