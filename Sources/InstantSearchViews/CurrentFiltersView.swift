#if canImport(SwiftUI)
  public import SwiftUI

  /// The refinements of the search in a scrolling row of buttons, each of which removes one.
  ///
  /// ```swift
  /// CurrentFiltersView(current)
  /// CurrentFiltersView(current) { Text($0.label) }
  /// ```
  ///
  /// It is empty without refinements.
  public struct CurrentFiltersView<Chip: View>: View {
    private let controller: WidgetObservableController<CurrentFilters>
    private let chip: @MainActor (CurrentFilters.Item) -> Chip

    /// Creates the buttons of the refinements.
    ///
    /// - Parameters:
    ///   - controller: The controller, which must be connected.
    ///   - chip: Returns the content of the button of a refinement.
    public init(
      _ controller: WidgetObservableController<CurrentFilters>,
      @ViewBuilder chip: @escaping @MainActor (CurrentFilters.Item) -> Chip
    ) {
      self.controller = controller
      self.chip = chip
    }

    /// The buttons.
    public var body: some View {
      if let view = controller.view, view.canRefine {
        ScrollView(.horizontal) {
          HStack {
            ForEach(view.groups.flatMap(\.items), id: \.self) { item in
              Button {
                controller.perform { $0.remove(item) }
              } label: {
                chip(item)
              }
              .buttonStyle(.bordered)
              .accessibilityHint("Removes the filter")
            }
          }
        }
      }
    }
  }

  extension CurrentFiltersView where Chip == CurrentFilterChip {
    /// Creates the buttons of the refinements with their attributes and values.
    ///
    /// - Parameter controller: The controller, which must be connected.
    public init(_ controller: WidgetObservableController<CurrentFilters>) {
      self.init(controller) { CurrentFilterChip($0) }
    }
  }

  /// The content of the button of a refinement: its attribute and its value.
  public struct CurrentFilterChip: View {
    private let item: CurrentFilters.Item

    /// Creates the content of a button.
    public init(_ item: CurrentFilters.Item) {
      self.item = item
    }

    /// The text, and a mark that shows that the button removes it.
    public var body: some View {
      HStack {
        if item.kind == .excluded {
          Text("\(item.attribute): not \(item.label)")
        } else {
          Text("\(item.attribute): \(item.label)")
        }
        Image(systemName: "xmark").accessibilityHidden(true)
      }
    }
  }

  /// A button that removes refinements.
  ///
  /// ```swift
  /// FilterClearView(clear)
  /// ```
  ///
  /// It is disabled without refinements.
  public struct FilterClearView: View {
    private let controller: WidgetObservableController<FilterClear>
    private let title: LocalizedStringKey

    /// Creates a button.
    ///
    /// - Parameters:
    ///   - controller: The controller, which must be connected.
    ///   - title: The title. Defaults to `Clear filters`.
    public init(
      _ controller: WidgetObservableController<FilterClear>,
      title: LocalizedStringKey = "Clear filters"
    ) {
      self.controller = controller
      self.title = title
    }

    /// The button.
    public var body: some View {
      Button(title) { controller.perform { $0.clear() } }
        .disabled(controller.view?.canRefine != true)
    }
  }
#endif
