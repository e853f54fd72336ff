import InstantSearchJSON

/// The columns of a segment: facet values, numbers, ranking values, groups and points by document.
///
/// A class, so that passing it costs one retain instead of one per column.
final class AttributeColumns: Sendable {
  /// The number of documents of the segment.
  let count: Int
  /// The attributes of the records, in the order of their first occurrence. Truncated if there are
  /// too many.
  let names: [String]
  /// Whether ``names`` has all attributes.
  let hasAllNames: Bool
  /// The attributes, for lookups with the paths above them.
  private let knownPaths: PathTree
  let facets: [String: FacetColumn]
  let numbers: [String: NumericColumn]
  let rankings: [String: RankingColumn]
  private let derivedRankings = Lock<[String: RankingColumn]>([:])
  /// The tags of the records: the values of `_tags`.
  let tags: FacetColumn
  /// The groups by `attributeForDistinct`, or `nil` without this setting.
  let distinct: DistinctColumn?
  /// The points of `_geoloc`.
  let geo: GeoColumn

  init(
    count: Int, names: [String], hasAllNames: Bool, facets: [String: FacetColumn],
    numbers: [String: NumericColumn], rankings: [String: RankingColumn], tags: FacetColumn,
    distinct: DistinctColumn?, geo: GeoColumn, _ cancellation: CancellationCheck
  ) throws {
    self.count = count
    self.names = names
    self.hasAllNames = hasAllNames
    knownPaths = try PathTree(names, cancellation)
    self.facets = facets
    self.numbers = numbers
    self.rankings = rankings
    self.tags = tags
    self.distinct = distinct
    self.geo = geo
  }

  /// Whether a record has an attribute or something below it. With very many attributes, always
  /// `true`.
  func mayHave(_ path: String, _ cancellation: CancellationCheck) throws -> Bool {
    if !hasAllNames { return true }
    let match = try knownPaths.match(path, cancellation)
    return match.isListed || match.isAbove
  }

  /// Returns the values of an attribute, or `nil` if it is not declared as a facet.
  func facet(_ attribute: String) -> FacetColumn? { facets[attribute] }

  /// Returns the numbers of an attribute, or `nil` if no record of the segment has any.
  func numeric(_ attribute: String) -> NumericColumn? { numbers[attribute] }

  /// The attributes with numbers, sorted.
  var numericNames: [String] { numbers.keys.sorted() }

  /// Returns the ranking values of an attribute.
  ///
  /// If the settings do not rank by the attribute, its column is made from its numbers and facet
  /// values, and kept. Then a document ranks by its number if it has exactly one, otherwise by its
  /// only facet value. Returns `nil` if the segment has neither.
  func ranking(_ attribute: String, _ cancellation: CancellationCheck) throws -> RankingColumn? {
    if let column = rankings[attribute] { return column }
    if let column = derivedRankings.withLock({ $0[attribute] }) { return column }
    guard let column = try derivedRanking(attribute, cancellation) else { return nil }
    derivedRankings.withLock { $0[attribute] = column }
    return column
  }

  private func derivedRanking(
    _ attribute: String, _ cancellation: CancellationCheck
  ) throws -> RankingColumn? {
    let byNumber = try numbers[attribute].map { try $0.ranking(count: count, cancellation) }
    let byValue = try facets[attribute].map { try RankingColumn($0, cancellation) }
    guard let byNumber else { return byValue }
    guard let byValue else { return byNumber }
    return try RankingColumn(
      cancellation.map(0..<count) { byNumber[$0] == .missing ? byValue[$0] : byNumber[$0] },
      cancellation)
  }

  /// Returns the value by which a document ranks. See ``ranking(_:_:)``.
  func rankingValue(
    of attribute: String, document: Int, _ cancellation: CancellationCheck
  ) throws -> RankingValue {
    try ranking(attribute, cancellation)?[document] ?? .missing
  }
}

