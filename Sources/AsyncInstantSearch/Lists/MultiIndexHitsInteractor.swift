/// The hits of several indices as sections of one list.
///
/// ```swift
/// let actors = HitsInteractor<Hit<Actor>>(infiniteScrolling: .off)
/// let movies = HitsInteractor<Hit<Movie>>(infiniteScrolling: .off)
/// let hits = MultiIndexHitsInteractor(hitsInteractors: [actors, movies])
/// hits.connectSearcher(searcher)
/// ```
///
/// The interactors are in the order of the sections and of the searcher's indices. Each can still
/// be used alone: a separate view can show its hits, and its rows load their pages, with one
/// request to its index for each page. ``MultiIndexHits`` keeps the types of the records.
///
/// All members can be used from any thread or actor.
///
/// ## Behavior
///
/// - One state is published for each search, when all sections have the hits of that search. No
///   state mixes sections of different searches.
/// - The interactor of a section can be connected to another searcher later, alone or as a section
///   of another list. It then shows those hits, and searches of this list no longer change it. To
///   take it back, disconnect this list and connect it again.
/// - If an index has no result, its section is unchanged, with the error as its `failure`. The
///   other sections have their hits.
/// - A hit that cannot be decoded leaves its row `nil`, in its section only.
/// - No shutdown is needed: when the interactor is deallocated, its streams end.
public final class MultiIndexHitsInteractor: Sendable {
  /// The interactors, by section.
  public let hitsInteractors: [any AnyHitsInteractor]

  let driver: MultiIndexHitsDriver

  /// Creates an interactor without a connection.
  ///
  /// - Parameters:
  ///   - hitsInteractors: The interactors, in the order of the sections. If one of them occurs
  ///     twice, the searcher fills only the last of its sections.
  ///   - executor: The executor of the interactor's tasks. Defaults to the global one.
  public init(
    hitsInteractors: [any AnyHitsInteractor], executor: (any TaskExecutor)? = nil
  ) {
    self.hitsInteractors = hitsInteractors
    driver = MultiIndexHitsDriver(
      sections: hitsInteractors.map(\.section.driver), executor: executor)
  }

  deinit {
    driver.close()
  }

  /// Shows the hits of a searcher, with one section for each index: first its current response, if
  /// that belongs to its newest search, then each newer response.
  ///
  /// Connecting does not search. After each search, a section without an index has a `failure`. An
  /// index without a section is not shown.
  ///
  /// Connecting the same searcher again has no effect and returns the same connection. Connecting
  /// another one ends the previous connection. When a connection ends, the rows stay and no pages
  /// are loaded. Neither object retains the other.
  ///
  /// - Returns: The connection, which stays active if it is dropped.
  @discardableResult
  public func connectSearcher(_ searcher: MultiIndexSearcher) -> Connection {
    driver.connect(searcher)
  }
}

// MARK: - Sections and rows

extension MultiIndexHitsInteractor {
  /// Returns the number of sections.
  public func numberOfSections() -> Int { hitsInteractors.count }

  /// Returns the number of rows of a section, loaded or not. 0 if the section does not exist.
  public func numberOfHits(inSection section: Int) -> Int {
    self[section: section]?.section.driver.numberOfHits ?? 0
  }

  /// The interactor of a section. `nil` if the section does not exist.
  public subscript(section section: Int) -> (any AnyHitsInteractor)? {
    hitsInteractors.indices.contains(section) ? hitsInteractors[section] : nil
  }

  /// Returns the record of a row, which counts as presented. `nil` if it is not loaded or could not
  /// be decoded, or if the row does not exist.
  ///
  /// - Throws: `decoding` if the section's records have another type. `invalidRequest` if the
  ///   section does not exist.
  public func hit<Record>(
    atIndex row: Int, inSection section: Int, as type: Record.Type = Record.self
  ) throws(SearchError) -> Record? {
    try interactor(section).section.driver.hit(atIndex: row, as: type)
  }

  /// Returns the original JSON of a row, which counts as presented. `nil` if its page is not
  /// loaded, or if the row or section does not exist.
  public func rawHit(atIndex row: Int, inSection section: Int) -> JSON? {
    self[section: section]?.section.driver.rawHit(atIndex: row)
  }

