import AsyncInstantSearch

/// The parts of the page that change with the search, by the ID of their element.
typealias Regions = [String: HTML]

/// Renders what a screen displays. It renders the first page, without JavaScript, and each update
/// of a live one.
struct FilmsRenderer: Sendable {
  let films: FilmsScreen
  let results: ScreenResults
  /// The path of the page.
  static let path = "/films"

  /// All regions of the page.
  func regions() throws -> Regions {
    [
      "box-fields": hidden(without: films.box),
      "suggestions": try suggestions,
      "status": status,
      "chosen": try chosen,
      "path": try breadcrumb,
      "order": try order,
      "sizes": try sizes,
      "hits": hits,
      "pages": try pages,
      "summary": summary,
      "genres": try values(films.genres, films.genres.attribute),
      "directors": try values(films.directors, films.directors.attribute),
      "directors-fields": hidden(without: films.directors, part: "facetQuery"),
      "places": try tree(results.view(of: films.places).items)
        + more(
          "places", results.view(of: films.places).canToggleShowMore,
          results.view(of: films.places).isShowingMore, films.places.toggleShowMore()),
      "decades": try decades,
      "oscars": try oscars,
      "years-fields": hidden(without: films.years),
    ]
  }

  /// The query of the URL.
  var query: String { query(of: results.uiState) }

  /// The query of a state, without the open list of suggestions, which no URL needs.
  private func query(of uiState: UIState) -> String {
    var uiState = uiState
    uiState[FilmsCatalogue.films].additional["autocomplete"] = nil
    return films.screen.query(of: uiState)
  }

  // MARK: Links and fields

  /// A link to the page as it is after an action.
  ///
  /// - Parameters:
  ///   - key: What the link does, by which the page finds it again after an update.
  ///   - isOn: Whether what it names is chosen.
  func link<W: SearchWidget>(
    _ label: HTML, _ key: String, isOn: Bool = false, _ action: WidgetAction<W>
  ) throws -> HTML {
    let address = "\(Self.path)?\(query(of: try results.uiState(after: action)))"
    let state: HTML = isOn ? " aria-current=\"true\"" : ""
    return "<a href=\"\(address)\" data-key=\"\(key)\"\(state)>\(label)</a>"
  }

  /// The fields of a form that keep everything else.
  private func hidden(without widget: some RoutedWidget, part: String? = nil) -> HTML {
    let fields = results.hiddenFields(without: widget, part: part)
    return fields.filter { !$0.name.hasPrefix("autocomplete[") }.html {
      "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">"
    }
  }

  private func label(_ name: HTML, _ count: Int?) -> HTML {
    let number: HTML =
      count.map { "\($0)<span class=\"unseen\"> films</span>" } ?? ""
    return "<span>\(name)</span> <span class=\"count\">\(number)</span>"
  }

  private func more(
    _ id: String, _ canToggle: Bool, _ isShowingMore: Bool,
    _ toggle: WidgetAction<some SearchWidget>
  ) throws -> HTML {
    guard canToggle else { return "" }
    let name: HTML = isShowingMore ? "Show fewer" : "Show more"
    return "<p class=\"more\">\(try link(name, "more \(id)", toggle))</p>"
  }

  // MARK: Filters

  private func values(_ list: FacetList, _ name: String) throws -> HTML {
    let view = results.view(of: list)
    if view.items.isEmpty {
      return view.searchText.isEmpty ? "" : "<p class=\"none\">No director has this name.</p>"
    }
    let items = try view.items.html { item in
      let value = item.highlighted.map { HTML($0) } ?? HTML(item.value)
      let link = try link(
        label(value, item.count), "\(name) \(item.value)", isOn: item.isRefined,
        list.toggle(item.value))
      return "<li class=\"choice\">\(link)</li>"
    }
    let more = try more(
      name, view.canToggleShowMore, view.isShowingMore, list.toggleShowMore())
    return "<ul>\(items)</ul>\(more)"
  }

  private func tree(_ nodes: [FacetTreeNode]) throws -> HTML {
    let items = try nodes.html { node in
      let link = try link(
        label(HTML(node.name), node.count), "place \(node.value)", isOn: node.isRefined,
        films.places.toggle(node.value))
      return "<li>\(link)\(try tree(node.children ?? []))</li>"
    }
    return nodes.isEmpty ? "" : "<ul>\(items)</ul>"
  }

  private var breadcrumb: HTML {
    get throws {
      let items = results.view(of: films.path).items
      if items.isEmpty { return "" }
      let all = try link("The world", "path", films.path.show(nil))
      return try "<li>\(all)</li>"
        + items.html {
          "<li>\(try link(HTML($0.label), "path \($0.path)", films.path.show($0.path)))</li>"
        }
    }
  }

