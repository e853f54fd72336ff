/// Parameters that are sent with every search.
///
/// Use it for parameters that no user selects, such as the attributes of a hit. They apply while
/// the widget is on the screen; a change of a searcher's request lasts longer.
public struct Configure: SearchWidget {
  /// A configuration displays its parameters.
  public typealias View = OpenedParts.Parameters

  /// The initial parameters.
  let initial: View

  /// Creates a configuration.
  ///
  /// - Parameters:
  ///   - parameters: The parameters, which override the parameters of the state.
  ///   - disjunctiveFacets: Facets to count without their own filters. Defaults to none.
  public init(_ parameters: SearchQuery, disjunctiveFacets: Set<String> = []) {
    initial = View(parameters: parameters, disjunctiveFacets: disjunctiveFacets)
  }

  /// Replaces everything in the configuration. The needs of other widgets stay. URLs do not contain
  /// it.
  ///
  /// - Parameters:
  ///   - parameters: The parameters, which override the parameters of the state.
  ///   - disjunctiveFacets: Facets to count without their own filters. Defaults to none.
  public func set(
    _ parameters: SearchQuery, disjunctiveFacets: Set<String> = []
  ) -> Action {
    refining { state in
      state.opened.configured[initial] = View(
        parameters: parameters, disjunctiveFacets: disjunctiveFacets)
    }
  }

  /// Adds the parameters and the facets to the search.
  public func declare(in needs: inout SearchNeeds, for state: IndexState) {
    let current = current(in: state)
    let facets = (needs.query.facets ?? []) + (current.parameters.facets ?? [])
    needs.query = needs.query.merging(current.parameters)
    needs.query.facets = facets.isEmpty ? nil : facets
    needs.disjunctiveFacets.formUnion(current.disjunctiveFacets)
  }

  /// The parameters and the facets that are set now.
  public func view(_ context: Context) -> View { current(in: context.state) }

  private func current(in state: IndexState) -> View { state.opened.configured[initial] ?? initial }
}
