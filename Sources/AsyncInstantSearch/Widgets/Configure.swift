/// Parameters that are sent with every search.
///
/// Use it for what the screen needs and no user chooses, such as the attributes of a hit. A search
/// has them while the widget is on the screen; a change of the request of a searcher lasts longer.
public struct Configure: SearchWidget {
  /// A configuration displays its parameters.
  public struct View: Sendable, Hashable {
    /// The parameters.
    public var parameters: SearchQuery
    /// The facets that are counted without their own filters.
    public var disjunctiveFacets: Set<String>
  }

  /// The current parameters.
  public struct Memory: Sendable, Hashable {
    /// The parameters.
    public var parameters: SearchQuery
    /// The facets that are counted without their own filters.
    public var disjunctiveFacets: Set<String>
  }

  /// The initial parameters.
  public let initialMemory: Memory

  /// Creates a configuration.
  ///
  /// - Parameters:
  ///   - parameters: The parameters, which override those of the state.
  ///   - disjunctiveFacets: Facets to count without their own filters. Defaults to none.
  public init(_ parameters: SearchQuery, disjunctiveFacets: Set<String> = []) {
    initialMemory = Memory(parameters: parameters, disjunctiveFacets: disjunctiveFacets)
  }

  /// Replaces everything in the configuration. What other widgets need stays.
  ///
  /// - Parameters:
  ///   - parameters: The parameters, which override those of the state.
  ///   - disjunctiveFacets: Facets to count without their own filters. Defaults to none.
  public func set(
    _ parameters: SearchQuery, disjunctiveFacets: Set<String> = []
  ) -> Action {
    action { target in
      target.memory = Memory(parameters: parameters, disjunctiveFacets: disjunctiveFacets)
      target.state.refine { _ in }
    }
  }

  /// Requests what the widget displays.
  public func declare(
    in parameters: inout WidgetParameters, for state: IndexState, memory: Memory
  ) {
    let facets = (parameters.query.facets ?? []) + (memory.parameters.facets ?? [])
    parameters.query = parameters.query.merging(memory.parameters)
    parameters.query.facets = facets.isEmpty ? nil : facets
    parameters.disjunctiveFacets.formUnion(memory.disjunctiveFacets)
  }

  /// The parameters and the facets that are set now.
  public func view(_ context: WidgetContext<Memory>) -> View {
    View(
      parameters: context.memory.parameters, disjunctiveFacets: context.memory.disjunctiveFacets)
  }
}
