#if canImport(SwiftUI)
  public import SwiftUI

  /// The pages of the hits as buttons, between one for the previous page and one for the next.
  ///
  /// ```swift
  /// PaginationView(pages)
  /// ```
  ///
  /// It is empty unless there is more than one page.
  public struct PaginationView: View {
    private let controller: WidgetObservableController<Pagination>

    /// Creates the buttons of a pagination.
    ///
    /// - Parameter controller: The controller, which must be connected.
    public init(_ controller: WidgetObservableController<Pagination>) {
      self.controller = controller
    }

    /// The buttons.
    public var body: some View {
      if let view = controller.view, view.canRefine {
        HStack {
          button("Previous page", image: "chevron.backward", to: view.currentPage - 1)
            .disabled(view.isFirstPage)
          ForEach(view.pages, id: \.self) { page in
            let isCurrent = page == view.currentPage
            Button {
              show(page)
            } label: {
              Text(page + 1, format: .number).fontWeight(isCurrent ? .bold : .regular)
            }
            .accessibilityLabel("Page \(page + 1)")
            .accessibilityAddTraits(isCurrent ? .isSelected : [])
          }
          button("Next page", image: "chevron.forward", to: view.currentPage + 1)
            .disabled(view.isLastPage)
        }
        // With the default style, a tap on a row of a list presses all its buttons.
        .buttonStyle(.borderless)
      }
    }

    private func button(
      _ label: LocalizedStringKey, image: String, to page: Int
    ) -> some View {
      Button {
        show(page)
      } label: {
        Image(systemName: image)
      }
      .accessibilityLabel(label)
    }

    private func show(_ page: Int) {
      controller.perform { $0.show(page) }
    }
  }

  /// The number of hits, and the time of the engine, as a text.
  ///
  /// ```swift
  /// SearchStatsView(stats)
  /// SearchStatsView(stats) { Text("\($0.nbHits) films") }
  /// ```
  ///
  /// It is empty before the first results.
  public struct SearchStatsView<Content: View>: View {
    private let controller: WidgetObservableController<SearchStats>
    private let content: @MainActor (SearchStats.View) -> Content

    /// Creates a custom view of statistics.
    ///
    /// - Parameters:
    ///   - controller: The controller, which must be connected.
    ///   - content: Returns the content for the view of the widget.
    public init(
      _ controller: WidgetObservableController<SearchStats>,
      @ViewBuilder content: @escaping @MainActor (SearchStats.View) -> Content
    ) {
      self.controller = controller
      self.content = content
    }

    /// The content.
    public var body: some View {
      if let view = controller.view, view.processingTimeMS != nil {
        content(view).accessibilityAddTraits(.updatesFrequently)
      }
    }
  }

  extension SearchStatsView where Content == Text {
    /// Creates a text with the number of hits and the time of the engine.
    ///
    /// - Parameter controller: The controller, which must be connected.
    public init(_ controller: WidgetObservableController<SearchStats>) {
      self.init(controller) { Self.text(of: $0) }
    }

    private static func text(of view: SearchStats.View) -> Text {
      let time = view.processingTimeMS ?? 0
      if view.areHitsSorted, let count = view.nbSortedHits {
        return Text("\(count) relevant results of \(view.nbHits) in \(time) ms")
      }
      return Text("\(view.nbHits) results in \(time) ms")
    }
  }
#endif
