#if canImport(SwiftUI)
  public import SwiftUI

  /// A text field with suggestions below it.
  ///
  /// ```swift
  /// List {
  ///   AutocompleteView(live.controller(of: autocomplete), prompt: "Search films") { url in
  ///     openURL(url)
  ///   }
  /// }
  /// ```
  ///
  /// The list is opened when the field is focused. The return key searches the text, or the
  /// selected row. The arrow keys of a keyboard select a row, and the escape key closes the list.
  /// The rows have no container: put them into a list or a stack.
  public struct AutocompleteView: View {
    private let controller: WidgetObservableController<Autocomplete>
    private let prompt: LocalizedStringKey
    private let show: @MainActor (String) -> Void

    /// Creates a text field with suggestions.
    ///
    /// - Parameters:
    ///   - controller: The controller, which must be connected.
    ///   - prompt: The text of the empty field, which is its accessibility label as well.
    ///   - show: Shows the page of a record, given its address. Defaults to nothing.
    public init(
      _ controller: WidgetObservableController<Autocomplete>,
      prompt: LocalizedStringKey = "Search",
      show: @escaping @MainActor (_ url: String) -> Void = { _ in }
    ) {
      self.controller = controller
      self.prompt = prompt
      self.show = show
    }

    /// The field and the rows.
    public var body: some View {
      WidgetTextField(prompt, controller) {
        $0.query
      } set: {
        $0.setQuery($1)
      } focus: {
        $0.open()
      }
      .onSubmit {
        if let url = controller.newestView?.selectedItem?.url { show(url) }
        controller.perform { $0.submit() }
      }
      .modifier(ArrowKeys(controller))
      if let view = controller.view, view.isOpen {
        ForEach(view.items.indices, id: \.self) { index in
          let item = view.items[index]
          ChoiceRow(isSelected: index == view.selection, content: SuggestionRow(item)) {
            controller.perform { $0.choose(item) }
            if let url = item.url { show(url) }
          }
        }
        if let error = view.error {
          Text(verbatim: error.message)
        } else if view.isEmpty {
          Text("No results")
        }
      }
    }
  }

  /// The text of an item, with its marked parts in bold.
  private struct SuggestionRow: View {
    private let item: Autocomplete.Item

    init(_ item: Autocomplete.Item) {
      self.item = item
    }

    var body: some View {
      Text(AttributedString(item.highlighted, marking: AttributeContainer().font(.body.bold())))
    }
  }

  /// Selects rows with the arrow keys of a keyboard, where there are keyboards.
  private struct ArrowKeys: ViewModifier {
    private let controller: WidgetObservableController<Autocomplete>

    init(_ controller: WidgetObservableController<Autocomplete>) {
      self.controller = controller
    }

    func body(content: Content) -> some View {
      #if os(tvOS) || os(watchOS)
        content
      #else
        content
          .onKeyPress(.downArrow) { press { $0.selectNext() } }
          .onKeyPress(.upArrow) { press { $0.selectPrevious() } }
          .onKeyPress(.escape) { press { $0.close() } }
      #endif
    }

    #if !os(tvOS) && !os(watchOS)
      private func press(
        _ makeAction: (Autocomplete) -> WidgetAction<Autocomplete>
      ) -> KeyPress.Result {
        guard controller.newestView?.isOpen == true else { return .ignored }
        controller.perform(makeAction)
        return .handled
      }
    #endif
  }
#endif
