public import Observation

/// Gives rows of hits to a view.
@MainActor
public protocol HitsSource: AnyObject {
  /// The type of the hits.
  associatedtype Record

  /// The number of rows, loaded or not.
  func numberOfHits() -> Int

  /// The hit of a row, which counts as presented; `nil` when it is not there.
  func hit(atIndex row: Int) -> Record?
}

extension HitsInteractor: HitsSource {}

/// A view of hits, or what stands before one: it is asked to read its source again when rows
/// changed.
@MainActor
public protocol HitsPresenting: AnyObject {
  /// The type of the source.
  associatedtype DataSource

  /// Where the hits come from; set by the connection. Declare it `weak`.
  var hitsSource: DataSource? { get set }

  /// The rows changed: reads them again.
  func reload()

  /// The request changed: goes to the first row. Does nothing by default.
  func scrollToTop()

  /// The list began or ceased to wait for an answer, or a search failed: shows that beside the
  /// rows. Does nothing by default.
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

/// A map of hits, or what stands before one: a view of records that know where they are.
///
/// It reads its source again when rows have changed, and never goes to the first row: a map
/// has none.
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
/// A map shows the hits that are loaded: those of the first page, and of others as `loadNext()`
/// loads them. Ask for as many as it is to show with `hitsPerPage`, at most 1000, or give the
/// interactor a `pageCleanUpOffset` of `nil`, so that no page is dropped.
@MainActor
public protocol GeoHitsController: HitsController where DataSource.Record: Geolocated {}

extension HitsInteractor {
  /// Shows the hits in a view from now on.
  ///
  /// The controller's `hitsSource` becomes this interactor. `reload()` is called when rows changed,
  /// and once at first if there are any; `scrollToTop()` when the searcher's request changed,
  /// before its answer is there, but never of a ``GeoHitsController``; `update(_:)` when the list
  /// begins or ceases to wait. Changes that come faster than the main actor are put together. The
  /// searcher's awaited `search()` returns when the controller was asked to show its answer, so it
  /// waits for the main actor.
  ///
  /// Connecting the same controller again changes nothing and gives the same connection. When the
  /// connection is undone on the main actor, the controller is not called any more; its
  /// `hitsSource` is cleared soon after. Neither object is held.
  ///
  /// - Returns: The connection; it stays when it is dropped.
  @MainActor
  @discardableResult
  public func connectController<Controller: HitsController>(
    _ controller: Controller
  ) -> Connection where Controller.DataSource == HitsInteractor<Record> {
    driver.controllers.connect(
      controller, to: self, as: self, revisions: driver.revisions.stream())
  }
}

/// The connections of an interactor to the views that show its hits.
@MainActor
final class ControllerConnections {
  private struct Entry {
    weak var controller: AnyObject?
    let connection: Connection
    let updates: ViewUpdates
  }

  private var entries: [Entry] = []
  /// Whether a view was ever connected.
  private nonisolated let isUsed = Lock(false)

  nonisolated init() {}

  /// Shows the rows of a source in a view from now on; a view that shows them already gets its
  /// connection back.
  ///
  /// - Parameters:
  ///   - source: The interactor; it is not held.
  ///   - dataSource: The same, as the view takes it.
  ///   - revisions: How often the source's rows and request changed.
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
      // It may have been connected again meanwhile.
      if self.connection(to: controller) == nil { controller.hitsSource = nil }
    }
    tasks.replace(0) {
      await follow()
      // The task holds the bag, because the connection stays when it is dropped.
      withExtendedLifetime(tasks) {}
    }
    let connection = Connection { tasks.cancelAll() }
    updates.connection = connection
    entries.append(Entry(controller: controller, connection: connection, updates: updates))
    controller.hitsSource = dataSource
    return connection
  }

  /// Waits until the views show at least what `newest` counts; the cancellation of the task ends
  /// the wait, as the main actor may be busy.
  ///
  /// - Returns: Whether they show it; `false` after a cancellation.
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

/// What one view shows, and what it has to be asked to do when that is not the newest.
@MainActor
private final class ViewUpdates {
  private weak var controller: (any HitsPresenting)?
  private let scrolls: Bool
  private var shown: HitsRevisions?
  private var hasEnded = false
  weak var connection: Connection?

  init(_ controller: some HitsPresenting) {
    self.controller = controller
    // A map has no first row.
    scrolls = !(controller is any GeoHitsController)
  }

  /// Whether the view is there and connected.
  private var isConnected: Bool { !hasEnded && connection?.isConnected != false }

  /// Makes the view show what it does not show yet; `false` when there is no view any more.
  func show(_ newest: HitsRevisions) -> Bool {
    guard let controller, isConnected else { return false }
    let before = shown ?? HitsRevisions()
    if shown != nil, newest.count <= before.count { return true }
    let isFirst = shown == nil
    shown = newest
    if scrolls, !isFirst, newest.request != before.request { controller.scrollToTop() }
    // The view may undo the connection in each of these calls.
    if isConnected, newest.rows != before.rows { controller.reload() }
    if isConnected, newest.status != before.status { controller.update(newest.status) }
    return true
  }

  /// Asks nothing of the view any more.
  func end() {
    hasEnded = true
  }
}

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
    hits = hitsSource?.state.rows ?? HitsRows(nil)
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
