#if canImport(SwiftUI)
  public import SwiftUI

  /// A scrolling list of hits, one view for each row.
  ///
  /// ```swift
  /// HitsList(controller) { film, _ in
  ///   Text(film?.title ?? "…")
  /// } noResults: {
  ///   Text("No films")
  /// }
  /// ```
  ///
  /// Rows are made when they come into view. Each tells of itself when it does, and again when the
  /// hits of a newer search take the place of those before, so that the pages around it are loaded.
  /// A newer request takes the list back to its first row.
  public struct HitsList<Record: Decodable & Sendable, Row: View, NoResults: View>: View {
    private let controller: HitsObservableController<Record>
    private let row: @MainActor (Record?, Int) -> Row
    private let noResults: (@MainActor () -> NoResults)?

    /// Creates a list of the hits of a controller.
    ///
    /// - Parameters:
    ///   - controller: the hits; connect it to a ``HitsInteractor``.
    ///   - row: makes the view of a row from its hit and its number, from 0. The hit is `nil` while
    ///     its page is not loaded, and when it does not fit `Record`.
    ///   - noResults: makes the view that is shown while there are no rows, also before the first
    ///     answer.
    public init(
      _ controller: HitsObservableController<Record>,
      @ViewBuilder row: @escaping @MainActor (Record?, Int) -> Row,
      @ViewBuilder noResults: @escaping @MainActor () -> NoResults
    ) {
      self.controller = controller
      self.row = row
      self.noResults = noResults
    }

    /// The list, or what is shown instead while there are no rows.
    public var body: some View {
      let hits = controller.hits
      // A row that stays in view does not appear again, but the list it belongs to is another one.
      let generation = controller.hitsSource?.snapshot.generation
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
    /// Creates a list of the hits of a controller, which is empty while there are no rows.
    ///
    /// - Parameters:
    ///   - controller: the hits; connect it to a ``HitsInteractor``.
    ///   - row: makes the view of a row from its hit and its number, from 0. The hit is `nil` while
    ///     its page is not loaded, and when it does not fit `Record`.
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
