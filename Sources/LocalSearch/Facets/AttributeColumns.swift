import AsyncInstantSearch
import SearchJSON

/// What a segment knows of its records besides their words: facet values, numbers, ranking values,
/// groups and points, each as a column over the documents.
struct AttributeColumns: Sendable {
  /// How many documents the segment has.
  let count: Int
  private let facets: [String: FacetColumn]
  private let facetIndices: [String: Segment]
  private let numbers: [String: NumericColumn]
  private let rankings: [String: RankingColumn]
  /// The tags of the records: the values of `_tags`.
  let tags: FacetColumn
  /// The groups by `attributeForDistinct`; `nil` when the index has none.
  let distinct: DistinctColumn?
  /// The points of `_geoloc`.
  let geo: GeoColumn

  init(
    count: Int, facets: [String: FacetColumn], facetIndices: [String: Segment],
    numbers: [String: NumericColumn],
    rankings: [String: RankingColumn], tags: FacetColumn, distinct: DistinctColumn?, geo: GeoColumn
  ) {
    self.count = count
    self.facets = facets
    self.facetIndices = facetIndices
    self.numbers = numbers
    self.rankings = rankings
    self.tags = tags
    self.distinct = distinct
    self.geo = geo
  }

  /// The values of a declared attribute; `nil` when it is not declared.
  func facet(_ attribute: String) -> FacetColumn? { facets[attribute] }

  /// The index in which the values of a searchable facet are the documents, numbered as in the
  /// column; `nil` when the facet is not searchable.
  func facetIndex(_ attribute: String) -> Segment? { facetIndices[attribute] }

  /// The numbers of an attribute; `nil` when no record of the segment has one.
  func numeric(_ attribute: String) -> NumericColumn? { numbers[attribute] }

  /// The ranking values of an attribute; `nil` when the settings do not rank by it.
  func ranking(_ attribute: String) -> RankingColumn? { rankings[attribute] }

  /// The value by which a document is ranked; missing when the settings do not rank by the attribute.
  func rankingValue(of attribute: String, document: Int) -> RankingValue {
    rankings[attribute]?[document] ?? .missing
  }

  /// The points of a document.
  func points(of document: Int) -> ArraySlice<Point> { geo.points(of: document) }
}
