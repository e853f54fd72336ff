/// The widgets of one or more indices, with the state of their search, as a value.
///
/// ```swift
/// let genres = FacetList(attribute: "genres")
/// let screen = try SearchScreen(
///   indexName: "films", widgets: [SearchBox(), genres, Pagination()])
/// let results = try await client.search(screen, in: screen.read(query: url.query).state)
/// let view = results.view(of: genres)
/// ```
///
/// A screen can contain screens of other indices. Their searches inherit the state of this one:
/// its text, its parameters and its refinements, where their own state has no others.
///
/// It is the one place that decides what widgets do together: which of them are active, what they
/// need from a search, what a URL shows of them, and whether results make a second search
/// necessary. A search on a server and a ``HitsSearcher`` both send it events and perform what
/// follows.
public struct SearchScreen: Sendable {
  /// How the state of the screen is written in a URL.
  public internal(set) var routing: UIState.Mapping
  /// Whether parts of a URL that no widget reads are written again in links.
  public let keepsUnreadParts: Bool
  /// This screen, and all screens in it, each after the one that contains it.
  var nodes: [ScreenNode]
  /// The state of the search.
  var status: SearchState { nodes[0].status }
  /// Whether the newest search was answered, and no other is pending.
  var isAnswered = true
  /// Whether a search is scheduled or running.
  var isPending = false
  /// The newest search that was made again because widgets needed other queries.
  var newestRepetition: UInt64 = 0
  /// What is to follow from results that have changed which widgets are active.
  var activity = Activity()

  var demands = Demands()
  /// Whether facets that are filtered by OR, and hierarchies, have queries of their own.
  var isDisjunctive = true
  /// Whether selected values without matching records are included with count 0.
  var keepsSelected = true

  /// What the actions of a change demand of a searcher.
  struct Demands: Sendable {
    /// What is left to do without a lock.
    var effects: [@Sendable () -> Void] = []
    /// Whether a text is searched without the debounce.
    var searchesAtOnce = false
  }

  /// What is to follow from results that have changed which widgets are active.
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
  ///     their index. That of a screen in another one has no effect.
  ///   - keepsUnreadParts: Whether parts of a URL that no widget reads are written again in links,
  ///     such as those of another program on a page with the routing `singleIndex`. Otherwise
  ///     ``read(query:maximumParameters:)`` reports them. Defaults to `false`.
  /// - Throws: The ``SearchWidget/problem`` of a widget. `invalidRequest` if two widgets read one
  ///   part of the state of the user interface in different forms, if two screens have the same ID,
  ///   if no screen has the ID of `routing`, or if that leaves out an index whose widgets have
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

  /// A screen without widgets, for those that are connected one by one.
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
  /// Two widgets read one part of the state of the user interface in different forms.
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
  /// The state of a node and what its widgets need, with what it inherits: everything that it does
  /// not have itself.
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

  /// Returns what plans the search of a node in another state than its own.
  func planning(at position: Int) -> @Sendable (IndexState) -> SearchPlan {
    let needs = search(at: position).needs
    let outer = nodes[position].parent.map { search(at: $0).state }
    return { state in
      var state = state
      if let outer { state.inherit(outer) }
      return SearchPlan(SearchRequest(state), needs: needs)
    }
  }

  /// The queries of a node, without those of the others.
  package func plan(at position: Int = 0) -> SearchPlan {
    let (state, needs) = search(at: position)
    return SearchPlan(SearchRequest(state), needs: needs, number: nodes[position].number)
  }

  /// The queries of the outermost index, with those of the others.
  package var wholePlan: SearchPlan {
    var plan = plan()
    plan.nested = nodes.indices.dropFirst().map { self.plan(at: $0) }
    return plan
  }

  /// The request that a widget needs beside the search; `nil` if it needs none.
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

  /// The requests that widgets need beside the search, and that are not answered.
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

/// A request of a widget beside the search, with what it depends on.
package struct OwnedRequest: Sendable, Hashable {
  /// What is sent.
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

// MARK: - What is shown

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

  /// What a widget of an index displays.
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

  /// What the widget in a slot displays; `nil` if it has another type.
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
