// Apple TV has no sliders.
#if canImport(SwiftUI) && !os(tvOS)
  public import SwiftUI

  /// The bounds of a number range as two sliders.
  ///
  /// ```swift
  /// NumberRangeView(price) { Text($0, format: .currency(code: "EUR")) }
  /// ```
  ///
  /// The search changes when a slider is released. Neither bound passes the other one. The view is
  /// empty while there is no choice.
  ///
  /// It is not available on tvOS.
  public struct NumberRangeView: View {
    private let controller: WidgetObservableController<NumberRange>
    private let number: @MainActor (Double) -> Text

    /// Creates two sliders for the bounds of a range.
    ///
    /// - Parameters:
    ///   - controller: The controller, which must be connected.
    ///   - number: Returns the text of a number. Defaults to the format of the locale.
    public init(
      _ controller: WidgetObservableController<NumberRange>,
      number: @escaping @MainActor (Double) -> Text = { Text($0, format: .number) }
    ) {
      self.controller = controller
      self.number = number
    }

    /// The sliders.
    public var body: some View {
      if let range = controller.view?.range {
        BoundSlider(
          title: "Minimum", range: range, number: number, round: rounding(.down),
          value: controller.binding {
            $0?.bounds.lowerBound ?? range.lowerBound
          } set: {
            widget, bound in
            let upper = bounds.upperBound
            return widget.set(min(bound, upper), upper)
          })
        BoundSlider(
          title: "Maximum", range: range, number: number, round: rounding(.up),
          value: controller.binding {
            $0?.bounds.upperBound ?? range.upperBound
          } set: {
            widget, bound in
            let lower = bounds.lowerBound
            return widget.set(lower, max(bound, lower))
          })
      }
    }

    private var bounds: ClosedRange<Double> { controller.newestView?.bounds ?? 0...0 }

    private func rounding(
      _ rule: FloatingPointRoundingRule
    ) -> @MainActor (Double) -> Double {
      { controller.widgetSource?.widget.rounded($0, rule) ?? $0 }
    }
  }

  /// A slider that sets its value when it is released.
  private struct BoundSlider: View {
    let title: LocalizedStringKey
    let range: ClosedRange<Double>
    let number: @MainActor (Double) -> Text
    let round: @MainActor (Double) -> Double
    @Binding var value: Double
    /// The value while the slider is dragged.
    @State private var dragged: Double?
    @State private var isDragging = false

    init(
      title: LocalizedStringKey, range: ClosedRange<Double>,
      number: @escaping @MainActor (Double) -> Text,
      round: @escaping @MainActor (Double) -> Double, value: Binding<Double>
    ) {
      self.title = title
      self.range = range
      self.number = number
      self.round = round
      _value = value
    }

    var body: some View {
      let shown = dragged.map(round) ?? value
      HStack {
        Text(title)
        Spacer()
        number(shown)
      }
      .accessibilityHidden(true)
      Slider(
        value: Binding { @MainActor in
          (dragged ?? value).clamped(to: range)
        } set: { @MainActor in
          drag(to: $0)
        }, in: range
      ) {
        Text(title)
      } onEditingChanged: { isEditing in
        isDragging = isEditing
        if !isEditing { release() }
      }
      .accessibilityValue(number(shown))
    }

    /// Without a drag, for example from the keyboard, each change is set.
    private func drag(to newValue: Double) {
      if isDragging { dragged = newValue } else { value = newValue }
    }

    private func release() {
      if let dragged { value = dragged }
      dragged = nil
    }
  }

  extension NumberRange.View {
    /// The range; `nil` if there is no choice.
    fileprivate var range: ClosedRange<Double>? {
      canRefine && minimum < maximum ? minimum...maximum : nil
    }

    /// The displayed bounds, which are in the range and in order.
    fileprivate var bounds: ClosedRange<Double> {
      let range = range ?? minimum...minimum
      let lower = (lowerBound ?? range.lowerBound).clamped(to: range)
      return lower...max(lower, (upperBound ?? range.upperBound).clamped(to: range))
    }
  }

  extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
      Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
  }
#endif
