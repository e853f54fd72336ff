public import Observation

/// Hits as observable state, for SwiftUI or anything else that observes.
///
/// ```swift
/// let controller = HitsObservableController<Film>()
/// interactor.connectController(controller)
/// ```
///
/// A view reads ``hits``, reports each row that appears, and takes ``scrollID`` as its identity.
/// With ``isLoading`` and ``failure`` it can show a progress indicator or what went wrong.
@MainActor
@Observable
public final class HitsObservableController<Record: Decodable & Sendable>: HitsController {
  /// The rows, with `nil` for each that is not loaded. Reading them copies nothing.
  public private(set) var hits = HitsRows<Record>(nil)

  /// Whether the list waits for an answer, and what went wrong.
  public private(set) var status = HitsStatus()

  /// Whether a search is due or under way whose answer will take the place of the rows.
  public var isLoading: Bool { status.isLoading }

  /// Whether more pages of the same search are on their way.
  public var isLoadingPage: Bool { status.isLoadingPage }

  /// Why the newest search has no answer, if it failed.
  public var failure: SearchError? { status.failure }

  /// Another number whenever the list is to begin at its first row again.
  public private(set) var scrollID = 0

  /// The interactor whose hits these are; set by the connection.
  @ObservationIgnored public weak var hitsSource: HitsInteractor<Record>?

  /// Creates a controller without hits, connected to nothing.
  public init() {}

  /// Reads the rows again.
  public func reload() {
    hits = hitsSource?.snapshot.rows ?? HitsRows(nil)
  }

  /// Changes ``scrollID``.
  public func scrollToTop() {
    scrollID += 1
  }

  /// Shows what the list waits for.
  public func update(_ status: HitsStatus) {
    self.status = status
  }

  /// Reports that a row appeared, so that the pages around it are loaded.
  public func notifyAppearanceOfHit(atIndex row: Int) {
    hitsSource?.notifyDidPresentRow(atIndex: row)
  }
}
