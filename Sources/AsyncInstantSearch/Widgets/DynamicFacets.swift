/// The facets to display, in the order of the server.
///
/// Use it if the server selects the facets; for fixed facets, widgets such as ``FacetList`` are
/// enough.
///
/// The application has a widget for each facet that it knows, and creates others from the view. A
/// widget of a managed facet is inactive while the newest results do not list the facet: it has no
/// needs, reads and writes no part of the state, its refinements are removed, and its actions throw
/// `invalidRequest`.
public struct DynamicFacets: ActivatingWidget {
  /// What dynamic facets display.
  public struct View: Sendable, Hashable {
    /// The facets to display, in order; empty before the first results.
    public var attributes: [String] = []
  }

  /// The facets whose widgets are active only while they are listed; `nil` for all facets.
  public let managed: Set<String>?
  /// The facets whose values are requested.
  public let facets: [String]
  /// The number of values that are requested of each facet.
  public let maxValuesPerFacet: Int
  /// The problem with the options; `nil` if they are valid.
  public let problem: SearchError?

  /// Creates dynamic facets.
  ///
  /// - Parameters:
  ///   - managed: The facets whose widgets are active only while they are listed. Defaults to all
  ///     facets.
  ///   - facets: The facets whose values are requested. Defaults to all facets, so that a facet
  ///     that is listed needs no second search.
  ///   - maxValuesPerFacet: The number of values that are requested of each facet. Defaults to 20.
  ///
  /// It has a ``problem`` if `maxValuesPerFacet` is not between 1 and 1,000.
  public init(
    managing managed: Set<String>? = nil, facets: [String] = ["*"], maxValuesPerFacet: Int = 20
  ) {
    problem = SearchError.thrown { () throws(SearchError) in
      guard (1...FacetLimits.maximum).contains(maxValuesPerFacet) else {
        throw SearchError(
          .invalidRequest,
          """
          The maxValuesPerFacet of DynamicFacets must be between 1 and 1,000, and is \
          \(maxValuesPerFacet).
          """)
      }
    }
    self.managed = managed
    self.facets = facets
    self.maxValuesPerFacet = maxValuesPerFacet
  }

  /// Whether the widgets of a facet are active only while results list it.
  package func manages(_ facet: String) -> Bool { managed?.contains(facet) != false }

  /// Adds the needs of the widget.
  public func declare(in needs: inout SearchNeeds, for state: IndexState) {
    needs.conjunctiveFacets.formUnion(facets)
    needs.requireValuesPerFacet(maxValuesPerFacet)
  }

  /// The facets that the newest results list, in their order.
  public func view(_ context: Context) -> View {
    View(attributes: context.results?.listedFacets ?? [])
  }
}
