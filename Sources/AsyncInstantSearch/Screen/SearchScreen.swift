/// The widgets of one or more indices, with the state of their search, as a value.
///
/// Use it with a client for an awaited search; connected to a ``HitsSearcher`` it becomes a
/// ``LiveScreen``.
///
/// ```swift
/// let genres = FacetList(attribute: "genres")
/// let screen = try SearchScreen(
///   indexName: "films", widgets: [SearchBox(), genres, Pagination()])
/// let results = try await client.search(screen, in: screen.read(query: url.query).state)
/// let view = results.view(of: genres)
/// ```
///
/// A screen can contain screens of other indices. Their searches inherit the text, the parameters
/// and the refinements of this screen, unless their own state overrides them.
///
/// It makes all decisions that concern several widgets: the active widgets, their needs, their
/// parts of a URL, and whether results require a second search. A search on a server and a
/// ``HitsSearcher`` both send it events and perform the consequences.
public struct SearchScreen: Sendable {
  /// How the state of the screen is written in a URL.
  public internal(set) var routing: UIState.Mapping
  /// Whether parts of a URL that no widget reads are written again in links.
  public let keepsUnreadParts: Bool
  /// This screen and all nested screens, each after its parent.
  var nodes: [ScreenNode]
  /// The state of the search.
  var status: SearchState { nodes[0].status }
  /// Whether the newest search was answered, and no other is pending.
  var isAnswered = true
  /// Whether a search is scheduled or running.
  var isPending = false
  /// The newest search that was made again because widgets needed other queries.
  var newestRepetition: UInt64 = 0
  /// The consequences of results that changed which widgets are active.
  var activity = Activity()

  var demands = Demands()
  /// Whether facets that are filtered by OR, and hierarchies, have additional queries.
  var isDisjunctive = true
  /// Whether selected values without matching records are included with count 0.
  var keepsSelected = true

  /// The demands of a change's actions on a searcher.
  struct Demands: Sendable {
    /// The effects to perform outside the lock.
    var effects: [@Sendable () -> Void] = []
    /// Whether a text is searched without the debounce.
    var searchesAtOnce = false
  }

  /// The consequences of results that changed which widgets are active.
  struct Activity: Sendable {
    /// The changes of the indices, in order.
    var changes: [(node: Int, change: ScreenNode.ActivityChange)] = []
    /// Whether there were changes since the queries were checked.
    var isUnchecked = false
  }

  /// Creates a screen.
  ///
  /// - Parameters:
  ///   - indexName: The index that is searched at first.
  ///   - indexID: The ID of the index in a ``UIState``. Defaults to the name of the index. Two
  ///     screens of one index need different IDs.
  ///   - widgets: The widgets.
  ///   - indices: The screens of other indices, which inherit the state of this one. Defaults to
  ///     none.
  ///   - routing: How the state is written in a URL. Defaults to keys that begin with the ID of
  ///     their index. The routing of a nested screen has no effect.
  ///   - keepsUnreadParts: Whether links repeat parts of a URL that no widget reads, such as the
  ///     parameters of another program on a page with the routing `singleIndex`. Otherwise
  ///     ``read(query:maximumParameters:)`` reports them. Defaults to `false`.
  /// - Throws: The ``SearchWidget/problem`` of a widget. `invalidRequest` if two widgets read one
  ///   part of the state of the user interface in different forms, if two screens have the same ID,
  ///   if no screen has the ID of `routing`, or if `routing` leaves out an index whose widgets have
  ///   parts.
  public init(
    indexName: String, indexID: String? = nil, widgets: [any SearchWidget],
    indices: [SearchScreen] = [], routing: UIState.Mapping = .simple,
    keepsUnreadParts: Bool = false
  ) throws(SearchError) {
    var node = ScreenNode(indexName: indexName, indexID: indexID ?? indexName, parent: nil)
    for widget in widgets { node.append(makeSlot(widget, id: node.nextID)) }
    self.routing = routing
    self.keepsUnreadParts = keepsUnreadParts
    nodes = [node]
    for screen in indices {
      let first = nodes.count
      nodes += screen.nodes.map { $0.moved(below: $0.parent.map { $0 + first } ?? 0) }
    }
    for slot in node.slots { if let problem = slot.entry.problem { throw problem } }
    for node in nodes { try node.checkParts() }
    let ids = nodes.map(\.indexID)
    if let id = ids.firstRepeated {
      throw SearchError(
        .invalidRequest, "Two indices of the screen have the ID \"\(id)\". Set another indexID.")
    }
    guard case .singleIndex(let id) = routing else { return }
    if !ids.contains(id) {
      throw SearchError(
        .invalidRequest,
        "The routing names the index \"\(id)\", but the screen has \(ids.joined(separator: ", ")).")
    }
    for node in nodes
    where node.indexID != id && node.slots.contains(where: { !$0.entry.parts.isEmpty }) {
      throw SearchError(
        .invalidRequest,
        """
        The routing names only the index "\(id)", so no URL would have what a user selects in \
        "\(node.indexID)". Use the routing `simple`.
        """)
    }
  }

