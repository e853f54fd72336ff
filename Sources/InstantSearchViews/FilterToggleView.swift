#if canImport(SwiftUI)
  public import SwiftUI

  /// The switch of a filter toggle.
  ///
  /// ```swift
  /// FilterToggleView(free, title: "Free shipping")
  /// ```
  ///
  /// It is disabled while there are no hits to switch to, unless it is on.
  public struct FilterToggleView<Content: View>: View {
    private let controller: WidgetObservableController<FilterToggle>
    private let label: @MainActor (FilterToggle.View?) -> Content

    /// Creates a switch with a custom label.
    ///
    /// - Parameters:
    ///   - controller: The controller, which must be connected.
    ///   - label: Returns the label for the view of the widget, which is `nil` until the controller
    ///     is connected.
    public init(
      _ controller: WidgetObservableController<FilterToggle>,
      @ViewBuilder label: @escaping @MainActor (FilterToggle.View?) -> Content
    ) {
      self.controller = controller
      self.label = label
    }

    /// The switch.
    public var body: some View {
      let view = controller.view
      Toggle(
        isOn: controller.binding {
          $0?.isOn ?? false
        } set: {
          $0.set($1)
        }
      ) { label(view) }
      .disabled(view?.canRefine != true && view?.isOn != true)
    }
  }

  extension FilterToggleView where Content == FilterToggleLabel {
    /// Creates a switch with a title and the number of hits after it is switched.
    ///
    /// - Parameters:
    ///   - controller: The controller, which must be connected.
    ///   - title: The title.
    public init(
      _ controller: WidgetObservableController<FilterToggle>, title: LocalizedStringKey
    ) {
      self.init(controller) { FilterToggleLabel(title: title, count: $0?.count) }
    }
  }

  /// The label of a ``FilterToggleView``: a title and a number of hits.
  public struct FilterToggleLabel: View {
    private let title: LocalizedStringKey
    private let count: Int?

    /// Creates a label.
    ///
    /// - Parameters:
    ///   - title: The title.
    ///   - count: The number of hits; `nil` to show no number.
    public init(title: LocalizedStringKey, count: Int?) {
      self.title = title
      self.count = count
    }

    /// The title and the number.
    public var body: some View {
      HStack {
        Text(title)
        Spacer()
        if let count { CountText(count: count) }
      }
    }
  }
#endif
