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
/// - One state is published for each search, when all sections have the hits of that search; no
///   state has some sections of one search and others of another.
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

  let driver: MultiIndexHitsDriver

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
    driver = MultiIndexHitsDriver(
      sections: hitsInteractors.map(\.section.driver), executor: executor)
  }

  deinit {
    driver.close()
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
    driver.connect(searcher)
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
  /// What is shown: the current state first, then one for each change, which is one for each
  /// search.
  ///
  /// Each call makes a new subscription, which does not hold the interactor. By default a slow
  /// consumer finds only the newest state.
  public func states(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<MultiIndexHitsState> {
    driver.states.stream(buffering: buffering)
  }

  /// What is shown: the current state first, then the newest.
  public var states: AsyncStream<MultiIndexHitsState> { states() }

  /// What is shown now.
  public var state: MultiIndexHitsState { driver.displayedState }

  /// How often the sections were put together to be published.
  package var updateCount: Int { driver.updateCount }

  /// What is shown once no search is due or under way; as ``HitsInteractor/settledState()``.
  ///
  /// A section without an answer says why as its `failure`.
  ///
  /// - Throws: What made the newest search fail, if no section has an answer; `cancelled` when the
  ///   calling task is cancelled.
  public func settledState() async throws(SearchError) -> MultiIndexHitsState {
    defer { withExtendedLifetime(self) {} }
    let state = try await driver.settledState().get()
    guard await driver.present() else { throw .cancelledBeforeViews }
    return state
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
    driver.errors.stream(buffering: buffering)
  }

  /// Hits that did not decode, and pages that could not be loaded, with their sections, from now
  /// on.
  public var errors: AsyncStream<SectionFailure> { errors() }
}

/// The hits of several indices as sections that keep the types of their records.
///
/// ```swift
/// let hits = MultiIndexHits(HitsInteractor<Hit<Actor>>(), HitsInteractor<Hit<Movie>>())
/// hits.connectSearcher(searcher)
/// for await (actors, movies) in hits.states { draw(actors.rows, movies.rows) }
/// ```
///
/// It behaves as the ``MultiIndexHitsInteractor`` that it contains.
public struct MultiIndexHits<each Record: Decodable & Sendable>: Sendable {
  /// The interactors, by section.
  public let interactors: (repeat HitsInteractor<each Record>)
  /// The sections without the types of their records.
  public let interactor: MultiIndexHitsInteractor

  /// Puts interactors together, in the order of the searcher's indices.
  ///
  /// - Parameters:
  ///   - interactors: the interactors of the sections.
  ///   - executor: runs the tasks; the global one by default.
  public init(
    _ interactors: repeat HitsInteractor<each Record>, executor: (any TaskExecutor)? = nil
  ) {
    self.interactors = (repeat each interactors)
    var all: [any AnyHitsInteractor] = []
    for interactor in repeat each interactors { all.append(interactor) }
    interactor = MultiIndexHitsInteractor(hitsInteractors: all, executor: executor)
  }

  /// Shows the hits of a searcher; as ``MultiIndexHitsInteractor/connectSearcher(_:)``.
  @discardableResult
  public func connectSearcher(_ searcher: MultiIndexSearcher) -> Connection {
    interactor.connectSearcher(searcher)
  }

  /// What is shown: the current states first, then one of each section for each change, which is
  /// one for each search.
  ///
  /// Each call makes a new subscription. By default a slow consumer finds only the newest.
  public func states(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<(repeat HitsState<each Record>)> {
    interactor.driver.states.stream(buffering: buffering) { Self.typed($0) }
  }

  /// What is shown: the current states first, then the newest.
  public var states: AsyncStream<(repeat HitsState<each Record>)> { states() }

  /// What is shown now.
  public var state: (repeat HitsState<each Record>) { Self.typed(interactor.state) }

  /// What is shown once no search is due or under way; as
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

  /// A section's state with its type, which is that of the interactor at its position.
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

/// What a ``MultiIndexHitsInteractor`` shows at one moment: the sections, all of one round.
public struct MultiIndexHitsState: Sendable {
  /// The sections, in the order of the interactors.
  public let sections: [Section]

  /// Whether a search is due or under way whose answer will take the place of the rows.
  public var isLoading: Bool { sections.contains(where: \.isLoading) }

  /// A section; `nil` when there is none at that position.
  public subscript(section position: Int) -> Section? {
    sections.indices.contains(position) ? sections[position] : nil
  }
}

extension MultiIndexHitsState {
  /// What one interactor of several shows.
  public struct Section: Sendable {
    let base: any AnyHitsState

    /// The number of rows, loaded or not.
    public var numberOfHits: Int { base.numberOfHits }
    /// How many hits the search has, counted by the server.
    public var nbHits: Int { base.nbHits }
    /// The request whose answer the rows are; `nil` before the first answer.
    public var request: SearchRequest<JSON>? { base.request }
    /// The number of the search whose answer the rows are; 0 before the first answer.
    public var generation: UInt64 { base.generation }
    /// Whether a search is due or under way whose answer will take the place of the rows.
    public var isLoading: Bool { base.isLoading }
    /// Whether more pages of the same search are on their way.
    public var isLoadingPage: Bool { base.isLoadingPage }
    /// Why the newest search has no answer for this section, if it failed; the rows are those of
    /// the answer before.
    public var failure: SearchError? { base.failure }

    /// The record of a row; `nil` when it is not loaded or there is no such row.
    ///
    /// - Throws: `decoding` when the records are of another type. Nothing is converted.
    public func hit<Record>(
      atIndex row: Int, as type: Record.Type = Record.self
    ) throws(SearchError) -> Record? {
      try base.hit(atIndex: row, as: type)
    }

    /// What is shown, with the type of its records.
    ///
    /// - Throws: `decoding` when the records are of another type.
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
  /// What went wrong.
  public let error: SearchError
}

extension SectionFailure: CustomStringConvertible {
  /// The section and what went wrong there; safe to log.
  public var description: String { "Section \(section): \(error)" }
}

extension SectionFailure: LocalizedError {
  /// The text of ``description``, which `localizedDescription` gives as well; safe to log.
  public var errorDescription: String? { description }

  /// What went wrong in the section.
  public var failureReason: String? { error.failureReason }

  /// What can be done about it; as for the section's error.
  public var recoverySuggestion: String? { error.recoverySuggestion }
}