  /// Creates a screen without widgets, for widgets that are connected one by one.
  init(indexName: String) {
    routing = .simple
    keepsUnreadParts = false
    nodes = [ScreenNode(indexName: indexName, indexID: indexName, parent: nil)]
  }

  /// The index that is searched at first.
  public var indexName: String { nodes[0].initial.indexName }

  /// The ID of the index in a ``UIState``.
  public var indexID: String { nodes[0].indexID }

  /// The widgets of this index.
  public var widgets: [any SearchWidget] { nodes[0].slots.map(\.entry.anyWidget) }
}

private func makeSlot(_ widget: some SearchWidget, id: UInt64) -> WidgetSlot {
  WidgetSlot(widget, id: id)
}

extension ScreenNode {
  /// The same node in another screen.
  fileprivate func moved(below parent: Int) -> ScreenNode {
    var node = ScreenNode(indexName: initial.indexName, indexID: indexID, parent: parent)
    for slot in slots { node.append(slot) }
    return node
  }

  /// Throws if two widgets read a part in different forms.
  func checkParts() throws(SearchError) {
    var forms: [PartName: (form: String, widget: any SearchWidget)] = [:]
    for slot in slots {
      for part in slot.entry.parts {
        if let other = forms[part.name], other.form != part.form {
          throw .clash(of: other.widget, and: slot.entry.anyWidget, on: part.name)
        }
        forms[part.name] = (part.form, slot.entry.anyWidget)
      }
    }
  }
}

extension SearchError {
  /// Returns the error for two widgets that read one part of the state of the user interface in
  /// different forms.
  static func clash(
    of first: any SearchWidget, and second: any SearchWidget, on part: PartName
  ) -> SearchError {
    SearchError(
      .invalidRequest,
      """
      A \(type(of: first)) and a \(type(of: second)) read the part \(part) of the state in different \
      ways, so one of them would lose its choice in a URL. Use widgets with equal options, or put \
      them on two screens.
      """)
  }
}

extension [String] {
  fileprivate var firstRepeated: String? {
    var seen: Set<String> = []
    return first { !seen.insert($0).inserted }
  }
}

// MARK: - Searches

extension SearchScreen {
  /// The state of a node and the needs of its widgets, including inherited ones: everything that
  /// the node does not have itself.
  private func search(at position: Int) -> (state: IndexState, needs: SearchNeeds) {
    let node = nodes[position]
    var (state, needs) = (node.state, node.needs)
    guard let parent = node.parent else {
      needs.isDisjunctive = isDisjunctive
      needs.keepsSelected = keepsSelected
      return (state, needs)
    }
    let outer = search(at: parent)
    state.inherit(outer.state)
    return (state, needs.inheriting(outer.needs))
  }

