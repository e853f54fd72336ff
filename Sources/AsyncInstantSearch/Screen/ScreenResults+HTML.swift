/// Links and forms of a page, as HTML. All text is escaped.
extension ScreenResults {
  /// Returns an HTML link to the page as it is after an action.
  ///
  /// ```swift
  /// results.anchor("Drama (15)", to: "/films", after: genres.toggle("Drama"))
  /// // <a href="/films?refinementList%5Bgenres%5D%5B0%5D=Drama">Drama (15)</a>
  /// ```
  ///
  /// If the action cannot be performed, such as the removal of a missing item, the link has no
  /// address, and a browser displays it as plain text.
  ///
  /// - Parameters:
  ///   - label: The text of the link.
  ///   - path: The URL of the page without a query. Defaults to the page itself.
  ///   - action: The action of a widget of the screen.
  ///   - isEverywhere: Whether all screens with the widget perform the action.
  public func anchor<W: SearchWidget>(
    _ label: String, to path: String = "", after action: WidgetAction<W>,
    inAllScreens isEverywhere: Bool = false
  ) -> String {
    let escaped = HighlightedString.escapingHTML
    guard let query = try? link(after: action, inAllScreens: isEverywhere) else {
      return "<a>\(escaped(label))</a>"
    }
    return #"<a href="\#(escaped(path + "?" + query))">\#(escaped(label))</a>"#
  }

  /// Returns an HTML form in which a user changes a widget. It keeps the other parts of the state
  /// in hidden fields.
  ///
  /// ```swift
  /// results.form(to: "/films", for: box, fields: [(name: "query", value: "thelma")])
  /// // <form action="/films"><input name="query" value="thelma"></form>
  /// ```
  ///
  /// For other elements, such as a button, use ``hiddenFields(without:part:)``.
  ///
  /// - Parameters:
  ///   - path: The URL of the page without a query. Defaults to the page itself.
  ///   - widget: A widget of the screen, whose parts are visible fields.
  ///   - key: The key of the only part that is visible, such as `facetQuery`. Defaults to `nil`:
  ///     all parts of the widget are visible.
  ///   - fields: The visible fields, with the names of the widget's parts in a URL.
  public func form(
    to path: String = "", for widget: some RoutedWidget, part key: String? = nil,
    fields: [(name: String, value: String)]
  ) -> String {
    let escaped = HighlightedString.escapingHTML
    func input(_ type: String, _ name: String, _ value: String) -> String {
      #"<input \#(type)name="\#(escaped(name))" value="\#(escaped(value))">"#
    }
    let visible = fields.map { input("", $0.name, $0.value) }
    let hidden = hiddenFields(without: widget, part: key).map {
      input(#"type="hidden" "#, $0.name, $0.value)
    }
    let address = path.isEmpty ? "" : #" action="\#(escaped(path))""#
    return "<form\(address)>\((visible + hidden).joined())</form>"
  }
}
