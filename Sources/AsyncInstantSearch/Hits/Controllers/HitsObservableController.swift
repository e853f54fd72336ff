public import Observation

/// Hits as observable state, for SwiftUI or anything else that observes.
///
/// ```swift
/// let controller = HitsObservableController<Film>()
/// interactor.connectController(controller)
/// ```
///
/// A view reads ``hits``, tells of each row that appears, and takes ``scrollID`` as its identity.
@MainActor
@Observable
public final class HitsObservableController<Record: Decodable & Sendable>: HitsController {
  /// The rows; `nil` stands for a row that is not loaded.
  public private(set) var hits: [Record?] = []

  /// Another number whenever the list is to begin at its first row again.
  public private(set) var scrollID = 0

  /// The interactor whose hits these are; set by the connection.
  @ObservationIgnored public weak var hitsSource: HitsInteractor<Record>?

  /// Creates a controller without hits, connected to nothing.
  public init() {}

  /// Reads the rows again.
  public func reload() {
    hits = hitsSource?.hits ?? []
  }

  /// Changes ``scrollID``.
  public func scrollToTop() {
    scrollID += 1
  }

  /// Tells that a row appeared, so that the pages around it are loaded.
  public func notifyAppearanceOfHit(atIndex row: Int) {
    hitsSource?.notifyDidPresentRow(atIndex: row)
  }
}
