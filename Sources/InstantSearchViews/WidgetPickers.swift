#if canImport(SwiftUI)
  public import SwiftUI

  /// The values of a facet as a picker.
  ///
  /// To select several values, use ``FacetListView``.
  ///
  /// ```swift
  /// FacetMenuView(brand, title: "Brand", all: "All brands")
  ///   .pickerStyle(.menu)
  /// ```
  ///
  /// Below it is a button that displays more values, if there are more.
  public struct FacetMenuView: View {
    private let controller: WidgetObservableController<FacetMenu>
    private let title: LocalizedStringKey
    private let all: LocalizedStringKey

    /// Creates a picker of a menu.
    ///
    /// - Parameters:
    ///   - controller: The controller, which must be connected.
    ///   - title: The title of the picker.
    ///   - all: The title of the choice of no value. Defaults to `All`.
    public init(
      _ controller: WidgetObservableController<FacetMenu>, title: LocalizedStringKey,
      all: LocalizedStringKey = "All"
    ) {
      self.controller = controller
      self.title = title
      self.all = all
    }

    /// The picker and the button.
    public var body: some View {
      let view = controller.view
      Picker(
        title,
        selection: controller.binding {
          $0?.items.first(where: \.isRefined)?.value
        } set: {
          $0.select($1)
        }
      ) {
        Text(all).tag(String?.none)
        ForEach(view?.items ?? [], id: \.value) { item in
          Text(item.count.map { "\(item.value) (\($0))" } ?? item.value).tag(
            String?.some(item.value))
        }
      }
      .disabled(view?.canRefine != true)
      if let view, view.canToggleShowMore {
        ShowMoreButton(isShowingMore: view.isShowingMore) {
          controller.perform { $0.toggleShowMore() }
        }
      }
    }
  }

  /// The orders of the hits as a picker.
  ///
  /// ```swift
  /// SortByView(order)
  /// ```
  public struct SortByView: View {
    private let controller: WidgetObservableController<SortBy>
    private let title: LocalizedStringKey

    /// Creates a picker of orders.
    ///
    /// - Parameters:
    ///   - controller: The controller, which must be connected.
    ///   - title: The title of the picker. Defaults to `Sort by`.
    public init(
      _ controller: WidgetObservableController<SortBy>, title: LocalizedStringKey = "Sort by"
    ) {
      self.controller = controller
      self.title = title
    }

    /// The picker.
    public var body: some View {
      if let view = controller.view {
        Picker(
          title,
          selection: controller.binding {
            $0?.current ?? view.current
          } set: {
            $0.select($1)
          }
        ) {
          ForEach(view.items, id: \.indexName) { item in
            Text(verbatim: item.label).tag(item.indexName)
          }
          // A picker needs a row for the selection.
          if !view.items.contains(where: { $0.indexName == view.current }) {
            Text(verbatim: view.current).tag(view.current)
          }
        }
        .disabled(!view.canRefine)
      }
    }
  }

  /// The numbers of hits on a page as a picker.
  ///
  /// ```swift
  /// HitsPerPageView(count)
  /// ```
  public struct HitsPerPageView: View {
    private let controller: WidgetObservableController<HitsPerPage>
    private let title: LocalizedStringKey

    /// Creates a picker of numbers.
    ///
    /// - Parameters:
    ///   - controller: The controller, which must be connected.
    ///   - title: The title of the picker. Defaults to `Results per page`.
    public init(
      _ controller: WidgetObservableController<HitsPerPage>,
      title: LocalizedStringKey = "Results per page"
    ) {
      self.controller = controller
      self.title = title
    }

    /// The picker.
    public var body: some View {
      if let view = controller.view {
        Picker(
          title,
          selection: controller.binding {
            $0?.current
          } set: { widget, count in
            count.map { widget.select($0) }
          }
        ) {
          ForEach(view.items, id: \.count) { item in
            Text(verbatim: item.label).tag(Int?.some(item.count))
          }
          // A picker needs a row for the selection.
          if !view.items.contains(where: { $0.count == view.current }) {
            currentText(view.current).tag(view.current)
          }
        }
        .disabled(!view.canRefine)
      }
    }

    private func currentText(_ count: Int?) -> Text {
      if let count { Text(count, format: .number) } else { Text("Default") }
    }
  }
#endif
