/// A search box with suggestions below it: earlier searches, suggested texts, and records of
/// several indices.
///
/// ```swift
/// let autocomplete = Autocomplete(
///   sources: [
///     .suggestions(indexName: "suggestions"),
///     .records(indexName: "films", attribute: "title", urlAttribute: "url"),
///   ],
///   recent: RecentSearches(stored) { store($0) })
/// ```
///
/// The typed text is a separate part of the state: URLs contain it, and it starts no search of the
/// screen, unless the widget `searchesAsYouType`. All suggestions are requested with one call. When
/// a text is submitted or an item is selected, the list is closed and the text is searched. For a
/// text without suggestions use ``SearchBox``.
///
/// The state has the part ``IndexUIState/additional`` `autocomplete` while the list is open, with
/// the members `query` and `selection`. Another change of the search of its index closes the
/// list.
public struct Autocomplete: RoutedWidget, RequestingWidget, RememberingWidget {
  /// An index whose records are suggested.
  public struct Source: Sendable, Hashable {
    /// The index.
    public let indexName: String
    /// The attribute with the displayed text.
    let attribute: String
    /// The attribute with the address of the record's page; `nil` for none.
    let urlAttribute: String?
    /// The maximum number of items.
    let limit: Int
    /// Further parameters of the search.
    let query: SearchQuery
    /// Whether the texts are query suggestions.
    public let isSuggestions: Bool

    /// An index of query suggestions, whose records have the form of ``QuerySuggestion``.
    ///
    /// - Parameters:
    ///   - indexName: The index.
    ///   - limit: The maximum number of items. Defaults to 5.
    ///   - query: Further parameters of the search. Defaults to none.
    public static func suggestions(
      indexName: String, limit: Int = 5, query: SearchQuery = SearchQuery()
    ) -> Source {
      Source(
        indexName: indexName, attribute: "query", urlAttribute: nil, limit: limit, query: query,
        isSuggestions: true)
    }

    /// An index of records.
    ///
    /// - Parameters:
    ///   - indexName: The index.
    ///   - attribute: The attribute with the displayed text, such as a title.
    ///   - urlAttribute: The attribute with the address of the record's page. Defaults to `nil`: a
    ///     selected record is searched by its text, which finds nothing if the searched index has
    ///     no such record.
    ///   - limit: The maximum number of items. Defaults to 5.
    ///   - query: Further parameters of the search. Defaults to none.
    public static func records(
      indexName: String, attribute: String, urlAttribute: String? = nil, limit: Int = 5,
      query: SearchQuery = SearchQuery()
    ) -> Source {
      Source(
        indexName: indexName, attribute: attribute, urlAttribute: urlAttribute, limit: limit,
        query: query, isSuggestions: false)
    }
  }

  /// What an autocomplete remembers: the earlier searches.
  public struct Memory: Sendable, Hashable {
    var recent: [String] = []
  }

  /// The indices, in the order of the sections.
  public let sources: [Source]
  /// The earlier searches; `nil` if none are kept.
  public let recent: RecentSearches?
  /// The maximum number of earlier searches that are displayed.
  let recentLimit: Int
  /// Whether the typed text is searched, too.
  let searchesAsYouType: Bool
  /// The problem with the options; `nil` if they are valid.
  public let problem: SearchError?

  /// Creates an autocomplete.
  ///
  /// - Parameters:
  ///   - sources: The indices, in the order of the sections.
  ///   - recent: The earlier searches, which are the first section. Defaults to `nil`: none are
  ///     kept.
  ///   - recentLimit: The maximum number of earlier searches that are displayed. Defaults to 5.
  ///   - searchesAsYouType: Whether the typed text is searched, too, as with a ``SearchBox``.
  ///     Defaults to `false`: a text is searched when it is submitted.
  ///
  /// It has a ``problem`` if there is nothing to suggest, if the name of an index or of an
  /// attribute is empty, or if a limit is not positive. The limit of a source is 1,000 at most.
  public init(
    sources: [Source], recent: RecentSearches? = nil, recentLimit: Int = 5,
    searchesAsYouType: Bool = false
  ) {
    problem = SearchError.thrown { () throws(SearchError) in
      func check(_ isValid: Bool, _ problem: @autoclosure () -> String) throws(SearchError) {
        if !isValid { throw SearchError(.invalidRequest, "The Autocomplete \(problem())") }
      }
      try check(!sources.isEmpty || recent != nil, "needs a source or earlier searches.")
      try check(recentLimit > 0, "needs a positive recentLimit.")
      for source in sources {
        try check(!source.indexName.isEmpty, "has a source without an indexName.")
        try check(!source.attribute.isEmpty, "has a source without an attribute.")
        try check(
          (1...1_000).contains(source.limit),
          "needs a limit of \"\(source.indexName)\" between 1 and 1,000.")
      }
    }
    self.sources = sources
    self.recent = recent
    self.recentLimit = max(0, recentLimit)
    self.searchesAsYouType = searchesAsYouType
  }

  // MARK: Actions

