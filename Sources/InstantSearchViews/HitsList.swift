// A program imports the views and finds what they show.
@_exported public import AsyncInstantSearch

#if canImport(SwiftUI)
  public import SwiftUI

  /// A scrolling list of hits with one view per row.
  ///
  /// In UIKit use `HitsTableViewController`.
  ///
  /// ```swift
  /// HitsList(controller) { film, _ in
  ///   Text(film?.title ?? "…")
  /// } noResults: {
  ///   Text("No films")
  /// }
  /// ```
  ///
  /// A row is created when it becomes visible. It then notifies the interactor, and again when the
  /// hits of a newer search replace the previous ones, so that the pages around it are loaded. A
  /// newer request scrolls the list to its first row.
  public struct HitsList<Record: Decodable & Sendable, Row: View, NoResults: View>: View {
    private let controller: HitsObservableController<Record>
    private let row: @MainActor (Record?, Int) -> Row
    private let noResults: (@MainActor () -> NoResults)?

    /// Creates a list of the hits of a controller.
    ///
    /// - Parameters:
    ///   - controller: The controller, which must be connected to a ``HitsInteractor``.
    ///   - row: Returns the view of a row for its hit and its index, counted from 0. The hit is
    ///     `nil` while its page is not loaded, and if it does not match `Record`.
    ///   - noResults: Returns the view to show while there are no rows, including before the first
    ///     response.
    public init(
      _ controller: HitsObservableController<Record>,
      @ViewBuilder row: @escaping @MainActor (Record?, Int) -> Row,
      @ViewBuilder noResults: @escaping @MainActor () -> NoResults
    ) {
      self.controller = controller
      self.row = row
      self.noResults = noResults
    }

    /// The list, or the alternative view while there are no rows.
    public var body: some View {
      let hits = controller.hits
      // A row that stays visible does not appear again, but its list has changed.
      let generation = controller.hitsSource?.state.generation
      if hits.isEmpty, let noResults {
        noResults()
      } else {
        ScrollView {
          LazyVStack {
            ForEach(hits.indices, id: \.self) { index in
              row(hits[index], index)
                .onAppear { controller.notifyAppearanceOfHit(atIndex: index) }
                .onChange(of: generation) { controller.notifyAppearanceOfHit(atIndex: index) }
            }
          }
        }
        .id(controller.scrollID)
      }
    }
  }

  extension HitsList where NoResults == Never {
    /// Creates a list of the hits of a controller that is empty while there are no rows.
    ///
    /// - Parameters:
    ///   - controller: The controller, which must be connected to a ``HitsInteractor``.
    ///   - row: Returns the view of a row for its hit and its index, counted from 0. The hit is
    ///     `nil` while its page is not loaded, and if it does not match `Record`.
    public init(
      _ controller: HitsObservableController<Record>,
      @ViewBuilder row: @escaping @MainActor (Record?, Int) -> Row
    ) {
      self.controller = controller
      self.row = row
      noResults = nil
    }
  }
#endif