  /// Returns a closure that plans the search of a node in another state.
  func planning(at position: Int) -> @Sendable (IndexState) -> SearchPlan {
    let needs = search(at: position).needs
    let outer = nodes[position].parent.map { search(at: $0).state }
    return { state in
      var state = state
      if let outer { state.inherit(outer) }
      return SearchPlan(SearchRequest(state), needs: needs)
    }
  }

  /// The queries of a node alone.
  package func plan(at position: Int = 0) -> SearchPlan {
    let (state, needs) = search(at: position)
    return SearchPlan(SearchRequest(state), needs: needs, number: nodes[position].number)
  }

  /// The queries of the outermost index and of all nested ones.
  package var wholePlan: SearchPlan {
    var plan = plan()
    plan.nested = nodes.indices.dropFirst().map { self.plan(at: $0) }
    return plan
  }

  /// The widget's own request; `nil` without one.
  package func request<W: SearchWidget>(of widget: W) -> WidgetRequest? {
    let node = nodes[0]
    return node.position(of: widget).flatMap { node.slots[$0].request(in: node.inputs) }
  }

  /// A request of a widget of a node, in the current search.
  package func owned(_ request: WidgetRequest, at position: Int = 0) -> OwnedRequest {
    let call: OwnedRequest.Call =
      switch request {
      case .facetValues(let values):
        .facetValues(FacetRequest(values, in: plan(at: position)))
      case .searches(let requests): .searches(requests)
      case .recommendations(let request): .recommendations(request)
      }
    return OwnedRequest(request: request, node: position, call: call)
  }

  /// The widgets' own requests that have no response yet.
  package func unansweredRequests() -> [OwnedRequest] {
    nodes.indices.flatMap { position in
      let node = nodes[position]
      let inputs = node.inputs
      return node.slots.filter { node.isActive($0.facet) }.compactMap { slot in
        let request = slot.request(in: inputs).map { owned($0, at: position) }
        return request == slot.own.answered ? nil : request
      }
    }
  }
}

/// A widget's own request, with the inputs that it depends on.
package struct OwnedRequest: Sendable, Hashable {
  /// The request to send.
  enum Call: Sendable, Hashable {
    /// Values of a facet, with the search that limits them.
    case facetValues(FacetRequest)
    case searches([SearchRequest<JSON>])
    case recommendations(RecommendationsRequest)
  }

  package let request: WidgetRequest
  /// The position of the index of the widget.
  let node: Int
  let call: Call
}

// MARK: - Views

extension SearchScreen {
  /// The state of the search.
  package var state: IndexState {
    get { nodes[0].state }
    set { nodes[0].change(to: newValue) }
  }

  /// The newest results; `nil` before the first.
  package var results: IndexResults? { nodes[0].results }

  /// Whether an index has a widget.
  package func contains<W: SearchWidget>(_ widget: W, at position: Int = 0) -> Bool {
    nodes[position].position(of: widget) != nil
  }

  /// Whether a widget is active; see ``ScreenResults/isActive(_:)``.
  package func isActive<W: SearchWidget>(_ widget: W, at position: Int = 0) -> Bool {
    let node = nodes[position]
    return node.position(of: widget).map { node.isActive(node.slots[$0].facet) } ?? true
  }

  /// The view of a widget of an index.
  package func view<W: SearchWidget>(of widget: W, at position: Int = 0) -> W.View {
    // Copying a node costs more than many views.
    let table = nodes[position].table
    if let slot = table.position(of: widget),
      let view = view(of: W.self, at: position, in: slot)
    {
      return view
    }
    let inputs = nodes[position].inputs
    return widget.view(
      WidgetContext(widget, state: inputs.state, results: inputs.results, status: status))
  }

  /// The view of the widget in a slot; `nil` if the widget has another type.
  func view<W: SearchWidget>(of type: W.Type, at position: Int, in slot: Int) -> W.View? {
    nodes[position].table.slots[slot].view(of: W.self, nodes[position].inputs)
  }

  /// The state of the user interface of all indices.
  package var uiState: UIState {
    var uiState = UIState()
    for node in nodes { uiState[node.indexID] = node.uiState }
    return uiState
  }
}
