import AsyncInstantSearch
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
  private let facetIndices: [String: Segment]
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
    facetIndices: [String: Segment], numbers: [String: NumericColumn],
    rankings: [String: RankingColumn], tags: FacetColumn, distinct: DistinctColumn?, geo: GeoColumn,
    _ checkpoint: Checkpoint
  ) throws {
    self.count = count
    self.names = names
    self.hasAllNames = hasAllNames
    knownPaths = try PathTree(names, checkpoint)
    self.facets = facets
    self.facetIndices = facetIndices
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

  /// The index in which the values of a searchable facet are the documents, numbered as in the
  /// column; `nil` when the facet is not searchable.
  func facetIndex(_ attribute: String) -> Segment? { facetIndices[attribute] }

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

  /// The points of a document.
  func points(of document: Int) -> ArraySlice<Point> { geo.points(of: document) }
}
