public import Observation

/// A source of rows of hits for a view.
@MainActor
public protocol HitsSource: AnyObject {
  /// The type of the hits.
  associatedtype Record

  /// The number of rows, loaded or not.
  func numberOfHits() -> Int

  /// Returns the hit of a row, which counts as presented. `nil` if the row is not loaded.
  func hit(atIndex row: Int) -> Record?
}

extension HitsInteractor: HitsSource {}

/// A view of hits, or an object that updates one. An interactor calls its methods after changes.
@MainActor
public protocol HitsPresenting: AnyObject {
  /// The type of the source.
  associatedtype DataSource

  /// The source of the hits, which the connection sets. Declare it `weak`.
  var hitsSource: DataSource? { get set }

  /// Reads the rows again, after they have changed.
  func reload()

  /// Scrolls to the first row, after the request has changed. Does nothing by default.
  func scrollToTop()

  /// Shows the status beside the rows, after it has changed. Does nothing by default.
  func update(_ status: HitsStatus)
}

extension HitsPresenting {
  /// Does nothing.
  public func scrollToTop() {}
  /// Does nothing.
  public func update(_ status: HitsStatus) {}
}

/// A view of the hits of one index.
///
/// For SwiftUI use ``HitsObservableController``.
///
/// ```swift
/// final class Table: HitsController {
///   weak var hitsSource: HitsInteractor<Film>?
///   func reload() { … }
/// }
/// ```
@MainActor
public protocol HitsController: HitsPresenting where DataSource: HitsSource {}

/// A map of hits, or an object that updates one. The records have geolocations.
///
/// A map has no first row, so `scrollToTop()` is never called.
///
/// ```swift
/// final class ShopMap: GeoHitsController {
///   weak var hitsSource: HitsInteractor<Hit<Shop>>?
///
///   func reload() {
///     show(hitsSource?.locatedHits ?? [], within: hitsSource?.boundingBox)
///   }
/// }
/// ```
///
/// A map shows the loaded hits: the first page, and the pages that `loadNext()` loads. To show more
/// hits, set `hitsPerPage`, at most 1000, or create the interactor with a `pageCleanUpOffset` of
/// `nil`, so that no page is dropped.
@MainActor
public protocol GeoHitsController: HitsController where DataSource.Record: Geolocated {}

extension HitsInteractor {
  /// Shows the hits in a view.
  ///
  /// The controller's `hitsSource` becomes this interactor, which calls
  ///
  /// - `reload()` when rows have changed, and once after connecting if there are any,
  /// - `scrollToTop()` when the searcher's request has changed, before the response arrives, but
  ///   never on a ``GeoHitsController``,
  /// - `update(_:)` when the list starts or stops waiting for a response, and when a search fails.
  ///
  /// Changes that arrive while the main actor is busy are combined. The searcher's awaited
  /// `search()` returns after these calls for its response, so it waits for the main actor.
  ///
  /// Connecting the same controller again has no effect and returns the same connection. Once the
  /// connection is disconnected on the main actor, the controller is not called again, and its
  /// `hitsSource` is cleared soon after. Neither object is retained.
  ///
  /// - Returns: The connection, which stays active if it is dropped.
  @MainActor
  @discardableResult
  public func connectController<Controller: HitsController>(
    _ controller: Controller
  ) -> Connection where Controller.DataSource == HitsInteractor<Record> {
    driver.controllers.connect(
      controller, to: self, as: self, revisions: driver.revisions.stream())
  }
}

extension ControllerConnections<HitsRevisions> {
  /// Shows the rows of a source in a view; see ``connect(_:to:revisions:setSource:show:)``.
  ///
  /// - Parameters:
  ///   - source: The interactor, which is not retained.
  ///   - dataSource: The interactor as the type that the view requires.
  ///   - revisions: The numbers of changes of the source's rows and request.
  func connect<Controller: HitsPresenting>(
    _ controller: Controller, to source: AnyObject, as dataSource: Controller.DataSource,
    revisions: AsyncStream<HitsRevisions>
  ) -> Connection {
    // Maps are never scrolled to the top.
    let scrolls = !(controller is any GeoHitsController)
    return connect(controller, revisions: revisions) { controller in
      controller.hitsSource = dataSource
    } clearSource: { [weak source] controller in
      if let source, controller.hitsSource as AnyObject? === source {
        controller.hitsSource = nil
      }
    } show: { controller, newest, shown, isConnected in
      let before = shown ?? HitsRevisions()
      if scrolls, shown != nil, newest.request != before.request { controller.scrollToTop() }
      // The view may disconnect in each of these calls.
      if isConnected(), newest.rows != before.rows { controller.reload() }
      if isConnected(), newest.status != before.status { controller.update(newest.status) }
    }
  }
}

extension HitsRevisions: ControllerRevision {}

/// Hits as observable state, for SwiftUI and other observers.
///
/// ```swift
/// let controller = HitsObservableController<Film>()
/// interactor.connectController(controller)
/// ```
///
/// A view reads ``hits``, reports each row that appears, and uses ``scrollID`` as its identity.
/// With ``isLoading`` and ``failure`` it can show a progress indicator or an error.
@MainActor
@Observable
public final class HitsObservableController<Record: Decodable & Sendable>: HitsController {
  /// The rows, with `nil` for each row that is not loaded. Reading them copies no records.
  public private(set) var hits = HitsRows<Record>(nil)

  /// Whether the list waits for a response, and the newest failure.
  public private(set) var status = HitsStatus()

  /// Whether a search is pending whose response will replace the rows.
  public var isLoading: Bool { status.isLoading }

  /// Whether more pages of the same search are being loaded.
  public var isLoadingPage: Bool { status.isLoadingPage }

  /// The error of the newest search, if it failed.
  public var failure: SearchError? { status.failure }

  /// A number that changes when the list should return to its first row.
  public private(set) var scrollID = 0

  /// The interactor that these hits come from, which the connection sets.
  @ObservationIgnored public weak var hitsSource: HitsInteractor<Record>?

  /// Creates a controller without hits or a connection.
  public init() {}

  /// Reads the rows again.
  public func reload() {
    hits = hitsSource?.state.hits ?? HitsRows(nil)
  }

  /// Changes ``scrollID``.
  public func scrollToTop() {
    scrollID += 1
  }

  /// Sets ``status``.
  public func update(_ status: HitsStatus) {
    self.status = status
  }

  /// Reports that a row appeared, so that the pages around it are loaded.
  public func notifyAppearanceOfHit(atIndex row: Int) {
    hitsSource?.notifyDidPresentRow(atIndex: row)
  }
}
