/// A search for values of a facet, of the records that a search of hits finds.
public struct FacetValuesSearch: Sendable, Hashable {
  /// The facet.
  public var attribute: String
  /// How the facet's refinements are joined. Those joined by OR do not limit the values.
  public var `operator`: FacetOperator
  /// A prefix of the values' words.
  public var text: String
  /// The maximum number of values, 1 to 100.
  public var limit: Int

  /// Creates a search.
  public init(attribute: String, operator: FacetOperator, text: String, limit: Int) {
    self.attribute = attribute
    self.operator = `operator`
    self.text = text
    self.limit = limit
  }
}

extension FacetRequest {
  /// Creates the request of a search for values.
  ///
  /// - Parameters:
  ///   - values: The search for values.
  ///   - search: The search of hits, which limits the counted records.
  package init(_ values: FacetValuesSearch, in search: WidgetSearch) {
    let attribute = Attribute(values.attribute)
    var state = search.state
    if values.operator == .or {
      state.filters = state.filters.removingDisjunction(on: attribute)
    }
    // The refinements are in the context, so that `filterGroups` is not needed.
    self.init(
      state.indexName, attribute: attribute, facetQuery: values.text,
      context: IndexQueries(state, parameters: search.parameters).hitsQuery,
      maxFacetHits: values.limit)
  }
}
