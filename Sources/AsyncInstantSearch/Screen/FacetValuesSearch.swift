/// A search for facet values among the records that a hits search matches.
public struct FacetValuesSearch: Sendable, Hashable {
  /// The facet.
  public var attribute: String
  /// How the facet's refinements are joined. Refinements joined by OR do not limit the values.
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
  ///   - plan: The search of hits, which limits the counted records.
  package init(_ values: FacetValuesSearch, in plan: SearchPlan) {
    let attribute = Attribute(values.attribute)
    var request = plan.request
    if values.operator == .or {
      request.filterGroups = request.filterGroups.removingDisjunction(on: attribute)
    }
    // The refinements are in the context, so that `filterGroups` is not needed.
    self.init(
      request.indexName, attribute: attribute, facetQuery: values.text,
      context: SearchPlan(request, needs: plan.needs).hitsQuery,
      maxFacetHits: values.limit)
  }
}
