/// A part of the state of the user interface: how a widget writes it and reads it.
///
/// ```swift
/// WidgetPart("night") { state in
///   state.query.ruleContexts == ["night"] ? "true" : nil
/// } read: { value, state in
///   state.query.ruleContexts = value == "true" ? ["night"] : nil
/// }
/// ```
public struct WidgetPart: Sendable {
  package let name: PartName
  /// How the widget reads the part. Widgets with the same form share it.
  let form: String
  let write: @Sendable (IndexState, _ initial: IndexState, inout IndexUIState) -> Void
  let read: @Sendable (IndexUIState, _ initial: IndexState, inout IndexState) -> Void

  /// Creates a part with a value as in a URL.
  ///
  /// - Parameters:
  ///   - key: A custom key, or the key of a property of ``IndexUIState``.
  ///   - name: The name in a property with values by name, such as the attribute in `showMore`,
  ///     which is required there. With a custom key it follows the key after a dot. Defaults to
  ///     `nil`: the part is the whole value of the key.
  ///   - form: How the widget reads the part. Widgets with the same form share it, such as a menu
  ///     and the breadcrumb of its hierarchy; a screen with different forms is rejected. Defaults
  ///     to an empty text.
  ///   - write: Returns the value for a state; `nil` for none.
  ///   - read: Changes the state to a value. Without a value it clears the widget's part of the
  ///     state, and it ignores a value that the widget does not offer.
  public init(
    _ key: String, _ name: String? = nil, form: String = "",
    write: @escaping @Sendable (IndexState) -> RouteValue?,
    read: @escaping @Sendable (RouteValue?, inout IndexState) -> Void
  ) {
    let isKnown = IndexUIState.Key(rawValue: key) != nil
    let part =
      isKnown
      ? PartName(key, name) : PartName([key, name].compactMap { $0 }.joined(separator: "."))
    self.init(part, form) { state, _, uiState in
      uiState[part] = write(state)
    } read: { uiState, _, state in
      read(uiState[part], &state)
    }
  }

  /// Creates a part of a property.
  init(
    _ key: IndexUIState.Key, _ name: String? = nil, form: String = "",
    write: @escaping @Sendable (IndexState, _ initial: IndexState, inout IndexUIState) -> Void,
    read: @escaping @Sendable (IndexUIState, _ initial: IndexState, inout IndexState) -> Void
  ) {
    self.init(PartName(key.rawValue, name), form, write: write, read: read)
  }

  private init(
    _ name: PartName, _ form: String,
    write: @escaping @Sendable (IndexState, _ initial: IndexState, inout IndexUIState) -> Void,
    read: @escaping @Sendable (IndexUIState, _ initial: IndexState, inout IndexState) -> Void
  ) {
    self.name = name
    self.form = form
    self.write = write
    self.read = read
  }
}

extension WidgetPart {
  /// Whether the part is opened, so that it changes no search.
  var isOpened: Bool {
    let keys = [IndexUIState.Key.showMore.rawValue, IndexUIState.Key.facetQuery.rawValue]
    return keys.contains(name.key) || name.key == OpenedParts.autocompleteName
  }
}

// MARK: - Parts of several widgets

extension WidgetPart {
  /// The text of the search.
  static var query: WidgetPart {
    WidgetPart(.query) { state, _, uiState in
      uiState.query = state.query.query ?? ""
    } read: { uiState, _, state in
      state.query.query = uiState.query
    }
  }

  /// The page.
  static var page: WidgetPart {
    WidgetPart(.page) { state, _, uiState in
      uiState.page = (state.query.page ?? 0).addingUpToMaximum(1)
    } read: { uiState, _, state in
      state.query.page = uiState.page - 1
    }
  }

  /// Whether more values of an attribute are shown.
  static func showMore(_ attribute: String) -> WidgetPart {
    WidgetPart(.showMore, attribute) { state, _, uiState in
      uiState.showMore[attribute] = state.opened.showMore.contains(attribute) ? true : nil
    } read: { uiState, _, state in
      if uiState.showMore[attribute] == true {
        state.opened.showMore.insert(attribute)
      } else {
        state.opened.showMore.remove(attribute)
      }
    }
  }
}
