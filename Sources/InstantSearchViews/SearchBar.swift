#if canImport(SwiftUI)
  public import SwiftUI

  /// A text field for the text of the search, with a button that clears it.
  ///
  /// ```swift
  /// SearchBar(box)
  ///   .onSubmit { searcher.submit() }
  /// ```
  ///
  /// Each change of the text changes the search. While the field is focused, it keeps the typed
  /// text until the widget has another text, for example after a ``FilterClearView`` was used.
  ///
  /// For the search field of a navigation bar, use ``WidgetObservableController/binding(_:set:)``
  /// with `searchable(text:)`.
  public struct SearchBar: View {
    private let controller: WidgetObservableController<SearchBox>
    private let prompt: LocalizedStringKey

    /// Creates a search bar.
    ///
    /// - Parameters:
    ///   - controller: The controller, which must be connected.
    ///   - prompt: The text of the empty field, which is its accessibility label as well.
    public init(
      _ controller: WidgetObservableController<SearchBox>, prompt: LocalizedStringKey = "Search"
    ) {
      self.controller = controller
      self.prompt = prompt
    }

    /// The field and its button.
    public var body: some View {
      WidgetTextField(prompt, controller) {
        $0.query
      } set: {
        $0.setQuery($1)
      }
    }
  }

  /// A text field for a text that a widget has.
  struct WidgetTextField<W: SearchWidget>: View {
    private let prompt: LocalizedStringKey
    private let controller: WidgetObservableController<W>
    private let text: @MainActor (W.View) -> String
    private let makeAction: @MainActor (W, String) -> WidgetAction<W>
    /// The action when the field is focused; `nil` for none.
    private let focus: (@MainActor (W) -> WidgetAction<W>)?
    /// The text of the field. The widget's views lag behind the typed text.
    @State private var entry = ""
    /// The text that was typed last.
    @State private var typed: String?
    @FocusState private var isFocused: Bool

    init(
      _ prompt: LocalizedStringKey, _ controller: WidgetObservableController<W>,
      text: @escaping @MainActor (W.View) -> String,
      set makeAction: @escaping @MainActor (W, String) -> WidgetAction<W>,
      focus: (@MainActor (W) -> WidgetAction<W>)? = nil
    ) {
      self.focus = focus
      self.prompt = prompt
      self.controller = controller
      self.text = text
      self.makeAction = makeAction
    }

    var body: some View {
      HStack {
        Image(systemName: "magnifyingglass").accessibilityHidden(true)
        TextField(
          prompt,
          text: Binding { @MainActor in
            entry
          } set: { @MainActor in
            enter($0)
          }
        )
        .focused($isFocused)
        .autocorrectionDisabled()
        .submitLabel(.search)
        .accessibilityAddTraits(.isSearchField)
        if !entry.isEmpty {
          Button {
            enter("")
          } label: {
            Image(systemName: "xmark.circle.fill")
          }
          .buttonStyle(.plain)
          .accessibilityLabel("Clear text")
        }
      }
      .onChange(of: controller.view.map(text), initial: true) { read() }
      .onChange(of: isFocused) {
        if isFocused, let focus { controller.perform { focus($0) } }
        read()
      }
    }

    private func enter(_ newEntry: String) {
      // A field also sets the text that it has, for example when it is focused.
      if newEntry == entry { return }
      entry = newEntry
      typed = newEntry
      controller.perform { makeAction($0, newEntry) }
    }

    /// Shows the text of the widget, for example after a suggestion was selected, unless it equals
    /// the typed text.
    private func read() {
      guard let newest = controller.newestView.map(text) else { return }
      if !isFocused || newest.isEmpty || newest != typed { entry = newest }
    }
  }
#endif