extension AttributeColumns {
  /// Collects the columns while records are added in order.
  ///
  /// The members of records form a tree of paths. A path knows the columns of its values, so a
  /// record costs one dictionary lookup per member.
  struct Builder {
    private struct Path {
      /// Whether a record was added that has the path.
      var isKnown = false
      var facet: UInt32?
      var number: UInt32?
      var ranking: UInt32?
      var isDistinct = false
      var isGeoloc = false
    }

    /// The maximum number of attribute names that are kept for hints.
    static let maximumNameCount = 1000
    /// The maximum length of these names, in bytes.
    private static let maximumNamesSize = 1 << 18
    /// The maximum length of the names of attributes with numbers, in bytes. Later attributes can
    /// be filtered by numbers only if the settings declare them.
    private static let maximumNumberNamesSize = 1 << 24

    /// The attributes of the settings.
    let listed: [String]
    /// The state of each path, by its number in the tree.
    private var paths = [Path()]
    private var knownPathCount = 0
    /// The names that are kept, and their length in bytes.
    private var names: [String] = []
    private var namesSize = 0
    private var numberNamesSize = 0
    private var facetColumnIndices: [String: Int] = [:]
    private var numericColumnIndices: [String: Int] = [:]
    private var rankingColumnIndices: [String: Int] = [:]
    private let cancellation: CancellationCheck
    private var facets: [FacetColumn.Builder] = []
    private var numbers: [NumericColumn.Builder] = []
    private var rankings: [[RankingValue]] = []
    private var distinct: DistinctColumn.Builder?
    private var geo: GeoColumn.Builder
    private let distinctAttribute: String?
    /// The attributes for numeric filters, or `nil` for all.
    private let numericAttributes: Set<String>?

    /// Creates a builder for the attributes of the settings.
    init(settings: IndexSettings, _ cancellation: CancellationCheck) {
      self.cancellation = cancellation
      geo = GeoColumn.Builder(cancellation)
      distinctAttribute = settings.attributeForDistinct
      let numeric = NumericDeclaration.all(in: settings)
      numericAttributes = numeric.map { Set($0.keys) }
      if distinctAttribute != nil { distinct = DistinctColumn.Builder(cancellation) }
      let declarations = FacetDeclaration.all(in: settings)
      for attribute in declarations.map(\.attribute) + ["_tags"]
      where facetColumnIndices[attribute] == nil {
        facetColumnIndices[attribute] = facets.count
        facets.append(FacetColumn.Builder(cancellation))
      }
      for text in settings.ranking + settings.customRanking {
        guard let attribute = SortCriterion(text)?.attribute,
          rankingColumnIndices[attribute] == nil
        else { continue }
        rankingColumnIndices[attribute] = rankings.count
        rankings.append([])
      }
      var listed = Array(facetColumnIndices.keys) + Array(rankingColumnIndices.keys)
      listed += numericAttributes ?? []
      if let distinctAttribute { listed.append(distinctAttribute) }
      self.listed = listed
    }

    /// Adds a record. Documents must have ascending numbers.
    ///
    /// - Parameter tree: The paths of all records, which has ``listed``.
    mutating func add(document: Int, record: JSONNode, in tree: inout AttributePaths) throws {
      try add(
        record, at: AttributePaths.root, of: &tree, document: document, isElement: false)
    }

    private mutating func add(
      _ node: JSONNode, at path: Int, of tree: inout AttributePaths, document: Int,
      isElement: Bool
    ) throws {
      try cancellation.count()
      if paths[path].isGeoloc {
        try geo.add(document: document, geoloc: node)
        return
      }
      switch node.kind {
      case .object:
        for member in node.members where !member.isSuperseded {
          let child = try child(member.key, of: path, in: &tree)
          try add(
            member.value, at: child, of: &tree, document: document, isElement: isElement)
        }
      case .array:
        for element in node.elements {
          try add(
            element, at: path, of: &tree, document: document, isElement: true)
        }
      case .null: break
      case .number, .string, .bool:
        try addScalar(
          node, at: path, of: tree, document: document, isElement: isElement)
      }
    }