  private var decades: HTML {
    get throws {
      let items = try results.view(of: films.decades).items.html { item in
        let link = try link(
          label(HTML(item.value), item.count), "decade \(item.value)", isOn: item.isRefined,
          films.decades.select(item.value))
        return "<li>\(link)</li>"
      }
      return items.text.isEmpty ? "" : "<ul class=\"pills\">\(items)</ul>"
    }
  }

  private var oscars: HTML {
    get throws {
      let view = results.view(of: films.oscars)
      let items = try view.items.enumerated().map { position, item in
        let isOn = position == (view.selected ?? 0)
        let link = try link(
          HTML(item.label), "oscars \(position)", isOn: isOn, films.oscars.select(position))
        return "<li>\(link)</li>" as HTML
      }
      return "<ul class=\"pills\">\(items.html { $0 })</ul>"
    }
  }

  /// The number of filters and of films, for a screen on which the filters are closed.
  private var summary: HTML {
    let count = chips.count
    let page = results.page(of: Hit<Film>.self)
    return "\(count == 0 ? "" : " (\(count))") · \(page.nbHits) films"
  }

  /// A chosen filter, in words that need nothing around them.
  private struct Chip {
    let text: String
    let key: String
    let remove: @Sendable (FilmsRenderer, HTML) throws -> HTML
  }

  private var chips: [Chip] {
    results.view(of: films.chosen).groups.flatMap { group -> [Chip] in
      let labels = group.items.map(\.label)
      switch group.attribute {
      case films.years.attribute:
        // Both bounds are one filter.
        let view = results.view(of: films.years)
        let (lower, upper) = (view.lowerBound.map(Self.year), view.upperBound.map(Self.year))
        let text =
          switch (lower, upper) {
          case (let lower?, let upper?): lower == upper ? lower : "\(lower)–\(upper)"
          case (let lower?, nil): "from \(lower)"
          case (nil, let upper?): "until \(upper)"
          default: labels.joined(separator: ", ")
          }
        return [
          Chip(text: "Year: \(text)", key: "chosen years") {
            try $0.link($1, "chosen years", $0.films.years.set(nil, nil))
          }
        ]
      case films.oscars.attribute:
        let view = results.view(of: films.oscars)
        let text = view.selected.map { view.items[$0].label } ?? labels.joined(separator: ", ")
        return [
          Chip(text: "Oscars: \(text)", key: "chosen oscars") {
            try $0.link($1, "chosen oscars", $0.films.oscars.select(0))
          }
        ]
      default:
        return group.items.map { item in
          let name = Self.names[item.attribute] ?? item.attribute
          let key = "chosen \(item.attribute) \(item.label)"
          return Chip(text: "\(name): \(item.label)", key: key) {
            try $0.link($1, key, $0.films.chosen.remove(item))
          }
        }
      }
    }
  }

  private static func year(_ bound: Double) -> String {
    Int(exactly: bound).map { "\($0)" } ?? "\(bound)"
  }

  private static let names = [
    "genres": "Genre", "directors": "Director", "decade": "Decade", "place.0": "Place",
    "place.1": "Place", "query": "Text",
  ]

  private var chosen: HTML {
    get throws {
      let chips = chips
      if chips.isEmpty { return "" }
      let links = try chips.html { chip in
        let label: HTML = """
          <span class="unseen">Remove </span>\(chip.text)<span aria-hidden="true"> ×</span>
          """
        return "<li>\(try chip.remove(self, label))</li>"
      }
      let clear = try link("Clear all", "clear", films.clear.clear())
      return "\(links)<li class=\"clear\">\(clear)</li>"
    }
  }

  // MARK: Text and order

  private var suggestions: HTML {
    get throws {
      let view = results.view(of: films.box)
      if !view.isOpen || view.query.isEmpty { return "" }
      let sections = try view.sections.html { section in
        let title: HTML = section.source?.indexName == FilmsCatalogue.people ? "People" : "Films"
        let items = try section.items.html { item in
          let key = "suggestion \(title.text) \(item.text)"
          return "<li>\(try link(HTML(item.highlighted), key, films.box.choose(item)))</li>"
        }
        return "<section><h3>\(title)</h3><ul>\(items)</ul></section>"
      }
      let close = try link("Close", "close", films.box.close())
      return view.sections.isEmpty ? "" : "\(sections)<p class=\"close\">\(close)</p>"
    }
  }

  private var order: HTML {
    get throws {
      let current = results.view(of: films.order).current
      return try films.order.items.html { item in
        let link = try link(
          HTML(item.label), "order \(item.indexName)", isOn: item.indexName == current,
          films.order.select(item.indexName))
        return "<li>\(link)</li>"
      }
    }
  }

  private var sizes: HTML {
    get throws {
      let current = results.view(of: films.sizes).current
      return try films.sizes.items.html { item in
        let link = try link(
          HTML(item.label), "size \(item.count)", isOn: item.count == current,
          films.sizes.select(item.count))
        return "<li>\(link)</li>"
      }
    }
  }
}
