/// One of several hits interactors whose hits are shown together; see ``MultiIndexHitsInteractor``.
///
/// Only the library's interactors can make one.
public struct HitsSection: Sendable {
  let driver: any HitsSectionDriver

  init(_ driver: any HitsSectionDriver) { self.driver = driver }
}

/// What an interactor is made of, as a list of sections needs it, whatever its record type.
///
/// An `observer` is the one that makes a change: it knows of the change and is not called for it.
protocol HitsSectionDriver: AnyObject, Sendable {
  /// What is shown, and how often it changed.
  var sectionState: HitsSectionState { get }

  /// Calls the observer after each change, without any lock, until it is removed.
  func addObserver(_ observer: @escaping @Sendable (HitsSectionEvent) -> Void) -> UInt64
  func removeObserver(_ id: UInt64)

  /// Connects to a source in place of the one before, unless it is the same; `nil` is the same as
  /// none.
  ///
  /// - Returns: The link, and what is to be done without any lock.
  func attach(
    to source: (any AnyObject & Sendable)?, pageLoader: PageLoader, for observer: UInt64?,
    filter: @escaping @Sendable (FilterState) -> Connection?
  ) -> (link: HitsLink.Outcome, effects: [@Sendable () -> Void])
  /// Ends a link if it is the newest; returns what is to be done without any lock.
  func detach(_ link: Connection, for observer: UInt64?) -> [@Sendable () -> Void]
  /// Connects the section's filter state with the searcher of its link, if there are both and they
  /// are not connected.
  func filterSearcher()
  /// Decodes an answer, so that it can be shown without waiting.
  func prepare(_ answer: HitsResponse) async
  /// The answer that a status makes the section show, if it is not decoded yet.
  func unpreparedAnswer(of status: HitsSearcherStatus, on link: Connection) -> HitsResponse?
  /// Takes over the status of a link's searcher; its answer is shown if it is decoded.
  ///
  /// - Returns: What is to be done without any lock.
  func stage(
    _ status: HitsSearcherStatus, on link: Connection, for observer: UInt64?
  ) -> [@Sendable () -> Void]
  /// Waits until the section's own views show what the section shows.
  func present() async -> Bool
}

/// What an interactor shows at one moment.
struct HitsSectionState: Sendable {
  let displayed: any AnyHitsState
  let revisions: HitsRevisions
  /// How many states were published.
  let publishCount: UInt64
}

/// What happened to an interactor.
enum HitsSectionEvent: Sendable {
  /// What is shown, or the request, is another now.
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

  func addObserver(_ observer: @escaping @Sendable (HitsSectionEvent) -> Void) -> UInt64 {
    state.withLock { state in
      let id = state.makeID()
      state.observers[id] = observer
      return id
    }
  }

  func removeObserver(_ id: UInt64) {
    // What it holds is released here, not under the lock.
    let observer = state.withLock { $0.observers.removeValue(forKey: id) }
    withExtendedLifetime(observer) {}
  }

  func prepare(_ answer: HitsResponse) async {
    _ = await answer.page(of: Record.self)
  }

  func unpreparedAnswer(of status: HitsSearcherStatus, on link: Connection) -> HitsResponse? {
    state.withLock { state in
      guard state.link.connection === link, state.machine.needsAnswer(of: status),
        let answer = status.answer, answer.decodedPage(of: Record.self) == nil
      else { return nil }
      return answer
    }
  }

  func stage(
    _ status: HitsSearcherStatus, on link: Connection, for observer: UInt64?
  ) -> [@Sendable () -> Void] {
    stage(for: observer) { state in
      guard state.link.connection === link else { return ([], ()) }
      let page = status.answer?.decodedPage(of: Record.self)
      return (state.machine.statusChanged(status, page: page), ())
    }.effects
  }
}