    private mutating func addScalar(
      _ node: JSONNode, at path: Int, of tree: AttributePaths, document: Int, isElement: Bool
    ) throws {
      if let facet = paths[path].facet {
        try facets[Int(facet)].add(document: document, node)
      }
      if node.kind == .number, let number = node.double, number.isFinite,
        let column = try numericColumnIndex(of: path, in: tree)
      {
        numbers[column].add(number, document: document)
      }
      if paths[path].isDistinct { try distinct?.add(document: document, value: node) }
      // An attribute inside an array has many values, and so none for ranking.
      if isElement { return }
      if let column = paths[path].ranking.map({ Int($0) }), rankings[column].count <= document {
        rankings[column].append(
          contentsOf: repeatElement(.missing, count: document - rankings[column].count))
        rankings[column].append(RankingValue(node))
      }
    }

    /// Returns the index of the numeric column of a path, which is created for its first number.
    private mutating func numericColumnIndex(of path: Int, in tree: AttributePaths) throws -> Int? {
      if let column = paths[path].number { return Int(column) }
      if let numericAttributes {
        guard let name = tree.shortName(of: path), numericAttributes.contains(name) else {
          return nil
        }
      }
      numberNamesSize += tree.length(of: path)
      guard numericAttributes != nil || numberNamesSize <= Self.maximumNumberNamesSize else {
        return nil
      }
      let name = try tree.name(of: path, cancellation)
      let column = numericColumnIndices[name] ?? numbers.count
      if column == numbers.count {
        numericColumnIndices[name] = column
        numbers.append(NumericColumn.Builder(cancellation))
      }
      paths[path].number = UInt32(clamping: column)
      return column
    }

    private mutating func child(
      _ key: String, of path: Int, in tree: inout AttributePaths
    ) throws -> Int {
      let child = try tree.child(key, of: path, cancellation)
      // The text index can have added paths that this builder does not read.
      while paths.count <= child { paths.append(Path()) }
      if paths[child].isKnown { return child }
      var new = Path(
        isKnown: true, isGeoloc: path == AttributePaths.root && key == "_geoloc")
      if let name = tree.shortName(of: child) {
        new.facet = facetColumnIndices[name].map { UInt32(clamping: $0) }
        new.ranking = rankingColumnIndices[name].map { UInt32(clamping: $0) }
        new.isDistinct = name == distinctAttribute
      }
      paths[child] = new
      knownPathCount += 1
      if namesSize <= Self.maximumNamesSize, names.count < Self.maximumNameCount {
        namesSize += tree.length(of: child)
        if namesSize <= Self.maximumNamesSize {
          names.append(try tree.name(of: child, cancellation))
        }
      }
      return child
    }

    /// Returns the finished columns for a number of documents.
    consuming func build(count: Int) throws -> AttributeColumns {
      paths = []
      var facets = facets
      self.facets = []
      var numbers = numbers
      self.numbers = []
      let rankings = rankings
      let columns = try facetColumnIndices.mapValues {
        try facets[$0].build(count: count)
      }
      return try AttributeColumns(
        count: count,
        names: names,
        hasAllNames: names.count == knownPathCount,
        facets: columns,
        numbers: numericColumnIndices.mapValues {
          try numbers[$0].build(count: count)
        },
        rankings: rankingColumnIndices.mapValues { column in
          let values = rankings[column]
          let missing = count - values.count
          return try RankingColumn(
            missing > 0 ? values + Array(repeating: .missing, count: missing) : values, cancellation
          )
        },
        // There is always a builder of tags.
        tags: columns["_tags"] ?? FacetColumn(values: [], pairs: [], count: count, cancellation),
        distinct: distinct?.build(count: count),
        geo: geo.build(count: count), cancellation)
    }
  }
}
