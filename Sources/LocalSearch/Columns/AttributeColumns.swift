import InstantSearchJSON

/// What a segment knows of its records besides their words: facet values, numbers, ranking values,
/// groups and points, each as a column over the documents.
///
/// A class, so that passing it on costs one retain and not one per column.
final class AttributeColumns: Sendable {
  /// How many documents the segment has.
  let count: Int
  /// The attributes of the records, in the order in which they were met; of very many the first.
  let names: [String]
  /// Whether these are all.
  private let hasAllNames: Bool
  /// The same, to be found with the paths above them.
  private let knownPaths: PathTree
  private let facets: [String: FacetColumn]
  private let numbers: [String: NumericColumn]
  private let rankings: [String: RankingColumn]
  private let derivedRankings = Lock<[String: RankingColumn]>([:])
  /// The tags of the records: the values of `_tags`.
  let tags: FacetColumn
  /// The groups by `attributeForDistinct`; `nil` when the index has none.
  let distinct: DistinctColumn?
  /// The points of `_geoloc`.
  let geo: GeoColumn

  init(
    count: Int, names: [String], hasAllNames: Bool, facets: [String: FacetColumn],
    numbers: [String: NumericColumn], rankings: [String: RankingColumn], tags: FacetColumn,
    distinct: DistinctColumn?, geo: GeoColumn, _ checkpoint: Checkpoint
  ) throws {
    self.count = count
    self.names = names
    self.hasAllNames = hasAllNames
    knownPaths = try PathTree(names, checkpoint)
    self.facets = facets
    self.numbers = numbers
    self.rankings = rankings
    self.tags = tags
    self.distinct = distinct
    self.geo = geo
  }

  /// Whether a record has an attribute or something beneath it; with very many attributes every
  /// one may be there.
  func mayHave(_ path: String, _ checkpoint: Checkpoint) throws -> Bool {
    if !hasAllNames { return true }
    let match = try knownPaths.match(path, checkpoint)
    return match.isListed || match.isAbove
  }

  /// The values of a declared attribute; `nil` when it is not declared.
  func facet(_ attribute: String) -> FacetColumn? { facets[attribute] }

  /// The numbers of an attribute; `nil` when no record of the segment has one.
  func numeric(_ attribute: String) -> NumericColumn? { numbers[attribute] }

  /// The attributes with numbers, sorted.
  var numericNames: [String] { numbers.keys.sorted() }

  /// The ranking values of an attribute.
  ///
  /// When the settings do not rank by the attribute, the column is made of its numbers and facet
  /// values, and kept: a document is ranked by its number when it has exactly one, or else by its
  /// only facet value. `nil` when the segment has neither.
  func ranking(_ attribute: String, _ checkpoint: Checkpoint) throws -> RankingColumn? {
    if let column = rankings[attribute] { return column }
    if let column = derivedRankings.withLock({ $0[attribute] }) { return column }
    guard let column = try derivedRanking(attribute, checkpoint) else { return nil }
    derivedRankings.withLock { $0[attribute] = column }
    return column
  }

  private func derivedRanking(
    _ attribute: String, _ checkpoint: Checkpoint
  ) throws -> RankingColumn? {
    let byNumber = try numbers[attribute].map { try $0.ranking(count: count, checkpoint) }
    let byValue = try facets[attribute].map { try RankingColumn($0, checkpoint) }
    guard let byNumber else { return byValue }
    guard let byValue else { return byNumber }
    return try RankingColumn(
      checkpoint.map(0..<count) { byNumber[$0] == .missing ? byValue[$0] : byNumber[$0] },
      checkpoint)
  }

  /// The value by which a document is ranked; see ``ranking(_:_:)``.
  func rankingValue(
    of attribute: String, document: Int, _ checkpoint: Checkpoint
  ) throws -> RankingValue {
    try ranking(attribute, checkpoint)?[document] ?? .missing
  }
}

