/// A hits interactor as a section of a ``MultiIndexHitsInteractor``.
///
/// Only the library's interactors can create a section.
public struct HitsSection: Sendable {
  let driver: any HitsSectionDriver

  init(_ driver: any HitsSectionDriver) { self.driver = driver }
}

/// The driver of an interactor of any record type, for a list of sections.
///
/// Methods that change the section take the ID of the `observer` that calls them. It is not called
/// for that change.
protocol HitsSectionDriver: AnyObject, Sendable {
  /// The displayed state, and the numbers of its changes.
  var sectionState: HitsSectionState { get }

  /// The number of visible rows, loaded or not.
  var numberOfHits: Int { get }
  /// Loads the pages around a row, which is presented.
  func present(_ row: Int)
  /// Returns the original JSON of a row, which counts as presented. `nil` if its page is not
  /// loaded.
  func rawHit(atIndex row: Int) -> JSON?
  /// Returns the record of a row as the expected type, without conversion. The row counts as
  /// presented. Throws `decoding` if the records have another type.
  func hit<Other>(atIndex row: Int, as type: Other.Type) throws(SearchError) -> Other?

  /// Calls the observer after each change, without any lock, until it is removed.
  func addObserver(_ observer: @escaping @Sendable (HitsSectionEvent) -> Void) -> UInt64
  func removeObserver(_ id: UInt64)

  /// Connects to a source in place of the previous one, unless it is the same. `nil` equals no
  /// source.
  ///
  /// - Returns: The link, and the effects to perform without any lock.
  func attach(
    to source: (any AnyObject & Sendable)?, pageLoader: PageLoader, for observer: UInt64?,
    filter: @escaping LinkedSearcher.Filter
  ) -> (link: HitsLink.Outcome, effects: [@Sendable () -> Void])
  /// Ends a link if it is the newest. Returns the effects to perform without any lock.
  func detach(_ link: Connection, for observer: UInt64?) -> [@Sendable () -> Void]
  /// Connects the section's filter state and the searcher of its link, if both exist and are not
  /// connected.
  func filterSearcher()
  /// Decodes a response, so that it can be shown without waiting.
  func prepare(_ response: SearchAnswer) async
  /// Returns the response that the section will show for a status, if it is not decoded yet.
  func unpreparedResponse(of status: HitsSearcherStatus, on link: Connection) -> SearchAnswer?
  /// Applies the status of a link's searcher. Its response is shown if it is decoded.
  ///
  /// - Returns: The effects to perform without any lock.
  func stage(
    _ status: HitsSearcherStatus, on link: Connection, for observer: UInt64?
  ) -> [@Sendable () -> Void]
  /// Waits until the section's views show its state. `false` if the task is cancelled first.
  func present() async -> Bool
}

/// The displayed state of an interactor of any record type, and the numbers of its changes.
struct HitsSectionState: Sendable {
  let displayed: any AnyHitsState
  let revisions: HitsRevisions
  /// The number of published states.
  let publishCount: UInt64
}

/// A change or an error of an interactor.
enum HitsSectionEvent: Sendable {
  /// The displayed state or the request changed.
  case changed
  /// An error was published.
  case failed(SearchError)
}

extension HitsDriver: HitsSectionDriver {
  var sectionState: HitsSectionState {
    state.withLock { state in
      HitsSectionState(
        displayed: state.machine.displayedState, revisions: state.machine.revisions,
        publishCount: state.publishCount)
    }
  }

  var numberOfHits: Int { visible?.rowCount ?? 0 }

  func rawHit(atIndex row: Int) -> JSON? {
    present(row)
    guard let (page, slot) = visible?.slot(of: row) else { return nil }
    return page.source?.rawHit(at: slot) ?? page.slots[slot] as? JSON
  }

  func hit<Other>(atIndex row: Int, as type: Other.Type) throws(SearchError) -> Other? {
    present(row)
    guard let record = visible?[row] else { return nil }
    return try cast(record, row: row, to: type)
  }

  func addObserver(_ observer: @escaping @Sendable (HitsSectionEvent) -> Void) -> UInt64 {
    state.withLock { state in
      let id = state.makeID()
      state.observers[id] = observer
      return id
    }
  }

  func removeObserver(_ id: UInt64) {
    // The observer's captures are released after the lock.
    let observer = state.withLock { $0.observers.removeValue(forKey: id) }
    withExtendedLifetime(observer) {}
  }

  func prepare(_ response: SearchAnswer) async {
    _ = await response.page(of: Record.self)
  }

  func unpreparedResponse(of status: HitsSearcherStatus, on link: Connection) -> SearchAnswer? {
    state.withLock { state in
      guard state.link.connection === link, state.machine.needsResponse(of: status),
        let response = status.response, response.decodedPage(of: Record.self) == nil
      else { return nil }
      return response
    }
  }

  func stage(
    _ status: HitsSearcherStatus, on link: Connection, for observer: UInt64?
  ) -> [@Sendable () -> Void] {
    stage(for: observer) { state in
      guard state.link.connection === link else { return ([], ()) }
      let page = status.response?.decodedPage(of: Record.self)
      return (state.machine.statusChanged(status, page: page), ())
    }.effects
  }
}
