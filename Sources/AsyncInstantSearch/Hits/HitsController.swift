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
/// A map shows the loaded hits: those of the first page, and of the pages that `loadNext()` loads.
/// To show more hits, set `hitsPerPage`, at most 1000, or create the interactor with a
/// `pageCleanUpOffset` of `nil`, so that no page is dropped.
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

/// The connections of an interactor to the views that show its hits, one for each view.
@MainActor
final class ControllerConnections {
  private struct Entry {
    weak var controller: AnyObject?
    let connection: Connection
    let updates: ViewUpdates
  }

  private var entries: [Entry] = []
  /// Whether a view has ever been connected.
  private nonisolated let isUsed = Lock(false)

  nonisolated init() {}

  /// Shows the rows of a source in a view. Returns the existing connection of a view that shows
  /// them already.
  ///
  /// - Parameters:
  ///   - source: The interactor, which is not retained.
  ///   - dataSource: The interactor as the type that the view requires.
  ///   - revisions: The numbers of changes of the source's rows and request.
  func connect<Controller: HitsPresenting>(
    _ controller: Controller, to source: AnyObject, as dataSource: Controller.DataSource,
    revisions: AsyncStream<HitsRevisions>
  ) -> Connection {
    if let connection = connection(to: controller) { return connection }
    isUsed.withLock { $0 = true }
    let updates = ViewUpdates(controller)
    let tasks = TaskBag<Int>()
    let follow: @MainActor @Sendable () async -> Void = {
      [weak self, weak controller, weak source] in
      for await newest in revisions {
        guard !Task.isCancelled, updates.show(newest) else { break }
      }
      updates.end()
      guard let self, let controller, let source,
        controller.hitsSource as AnyObject? === source
      else { return }
      // The controller may have been connected again.
      if self.connection(to: controller) == nil { controller.hitsSource = nil }
    }
    tasks.replace(0) {
      await follow()
      // The task retains the bag, because the connection stays active if it is dropped.
      withExtendedLifetime(tasks) {}
    }
    let connection = Connection { tasks.cancelAll() }
    updates.connection = connection
    entries.append(Entry(controller: controller, connection: connection, updates: updates))
    controller.hitsSource = dataSource
    return connection
  }

  /// Waits until the views show `newest` or a newer revision. Cancelling the task ends the wait,
  /// because the main actor may be busy.
  ///
  /// - Returns: Whether they show it. `false` if the task was cancelled.
  nonisolated func present(_ newest: HitsRevisions?) async -> Bool {
    guard let newest, isUsed.withLock({ $0 }) else { return true }
    let show: @concurrent @Sendable () async -> Bool? = {
      await self.show(newest)
      return true
    }
    return await Race.first(of: [show], onCancel: false)
  }

  private func show(_ newest: HitsRevisions) {
    for entry in entries { _ = entry.updates.show(newest) }
  }

  private func connection(to controller: AnyObject) -> Connection? {
    entries.removeAll { $0.controller == nil || !$0.connection.isConnected }
    return entries.first { $0.controller === controller }?.connection
  }
}

/// Brings one view up to date.
@MainActor
private final class ViewUpdates {
  private weak var controller: (any HitsPresenting)?
  private let scrolls: Bool
  private var shown: HitsRevisions?
  private var hasEnded = false
  weak var connection: Connection?

  init(_ controller: some HitsPresenting) {
    self.controller = controller
    // Maps are never scrolled to the top.
    scrolls = !(controller is any GeoHitsController)
  }

  /// Whether the view is connected.
  private var isConnected: Bool { !hasEnded && connection?.isConnected != false }

  /// Makes the view show a revision, unless it does already. `false` if the view is deallocated or
  /// disconnected.
  func show(_ newest: HitsRevisions) -> Bool {
    guard let controller, isConnected else { return false }
    let before = shown ?? HitsRevisions()
    if shown != nil, newest.count <= before.count { return true }
    let isFirst = shown == nil
    shown = newest
    if scrolls, !isFirst, newest.request != before.request { controller.scrollToTop() }
    // The view may disconnect in each of these calls.
    if isConnected, newest.rows != before.rows { controller.reload() }
    if isConnected, newest.status != before.status { controller.update(newest.status) }
    return true
  }

  /// Makes later calls of ``show(_:)`` do nothing.
  func end() {
    hasEnded = true
  }
}

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
    hits = hitsSource?.state.rows ?? HitsRows(nil)
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
