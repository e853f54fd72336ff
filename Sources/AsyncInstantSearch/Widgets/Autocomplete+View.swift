extension Autocomplete {
  /// What an autocomplete displays.
  public struct View: Sendable, Equatable {
    /// The text of the field: the typed text while the list is open, or else the text of the
    /// search.
    public var query = ""
    /// Whether the list is open.
    public var isOpen = false
    /// The sections with items, in order: the earlier searches, then the sources.
    public var sections: [Section] = []
    /// The position of the selected item among all items; `nil` if none is selected.
    public var selection: Int?
    /// Whether a request is running. Until it ends, the items of the previous request are
    /// displayed.
    public var isLoading = false
    /// The error of the newest request; `nil` if it did not fail.
    public var error: SearchError?

    /// The items of all sections, in order.
    public var items: [Item] { sections.flatMap(\.items) }

    /// The selected item; `nil` if none is selected.
    public var selectedItem: Item? {
      let items = items
      return selection.flatMap { items.indices.contains($0) ? items[$0] : nil }
    }

    /// Whether the list is open and there is nothing to suggest, for a line such as "No results".
    public var isEmpty: Bool { isOpen && !isLoading && error == nil && sections.isEmpty }

    /// The rest of the first suggestion after the text, for example to display it in gray after the
    /// cursor; `nil` if no suggestion begins with the text.
    public var completion: String? {
      if query.isEmpty { return nil }
      let texts = sections.filter { $0.source?.isSuggestions == true }.flatMap(\.items)
      return texts.lazy.compactMap { QuerySuggestion(query: $0.text).completion(of: query) }.first
    }
  }

  /// The items of one source.
  public struct Section: Sendable, Equatable {
    /// The source; `nil` for the earlier searches.
    public var source: Source?
    /// The items, at least one.
    public var items: [Item]
    fileprivate var response: SearchAnswer?

    /// The records of the section, which are decoded when they are read first. Without records for
    /// the earlier searches.
    public func page<Record: Decodable & Sendable>(of type: Record.Type) -> HitsPage<Record> {
      response?.readPage(of: type) ?? HitsPage()
    }

    /// Whether both sections have the same items of the same response.
    public static func == (left: Section, right: Section) -> Bool {
      left.source == right.source && left.items == right.items && left.response === right.response
    }
  }

  /// An item of the list.
  public struct Item: Sendable, Hashable {
    /// The text.
    public var text: String
    /// The text with marks: on the untyped rest of a suggestion, and on the matches of a record.
    public var highlighted: HighlightedString
    /// The address of the record's page; `nil` if the text is searched.
    public var url: String?
    /// The record; `nil` for an earlier search.
    public var objectID: String?
  }

  /// The items for the text of the field.
  public func view(_ context: Context) -> View {
    guard let field = field(in: context.state) else {
      return View(query: context.state.query.query ?? "")
    }
    let recent = recentItems(context.memory.recent, matching: field.query)
    let request = request(in: context)
    var view = View(
      query: field.query, isOpen: true,
      isLoading: request != nil && request != context.response?.request)
    if !recent.isEmpty { view.sections.append(Section(items: recent)) }
    switch context.response?.result {
    case .failure(let error): view.error = error
    case .success(.searches(let responses)):
      let shown = Set(recent.map(\.text))
      for (source, response) in zip(sources, responses) {
        let items = response.readPage(of: Hit<JSON>.self).hits.compactMap { item($0, of: source) }
          .filter { !source.isSuggestions || !shown.contains($0.text) }
        if !items.isEmpty {
          view.sections.append(Section(source: source, items: items, response: response))
        }
      }
    default: break
    }
    view.selection = field.selection.flatMap { $0 < view.items.count ? $0 : nil }
    return view
  }

  private func recentItems(_ recent: [String], matching text: String) -> [Item] {
    let items = recent.lazy.compactMap { recent -> Item? in
      guard let rest = QuerySuggestion(query: recent).completion(of: text) else { return nil }
      return Item(
        text: recent,
        highlighted: HighlightedString("\(recent.dropLast(rest.count))<em>\(rest)</em>"))
    }
    return Array(items.prefix(recentLimit))
  }

  /// The item of a record; `nil` if its attribute is not text.
  private func item(_ hit: Hit<JSON>, of source: Source) -> Item? {
    guard let text = hit.object[source.attribute]?.stringValue else { return nil }
    let marked = hit.highlighted(source.attribute) ?? HighlightedString(text)
    return Item(
      text: text, highlighted: source.isSuggestions ? marked.inverted : marked,
      url: source.urlAttribute.flatMap { hit.object[$0]?.stringValue }, objectID: hit.objectID)
  }
}