  /// Reports that a row is presented, so that the pages around it are loaded.
  public func notifyDidPresentRow(atIndex row: Int, inSection section: Int) {
    self[section: section]?.section.driver.present(row)
  }

  /// Returns the interactor of a section with its type.
  ///
  /// - Throws: `decoding` if the section's records have another type. `invalidRequest` if the
  ///   section does not exist.
  public func hitsInteractor<Record>(
    forSection section: Int, of type: Record.Type = Record.self
  ) throws(SearchError) -> HitsInteractor<Record> {
    guard let typed = try interactor(section) as? HitsInteractor<Record> else {
      throw SearchError(.decoding, "Section \(section) has no records of type \(Record.self).")
    }
    return typed
  }

  /// Returns the first section of an interactor. `nil` if it has no section.
  public func section(of interactor: any AnyHitsInteractor) -> Int? {
    hitsInteractors.firstIndex { $0 === interactor }
  }

  /// Returns whether an interactor is one of the sections.
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
  /// Returns the displayed states: the current one first, then one for each change. A search is one
  /// change.
  ///
  /// Each call creates a new subscription, which does not retain the interactor. By default a slow
  /// consumer receives only the newest state.
  public func states(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<MultiIndexHitsState> {
    driver.states.stream(buffering: buffering)
  }

  /// The displayed states: the current one first, then the newest.
  public var states: AsyncStream<MultiIndexHitsState> { states() }

  /// The displayed state.
  public var state: MultiIndexHitsState { driver.displayedState }

  /// The number of times that the sections were combined in order to be published.
  package var updateCount: Int { driver.updateCount }

  /// Returns the displayed state once no search is pending; see ``HitsInteractor/settledState()``.
  ///
  /// A section without a response has the error as its `failure`.
  ///
  /// - Throws: The error of the newest search, if no section has a response. `cancelled` if the
  ///   calling task is cancelled.
  public func settledState() async throws(SearchError) -> MultiIndexHitsState {
    defer { withExtendedLifetime(self) {} }
    let state = try await driver.settledState().get()
    guard await driver.present() else { throw .cancelledBeforeViews }
    return state
  }

  /// Returns the errors of hits that could not be decoded, and of pages that could not be loaded,
  /// with their sections.
  ///
  /// The searcher reports failed searches, which are also the `failure` of the sections. Each call
  /// creates a new subscription to later errors, which keeps the newest 16 until they are read.
  public func errors(
    buffering: StreamBuffering = .newest(16)
  ) -> AsyncStream<SectionFailure> {
    driver.errors.stream(buffering: buffering)
  }

  /// The errors of hits that could not be decoded, and of pages that could not be loaded, with
  /// their sections.
  public var errors: AsyncStream<SectionFailure> { errors() }
}

/// The hits of several indices as sections that keep the types of their records.
///
/// If the sections are known only at run time, use ``MultiIndexHitsInteractor``.
///
/// ```swift
/// let hits = MultiIndexHits(HitsInteractor<Hit<Actor>>(), HitsInteractor<Hit<Movie>>())
/// hits.connectSearcher(searcher)
/// for await (actors, movies) in hits.states { draw(actors.hits, movies.hits) }
/// ```
///
/// See ``MultiIndexHitsInteractor`` for the behavior.
public struct MultiIndexHits<each Record: Decodable & Sendable>: Sendable {
  /// The interactors, by section.
  public let interactors: (repeat HitsInteractor<each Record>)
  /// The interactor of the sections, without the types of their records.
  public let interactor: MultiIndexHitsInteractor

  /// Creates sections from interactors.
  ///
  /// - Parameters:
  ///   - interactors: The interactors, in the order of the sections and of the searcher's indices.
  ///   - executor: The executor of the tasks. Defaults to the global one.
  public init(
    _ interactors: repeat HitsInteractor<each Record>, executor: (any TaskExecutor)? = nil
  ) {
    self.interactors = (repeat each interactors)
    var all: [any AnyHitsInteractor] = []
    for interactor in repeat each interactors { all.append(interactor) }
    interactor = MultiIndexHitsInteractor(hitsInteractors: all, executor: executor)
  }

  /// Shows the hits of a searcher; see ``MultiIndexHitsInteractor/connectSearcher(_:)``.
  @discardableResult
  public func connectSearcher(_ searcher: MultiIndexSearcher) -> Connection {
    interactor.connectSearcher(searcher)
  }

