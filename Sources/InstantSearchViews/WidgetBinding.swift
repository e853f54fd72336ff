#if canImport(SwiftUI)
  public import SwiftUI

  extension WidgetObservableController {
    /// Returns a binding of a control to the widget: it reads the view and performs an action.
    ///
    /// ```swift
    /// Toggle("Free shipping", isOn: free.binding { $0?.isOn ?? false } set: { $0.set($1) })
    /// ```
    ///
    /// The binding reads a new value as soon as it is set, so that a control does not return to the
    /// previous value until the controller shows the change. Setting an equal value has no effect.
    ///
    /// - Parameters:
    ///   - value: Returns the value of the control for the view of the widget, which is `nil` until
    ///     the controller is connected.
    ///   - makeAction: Returns the action of the widget that sets a value; `nil` for none.
    public func binding<Value: Equatable & Sendable>(
      _ value: @escaping @MainActor (W.View?) -> Value,
      set makeAction: @escaping @MainActor (W, Value) throws(SearchError) -> WidgetAction<W>?
    ) -> Binding<Value> {
      // The view that creates the binding is updated when the widget changes.
      _ = view
      return Binding { @MainActor in
        value(self.newestView)
      } set: { @MainActor newValue in
        // Controls also set the value that they have, and some actions would revert it.
        if newValue != value(self.newestView) { self.set(newValue, makeAction) }
      }
    }

    private func set<Value>(
      _ value: Value, _ makeAction: (W, Value) throws(SearchError) -> WidgetAction<W>?
    ) {
      guard let widget = widgetSource?.widget else { return }
      perform { _ throws(SearchError) in
        try makeAction(widget, value) ?? widget.action { _ in }
      }
    }

    /// The newest view of the widget. It includes actions that ``view`` does not show yet.
    var newestView: W.View? {
      widgetSource?.view ?? view
    }
  }
#endif
