/// One of several hits interactors whose hits are shown together; see ``MultiIndexHitsInteractor``.
///
/// Only the library's interactors can make one.
public struct HitsSection: Sendable {
  let storage: any HitsSectionStorage

  init(_ storage: any HitsSectionStorage) { self.storage = storage }
}

/// The moving parts of an interactor as those who show several together need them, whatever its
/// record type.
protocol HitsSectionStorage: AnyObject, Sendable {
  /// What is shown, and how often it changed.
  var face: HitsSectionFace { get }

  /// Calls the observer after each change, without any lock, until it is removed.
  func addObserver(_ observer: @escaping @Sendable (HitsSectionEvent) -> Void) -> UInt64
  func removeObserver(_ id: UInt64)

  /// Makes a link in place of the one before, unless there is one to the same source; `nil` is the
  /// same as none.
  func attach(
    to source: (any AnyObject & Sendable)?, pageLoader: PageLoader,
    filter: @escaping @Sendable (FilterState) -> Connection?
  ) -> (link: HitsLink, isNew: Bool)
  /// Tells where the source of a link stands; returns whether its answer is wanted.
  func stand(_ standing: HitsStanding, on link: UInt64) -> Bool
  /// Decodes an answer for a link; what is returned shows it.
  func decode(_ answer: HitsResponse, on link: UInt64) async -> @Sendable () -> Void
}

/// What an interactor shows at one moment.
struct HitsSectionFace: Sendable {
  let snapshot: any AnyHitsSnapshot
  let revisions: HitsRevisions
  /// How many snapshots were published.
  let publishCount: UInt64
}

/// What happened to an interactor.
enum HitsSectionEvent: Sendable {
  /// What is shown, or the request, is another now.
  case changed
  /// An error was published.
  case failed(SearchError)
}

extension HitsStorage: HitsSectionStorage {
  var face: HitsSectionFace {
    state.withLock { state in
      HitsSectionFace(
        snapshot: state.machine.snapshot, revisions: state.machine.revisions,
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

  func stand(_ standing: HitsStanding, on link: UInt64) -> Bool {
    apply { state in
      guard state.link?.id == link else { return ([], false) }
      let isWanted = state.machine.expectsAnswer(of: standing)
      return (state.machine.stood(standing), isWanted)
    }
  }

  func decode(_ answer: HitsResponse, on link: UInt64) async -> @Sendable () -> Void {
    let page = await answer.page(of: Record.self)
    return {
      self.apply { state in
        guard state.link?.id == link else { return ([], ()) }
        return (state.machine.answered(page, response: answer), ())
      }
    }
  }
}
