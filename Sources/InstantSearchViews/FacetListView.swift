#if canImport(SwiftUI)
  public import SwiftUI

  /// The values of a facet as rows, each of which is selected with a tap.
  ///
  /// To select one value, use ``FacetMenuView``.
  ///
  /// ```swift
  /// List {
  ///   Section("Genres") {
  ///     FacetListView(genres, searchPrompt: "Search genres")
  ///   }
  /// }
  /// ```
  ///
  /// The rows have no container: put them into a list, a form or a stack. Below them is a button
  /// that displays more values, if there are more. A custom row reads whether it is selected from
  /// ``FacetItem/isRefined``:
  ///
  /// ```swift
  /// FacetListView(genres) { genre in
  ///   Text(genre.isRefined ? "✓ \(genre.value)" : genre.value)
  /// }
  /// ```
  public struct FacetListView<Row: View>: View {
    private let controller: WidgetObservableController<FacetList>
    private let searchPrompt: LocalizedStringKey?
    private let row: @MainActor (FacetItem) -> Row

    /// Creates the rows of a facet list.
    ///
    /// - Parameters:
    ///   - controller: The controller, which must be connected.
    ///   - searchPrompt: The text of the empty field that searches the values; see
    ///     ``FacetList/search(_:)``. Defaults to `nil`: no field.
    ///   - row: Returns the content of the row of a value.
    public init(
      _ controller: WidgetObservableController<FacetList>,
      searchPrompt: LocalizedStringKey? = nil,
      @ViewBuilder row: @escaping @MainActor (FacetItem) -> Row
    ) {
      self.controller = controller
      self.searchPrompt = searchPrompt
      self.row = row
    }

    /// The field, the rows and the button.
    public var body: some View {
      if let searchPrompt {
        WidgetTextField(searchPrompt, controller) {
          $0.searchText
        } set: {
          $0.search($1)
        }
      }
      if let view = controller.view {
        ForEach(view.items, id: \.value) { item in
          ChoiceRow(isSelected: item.isRefined, content: row(item)) {
            controller.perform { $0.toggle(item.value) }
          }
        }
        if let error = view.searchError {
          Text(verbatim: error.message)
        } else if view.isFromSearch, view.items.isEmpty {
          Text("No results")
        }
        if view.canToggleShowMore {
          ShowMoreButton(isShowingMore: view.isShowingMore) {
            controller.perform { $0.toggleShowMore() }
          }
        }
      }
    }
  }

  extension FacetListView where Row == FacetRow {
    /// Creates the rows of a facet list: a mark, the value and the number of hits.
    ///
    /// - Parameters:
    ///   - controller: The controller, which must be connected.
    ///   - searchPrompt: The text of the empty field that searches the values; see
    ///     ``FacetList/search(_:)``. Defaults to `nil`: no field.
    public init(
      _ controller: WidgetObservableController<FacetList>,
      searchPrompt: LocalizedStringKey? = nil
    ) {
      self.init(controller, searchPrompt: searchPrompt) { FacetRow($0) }
    }
  }

  /// The content of a row for a value of a facet: a mark, the value and the number of hits.
  ///
  /// The words that a search for values has matched are bold.
  public struct FacetRow: View {
    private let item: FacetItem

    /// Creates the content of a row.
    public init(_ item: FacetItem) {
      self.item = item
    }

    /// The mark, the value and the number of hits.
    public var body: some View {
      HStack {
        ChoiceMark(isSelected: item.isRefined)
        if let highlighted = item.highlighted {
          Text(AttributedString(highlighted, marking: AttributeContainer().font(.body.bold())))
        } else {
          Text(verbatim: item.value)
        }
        Spacer()
        CountText(count: item.count)
      }
    }
  }
#endif
