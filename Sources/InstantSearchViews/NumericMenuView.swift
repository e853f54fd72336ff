#if canImport(SwiftUI)
  public import SwiftUI

  /// The ranges of a numeric menu as rows, one of which is selected with a tap.
  ///
  /// ```swift
  /// Section("Price") { NumericMenuView(price) }
  /// ```
  ///
  /// The rows have no container: put them into a list, a form or a stack.
  public struct NumericMenuView: View {
    private let controller: WidgetObservableController<NumericMenu>

    /// Creates the rows of a numeric menu.
    ///
    /// - Parameter controller: The controller, which must be connected.
    public init(_ controller: WidgetObservableController<NumericMenu>) {
      self.controller = controller
    }

    /// The rows.
    public var body: some View {
      if let view = controller.view {
        ForEach(view.items.indices, id: \.self) { position in
          let isSelected = position == view.selected
          ChoiceRow(isSelected: isSelected, content: row(view.items[position], isSelected)) {
            controller.perform { $0.select(position) }
          }
        }
        .disabled(!view.canRefine)
      }
    }

    private func row(_ item: NumericMenu.Item, _ isSelected: Bool) -> some View {
      HStack {
        ChoiceMark(isSelected: isSelected)
        Text(verbatim: item.label)
        Spacer()
      }
    }
  }

  /// The minimum ratings of a rating menu as rows of stars, one of which is selected with a tap.
  ///
  /// ```swift
  /// Section("Rating") { RatingMenuView(rating) }
  /// ```
  ///
  /// The rows have no container: put them into a list, a form or a stack.
  public struct RatingMenuView<Row: View>: View {
    private let controller: WidgetObservableController<RatingMenu>
    private let row: @MainActor (RatingMenu.Item) -> Row

    /// Creates the rows of a rating menu.
    ///
    /// - Parameters:
    ///   - controller: The controller, which must be connected.
    ///   - row: Returns the content of the row of a rating.
    public init(
      _ controller: WidgetObservableController<RatingMenu>,
      @ViewBuilder row: @escaping @MainActor (RatingMenu.Item) -> Row
    ) {
      self.controller = controller
      self.row = row
    }

    /// The rows.
    public var body: some View {
      ForEach(controller.view?.items ?? [], id: \.rating) { item in
        ChoiceRow(isSelected: item.isRefined, content: row(item)) {
          controller.perform { $0.toggle(item.rating) }
        }
      }
    }
  }

  extension RatingMenuView where Row == RatingRow {
    /// Creates the rows of a rating menu: a mark, stars and the number of hits.
    ///
    /// - Parameter controller: The controller, which must be connected.
    public init(_ controller: WidgetObservableController<RatingMenu>) {
      self.init(controller) { RatingRow($0) }
    }
  }

  /// The content of a row for a minimum rating: a mark, stars and the number of hits.
  public struct RatingRow: View {
    private let item: RatingMenu.Item

    /// Creates the content of a row.
    public init(_ item: RatingMenu.Item) {
      self.item = item
    }

    /// The mark, the stars and the number of hits.
    public var body: some View {
      HStack {
        ChoiceMark(isSelected: item.isRefined)
        HStack {
          ForEach(item.stars.indices, id: \.self) { position in
            Image(systemName: item.stars[position] ? "star.fill" : "star")
          }
        }
        .accessibilityElement(children: .ignore)
        .accessibilityLabel("\(item.rating) stars and up")
        Spacer()
        CountText(count: item.count)
      }
    }
  }
#endif