  /// Sets the text of the field, as it is typed, and opens the list.
  public func setQuery(_ text: String) -> Action {
    action { context in
      if searchesAsYouType { context.state.refine { $0.query.query = text } }
      setField(Field(query: text), in: &context.state)
    }
  }

  /// Opens the list with the text of the search, as when the field is focused.
  public func open() -> Action {
    action { context in
      if field(in: context.state) != nil { return }
      setField(Field(query: context.state.query.query ?? ""), in: &context.state)
    }
  }

  /// Closes the list without a search. The field displays the text of the search again.
  public func close() -> Action {
    action { setField(nil, in: &$0.state) }
  }

  /// Selects the next item, as with the arrow key downward. After the last item none is selected,
  /// then the first one again.
  public func selectNext() -> Action { select { $0.map { $0 + 1 } ?? 0 } }

  /// Selects the previous item, as with the arrow key upward.
  public func selectPrevious() -> Action { select { $0.map { $0 - 1 } } }

  private func select(_ move: @escaping @Sendable (Int?) -> Int?) -> Action {
    action { context in
      let view = view(context)
      guard var field = field(in: context.state), !view.items.isEmpty else { return }
      // Upward from the field is the last item.
      let next = view.selection == nil ? move(nil) ?? view.items.count - 1 : move(view.selection)
      field.selection = next.flatMap { view.items.indices.contains($0) ? $0 : nil }
      setField(field, in: &context.state)
    }
  }

  /// Selects the selected item, or else searches the text of the field, and closes the list.
  public func submit() -> Action {
    action { context in
      let view = view(context)
      if let item = view.selectedItem {
        choose(item, in: &context)
      } else {
        search(view.query, in: &context)
      }
    }
  }

  /// Searches the text of an item, and closes the list. An item with a ``Item/url`` only closes it:
  /// the application shows that page.
  public func choose(_ item: Item) -> Action {
    action { choose(item, in: &$0) }
  }

  private func choose(_ item: Item, in context: inout Context) {
    if item.url == nil {
      search(item.text, in: &context)
    } else {
      setField(nil, in: &context.state)
    }
  }

  /// Forgets an earlier search.
  public func removeRecent(_ text: String) -> Action {
    changingRecent {
      $0.removing(text)
    } in: {
      $0.remove(text)
    }
  }

  /// Forgets all earlier searches.
  public func removeAllRecent() -> Action {
    changingRecent { _ in
      []
    } in: {
      $0.removeAll()
    }
  }

  private func search(_ text: String, in context: inout Context) {
    setField(nil, in: &context.state)
    context.searchesAtOnce = true
    context.state.refine { $0.query.query = text }
    guard let recent else { return }
    context.memory.recent = recent.searches.inserting(text, limit: recent.limit)
    context.effects.append { recent.insert(text) }
  }

  private func changingRecent(
    _ change: @escaping @Sendable ([String]) -> [String],
    in store: @escaping @Sendable (RecentSearches) -> Void
  ) -> Action {
    action { context in
      guard let recent else { return }
      context.memory.recent = change(recent.searches)
      context.effects.append { store(recent) }
    }
  }

  // MARK: Memory and request

  /// The earlier searches at first.
  public var initialMemory: Memory { Memory(recent: recent?.searches ?? []) }

  /// Reads the earlier searches again, which another widget may have changed.
  public func receive(_ results: IndexResults, memory: inout Memory) { memory = initialMemory }

  /// The request for all sources; `nil` while the list is closed.
  public func request(in context: Context) -> WidgetRequest? {
    guard let field = field(in: context.state), !sources.isEmpty else { return nil }
    return .searches(
      sources.map { source in
        var query = source.query
        query.query = field.query
        query.hitsPerPage = source.limit
        return SearchRequest(source.indexName, query)
      })
  }

  // MARK: The state of the user interface

  /// The open field: its text, and the position of the selected item.
  struct Field: Sendable, Hashable {
    var query: String
    var selection: Int?
  }

  private static let name = OpenedParts.autocompleteName

  func field(in state: IndexState) -> Field? {
    state.opened.additional[Self.name].flatMap(field)
  }

  private func field(_ value: RouteValue) -> Field? {
    guard case .object(let members) = value else { return nil }
    func text(_ name: String) -> String? {
      if case .text(let text)? = members[name] { text } else { nil }
    }
    return Field(
      query: text("query") ?? "",
      selection: text("selection").flatMap(Int.init).flatMap { $0 >= 0 ? $0 : nil })
  }

  private func setField(_ field: Field?, in state: inout IndexState) {
    state.opened.additional[Self.name] = field.map { field in
      var members = ["query": RouteValue.text(field.query)]
      if let selection = field.selection { members["selection"] = .text("\(selection)") }
      return .object(members)
    }
  }

  /// The parts of the state of the user interface: the text of the search, and the open field.
  public var parts: [WidgetPart] {
    let open = WidgetPart(Self.name, form: "\(sources)") { state in
      state.opened.additional[Self.name]
    } read: { value, state in
      setField(value.flatMap(field), in: &state)
    }
    return [.query, open]
  }
}
