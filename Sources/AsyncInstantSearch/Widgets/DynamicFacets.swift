/// The facets to display, in the order of the server.
///
/// The application has a widget for each facet that it knows, and creates others from the view. A
/// widget of a managed facet is inactive while the newest results do not list the facet: it needs,
/// completes, reads and writes nothing, its refinements are removed, and its actions throw
/// `invalidRequest`.
public struct DynamicFacets: SearchWidget {
  /// What dynamic facets display.
  public struct View: Sendable, Hashable {
    /// The facets to display, in order; empty before the first results.
    public var attributes: [String] = []
  }

  /// What dynamic facets remember.
  public struct Memory: Sendable, Hashable {
    /// The facets that the newest results list.
    public var attributes: [String] = []

    /// Creates the initial memory.
    public init() {}
  }

  /// What the widget remembers at first.
  public var initialMemory: Memory { Memory() }

  /// The facets whose widgets are active only while they are listed; `nil` for all facets.
  public let managed: Set<String>?
  /// The facets whose values are requested.
  public let facets: [String]
  /// The number of values that are requested of each facet.
  public let maxValuesPerFacet: Int

  /// Creates dynamic facets.
  ///
  /// - Parameters:
  ///   - managed: The facets whose widgets are active only while they are listed. Defaults to all
  ///     facets.
  ///   - facets: The facets whose values are requested. Defaults to all facets, so that a facet
  ///     that is listed needs no second search.
  ///   - maxValuesPerFacet: The number of values that are requested of each facet. Defaults to 20.
  /// - Throws: `invalidRequest` if `maxValuesPerFacet` is not positive.
  public init(
    managing managed: Set<String>? = nil, facets: [String] = ["*"], maxValuesPerFacet: Int = 20
  ) throws(SearchError) {
    guard maxValuesPerFacet > 0 else {
      throw SearchError(
        .invalidRequest,
        "The maxValuesPerFacet of DynamicFacets must be positive, and is \(maxValuesPerFacet).")
    }
    self.managed = managed
    self.facets = facets
    self.maxValuesPerFacet = maxValuesPerFacet
  }

  /// Whether widgets of a facet are inactive.
  public func deactivates(_ facet: String, memory: Memory) -> Bool {
    managed?.contains(facet) != false && !memory.attributes.contains(facet)
  }

  /// Requests what the widget displays.
  public func declare(
    in parameters: inout WidgetParameters, for state: IndexState, memory: Memory
  ) {
    parameters.conjunctiveFacets.formUnion(facets)
    parameters.requireValuesPerFacet(maxValuesPerFacet)
  }

  /// Remembers what the view needs of new results.
  public func receive(_ results: IndexResults, memory: inout Memory) {
    memory.attributes = Self.attributes(of: results)
  }

  /// The facets that the newest results list, in their order.
  public func view(_ context: WidgetContext<Memory>) -> View {
    View(attributes: context.results.map(Self.attributes) ?? [])
  }

  private static func attributes(of results: IndexResults) -> [String] {
    results.page.renderingContent?.facetOrdering?.facets?.order ?? []
  }
}

extension SearchError {
  /// A widget is inactive because the newest results do not list its facet.
  static func inactive<W: SearchWidget>(_ widget: W.Type, _ facet: String) -> SearchError {
    SearchError(
      .invalidRequest,
      """
      The \(W.self) of "\(facet)" is inactive, because the newest results do not list the facet. \
      Show only the widgets of the facets in the view of the DynamicFacets.
      """)
  }
}