  /// Returns the displayed states of the sections: the current ones first, then new ones for each
  /// change. A search is one change.
  ///
  /// Each call creates a new subscription. By default a slow consumer receives only the newest
  /// states.
  public func states(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<(repeat HitsState<each Record>)> {
    interactor.driver.states.stream(buffering: buffering) { Self.typed($0) }
  }

  /// The displayed states of the sections: the current ones first, then the newest.
  public var states: AsyncStream<(repeat HitsState<each Record>)> { states() }

  /// The displayed states of the sections.
  public var state: (repeat HitsState<each Record>) { Self.typed(interactor.state) }

  /// Returns the displayed states once no search is pending; see
  /// ``MultiIndexHitsInteractor/settledState()``.
  public func settledState() async throws(SearchError) -> (repeat HitsState<each Record>) {
    Self.typed(try await interactor.settledState())
  }

  private static func typed(
    _ state: MultiIndexHitsState
  ) -> (repeat HitsState<each Record>) {
    var sections = state.sections.makeIterator()
    return (repeat Self.typed(sections.next(), (each Record).self))
  }

  /// Returns a section's state with the type of the interactor at its position.
  private static func typed<One>(
    _ section: MultiIndexHitsState.Section?, _ type: One.Type
  ) -> HitsState<One> {
    section?.base as? HitsState<One> ?? HitsState<One>()
  }
}
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The displayed state of a ``MultiIndexHitsInteractor``. All sections show the same search.
public struct MultiIndexHitsState: Sendable {
  /// The sections, in the order of the interactors.
  public let sections: [Section]

  /// Whether a search is pending whose response will replace the rows.
  public var isLoading: Bool { sections.contains(where: \.isLoading) }

  /// The section at a position. `nil` if the position is out of range.
  public subscript(section position: Int) -> Section? {
    sections.indices.contains(position) ? sections[position] : nil
  }
}

extension MultiIndexHitsState {
  /// The displayed state of one section.
  public struct Section: Sendable {
    let base: any AnyHitsState

    /// The number of rows, loaded or not.
    public var numberOfHits: Int { base.numberOfHits }
    /// The number of hits that the server counts, which can be more than its pages reach.
    public var nbHits: Int { base.nbHits }
    /// The request that the rows belong to. `nil` before the first response.
    public var request: SearchRequest<JSON>? { base.request }
    /// The number of the search that the rows belong to. 0 before the first response.
    public var generation: UInt64 { base.generation }
    /// Whether a search is pending whose response will replace the rows.
    public var isLoading: Bool { base.isLoading }
    /// Whether more pages of the same search are being loaded.
    public var isLoadingPage: Bool { base.isLoadingPage }
    /// The error of the newest search for this section, if it failed. The rows still show the
    /// previous response.
    public var failure: SearchError? { base.failure }

    /// Returns the record of a row as the expected type, without conversion. `nil` if it is not
    /// loaded or there is no such row.
    ///
    /// - Throws: `decoding` if the records have another type.
    public func hit<Record>(
      atIndex row: Int, as type: Record.Type = Record.self
    ) throws(SearchError) -> Record? {
      try base.hit(atIndex: row, as: type)
    }

    /// Returns the displayed state with the type of its records.
    ///
    /// - Throws: `decoding` if the records have another type.
    public func state<Record>(
      of type: Record.Type = Record.self
    ) throws(SearchError) -> HitsState<Record> {
      guard let state = base as? HitsState<Record> else {
        throw SearchError(.decoding, "The section has no records of type \(Record.self).")
      }
      return state
    }
  }
}

/// An error of one section.
public struct SectionFailure: Error, Sendable, Hashable {
  /// The position of the section.
  public let section: Int
  /// The error.
  public let error: SearchError
}

extension SectionFailure: CustomStringConvertible {
  /// The section and its error. Safe to log.
  public var description: String { "Section \(section): \(error)" }
}

extension SectionFailure: LocalizedError {
  /// The text of ``description``, which `localizedDescription` returns as well. Safe to log.
  public var errorDescription: String? { description }

  /// The failure reason of the section's error.
  public var failureReason: String? { error.failureReason }

  /// The recovery suggestion of the section's error.
  public var recoverySuggestion: String? { error.recoverySuggestion }
}