extension AttributeColumns {
  /// Collects the columns while records are added one after the other.
  ///
  /// The members that records have make a tree of paths. A path says once what its values are
  /// needed for, so that adding a record costs one dictionary look-up per member.
  struct Builder {
    private struct Path {
      var facet: Int?
      var number: Int?
      var ranking: Int?
      var isDistinct = false
      var isGeoloc = false
    }

    /// How many names of attributes are kept to find the one that was meant.
    static let maximumNameCount = 1000
    /// How many bytes they have together.
    private static let maximumNamesSize = 1 << 18
    /// How many bytes the names of attributes with numbers have together; those after them can be
    /// filtered by their numbers only where the settings declare them.
    private static let maximumNumberNamesSize = 1 << 24

    private var tree: AttributePaths
    private var paths = [Path()]
    /// The names that are kept, and how many bytes they have.
    private var names: [String] = []
    private var namesSize = 0
    private var numberNamesSize = 0
    private var facetPlaces: [String: Int] = [:]
    private var numberPlaces: [String: Int] = [:]
    private var rankingPlaces: [String: Int] = [:]
    private var facets: [FacetColumn.Builder] = []
    private var numbers: [[(number: Double, document: UInt32)]] = []
    private var rankings: [[RankingValue]] = []
    private var distinct: DistinctColumn.Builder?
    private var geo = GeoColumn.Builder()
    private let distinctAttribute: String?
    /// The attributes of numeric filters; `nil` for all.
    private let numericAttributes: Set<String>?

    /// Creates a builder for the attributes that the settings name.
    init(settings: IndexSettings) {
      distinctAttribute = settings.attributeForDistinct
      let numeric = NumericDeclaration.all(in: settings)
      numericAttributes = numeric.map { Set($0.keys) }
      if distinctAttribute != nil { distinct = DistinctColumn.Builder() }
      let declarations = FacetDeclaration.all(in: settings)
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
      var listed = Array(facetPlaces.keys) + Array(rankingPlaces.keys)
      listed += numericAttributes ?? []
      if let distinctAttribute { listed.append(distinctAttribute) }
      tree = AttributePaths(listed: listed)
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
        let place = try numberPlace(of: path, checkpoint)
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
    private mutating func numberPlace(of path: Int, _ checkpoint: Checkpoint) throws -> Int? {
      if let place = paths[path].number { return place }
      if let numericAttributes {
        guard let name = tree.shortName(of: path), numericAttributes.contains(name) else {
          return nil
        }
      }
      numberNamesSize += tree.length(of: path)
      guard numericAttributes != nil || numberNamesSize <= Self.maximumNumberNamesSize else {
        return nil
      }
      let name = try tree.name(of: path, checkpoint)
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
      let child = try tree.child(key, of: path, checkpoint)
      guard child == paths.count else { return child }
      var new = Path(isGeoloc: path == AttributePaths.root && key == "_geoloc")
      if let name = tree.shortName(of: child) {
        new.facet = facetPlaces[name]
        new.ranking = rankingPlaces[name]
        new.isDistinct = name == distinctAttribute
      }
      paths.append(new)
      if namesSize <= Self.maximumNamesSize, names.count < Self.maximumNameCount {
        namesSize += tree.length(of: child)
        if namesSize <= Self.maximumNamesSize {
          names.append(try tree.name(of: child, checkpoint))
        }
      }
      return child
    }

    /// The finished columns over so many documents.
    consuming func build(count: Int, _ checkpoint: Checkpoint) throws -> AttributeColumns {
      let facets = facets
      let numbers = numbers
      let rankings = rankings
      let columns = try facetPlaces.mapValues { try facets[$0].build(count: count, checkpoint) }
      return try AttributeColumns(
        count: count,
        names: names,
        hasAllNames: names.count == paths.count - 1,
        facets: columns,
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
        distinct: distinct?.build(count: count, checkpoint),
        geo: geo.build(count: count, checkpoint), checkpoint)
    }
  }
}
