/// The hits of several indices as sections of one list.
///
/// ```swift
/// let actors = HitsInteractor<Hit<Actor>>(infiniteScrolling: .off)
/// let movies = HitsInteractor<Hit<Movie>>(infiniteScrolling: .off)
/// let hits = MultiIndexHitsInteractor(hitsInteractors: [actors, movies])
/// hits.connectSearcher(searcher)
/// ```
///
/// The order of the interactors is that of the sections, and of the searcher's indices. Each
/// remains an interactor of its own: its hits can be shown in a view of their own, and its rows
/// load their pages, one request of its index for each. ``MultiIndexHits`` keeps the types of the
/// records.
///
/// All members can be used from any thread or actor.
///
/// ## Behavior
///
/// - One snapshot is published for each search, when all sections have the hits of that search; no
///   snapshot has some sections of one search and others of another.
/// - A section whose interactor is connected to something else afterwards, by itself or as a
///   section of another list, shows that, and is no part of the rounds any more. Undoing the
///   connection of the list and making it again takes the section back.
/// - An index without a result leaves its section as it was, with the reason as its `failure`; the
///   other sections have their hits.
/// - A hit that does not decode leaves its row `nil`, in its section only.
/// - Nothing needs to be shut down: when the last reference to the interactor goes, its streams
///   end.
public final class MultiIndexHitsInteractor: Sendable {
  /// The interactors, by section.
  public let hitsInteractors: [any AnyHitsInteractor]

  let storage: MultiIndexHitsStorage

  /// Creates an interactor connected to nothing.
  ///
  /// - Parameters:
  ///   - hitsInteractors: the interactors, in the order of the sections. One that comes twice is
  ///     two sections of which the searcher fills the last.
  ///   - executor: runs the interactor's tasks; the global one by default.
  public init(
    hitsInteractors: [any AnyHitsInteractor], executor: (any TaskExecutor)? = nil
  ) {
    self.hitsInteractors = hitsInteractors
    storage = MultiIndexHitsStorage(
      sections: hitsInteractors.map(\.section.storage), executor: executor)
  }

  deinit {
    storage.close()
  }

  /// Shows the hits of a searcher from now on, index by index in the sections: of the answer it
  /// has, if that is of its newest search, and of each newer one. Connecting does not search.
  ///
  /// A section without an index says so as its `failure` after each search; an index without a
  /// section is not shown. Connecting the same searcher again changes nothing and gives the same
  /// connection; connecting another one ends the connection before. When a connection ends the rows
  /// stay, and nothing is loaded any more. Neither object holds the other.
  ///
  /// - Returns: The connection; it stays when it is dropped.
  @discardableResult
  public func connectSearcher(_ searcher: MultiIndexSearcher) -> Connection {
    storage.connect(searcher)
  }
}

// MARK: - Sections and rows

extension MultiIndexHitsInteractor {
  /// The number of sections.
  public func numberOfSections() -> Int { hitsInteractors.count }

  /// The number of rows of a section, loaded or not; 0 when there is no such section.
  public func numberOfHits(inSection section: Int) -> Int {
    self[section: section]?.numberOfHits() ?? 0
  }

  /// The interactor of a section; `nil` when there is none.
  public subscript(section section: Int) -> (any AnyHitsInteractor)? {
    hitsInteractors.indices.contains(section) ? hitsInteractors[section] : nil
  }

  /// The record of a row, which counts as presented; `nil` when it is not loaded, did not decode,
  /// or there is no such row.
  ///
  /// - Throws: `decoding` when the section's records are of another type, `invalidRequest` when
  ///   there is no such section.
  public func hit<Record>(
    atIndex row: Int, inSection section: Int, as type: Record.Type = Record.self
  ) throws(SearchError) -> Record? {
    try interactor(section).genericHit(atIndex: row, as: type)
  }

  /// The record of a row as the JSON it came as, which counts as presented; `nil` when its page is
  /// not loaded, or there is no such row or section.
  public func rawHit(atIndex row: Int, inSection section: Int) -> JSON? {
    self[section: section]?.rawHit(atIndex: row)
  }

  /// Tells that a row is presented, so that the pages around it are loaded.
  public func notifyDidPresentRow(atIndex row: Int, inSection section: Int) {
    self[section: section]?.notifyDidPresentRow(atIndex: row)
  }

  /// The interactor of a section with its type.
  ///
  /// - Throws: `decoding` when the section's records are of another type, `invalidRequest` when
  ///   there is no such section.
  public func hitsInteractor<Record>(
    forSection section: Int, of type: Record.Type = Record.self
  ) throws(SearchError) -> HitsInteractor<Record> {
    guard let typed = try interactor(section) as? HitsInteractor<Record> else {
      throw SearchError(.decoding, "Section \(section) has no records of type \(Record.self).")
    }
    return typed
  }

  /// The section of an interactor, the first if there are several; `nil` when it is none of these.
  public func section(of interactor: any AnyHitsInteractor) -> Int? {
    hitsInteractors.firstIndex { $0 === interactor }
  }

  /// Whether an interactor is one of the sections.
  public func contains(_ interactor: any AnyHitsInteractor) -> Bool {
    section(of: interactor) != nil
  }

  private func interactor(_ section: Int) throws(SearchError) -> any AnyHitsInteractor {
    guard let interactor = self[section: section] else {
      throw SearchError(
        .invalidRequest, "There is no section \(section), there are \(hitsInteractors.count).")
    }
    return interactor
  }
}

// MARK: - Streams

extension MultiIndexHitsInteractor {
  /// What is shown: the current snapshot first, then one for each change, which is one for each
  /// search.
  ///
  /// Each call makes a new subscription, which does not hold the interactor. By default a slow
  /// consumer finds only the newest snapshot.
  public func snapshots(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<MultiIndexHitsSnapshot> {
    storage.snapshots.stream(buffering: buffering)
  }

  /// What is shown: the current snapshot first, then the newest.
  public var snapshots: AsyncStream<MultiIndexHitsSnapshot> { snapshots() }

  /// What is shown now.
  public var snapshot: MultiIndexHitsSnapshot { storage.snapshot }

  /// How often the sections were put together to be published.
  package var faceCount: Int { storage.faceCount }

  /// What is shown once no search is due or under way; as ``HitsInteractor/settledSnapshot()``.
  ///
  /// A section without an answer says why as its `failure`.
  ///
  /// - Throws: What made the newest search fail, if no section has an answer; `cancelled` when the
  ///   calling task is cancelled.
  public func settledSnapshot() async throws(SearchError) -> MultiIndexHitsSnapshot {
    defer { withExtendedLifetime(self) {} }
    let snapshot = try await storage.settledSnapshot().get()
    guard await storage.present() else { throw .cancelledBeforeViews }
    return snapshot
  }

  /// Hits that did not decode, and pages that could not be loaded, with their sections, from now
  /// on.
  ///
  /// Failed searches are among the searcher's own errors instead, and in the `failure` of the
  /// sections. Each call makes a new subscription, which keeps the newest 16 errors until they
  /// are read.
  public func errors(
    buffering: StreamBuffering = .newest(16)
  ) -> AsyncStream<SectionFailure> {
    storage.errors.stream(buffering: buffering)
  }

  /// Hits that did not decode, and pages that could not be loaded, with their sections, from now
  /// on.
  public var errors: AsyncStream<SectionFailure> { errors() }
}
