/// The hits of several indices as sections that keep the types of their records.
///
/// ```swift
/// let hits = MultiIndexHits(HitsInteractor<Hit<Actor>>(), HitsInteractor<Hit<Movie>>())
/// hits.connectSearcher(searcher)
/// for await (actors, movies) in hits.snapshots { draw(actors.rows, movies.rows) }
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

  /// What is shown: the current snapshots first, then one of each section for each change, which is
  /// one for each search.
  ///
  /// Each call makes a new subscription. By default a slow consumer finds only the newest.
  public func snapshots(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<(repeat HitsSnapshot<each Record>)> {
    interactor.storage.snapshots.stream(buffering: buffering) { Self.typed($0) }
  }

  /// What is shown: the current snapshots first, then the newest.
  public var snapshots: AsyncStream<(repeat HitsSnapshot<each Record>)> { snapshots() }

  /// What is shown now.
  public var snapshot: (repeat HitsSnapshot<each Record>) { Self.typed(interactor.snapshot) }

  /// What is shown once no search is due or under way; as
  /// ``MultiIndexHitsInteractor/settledSnapshot()``.
  public func settledSnapshot() async throws(SearchError) -> (repeat HitsSnapshot<each Record>) {
    Self.typed(try await interactor.settledSnapshot())
  }

  private static func typed(
    _ snapshot: MultiIndexHitsSnapshot
  ) -> (repeat HitsSnapshot<each Record>) {
    var sections = snapshot.sections.makeIterator()
    return (repeat Self.typed(sections.next(), (each Record).self))
  }

  /// A section's snapshot with its type, which is that of the interactor at its position.
  private static func typed<One>(
    _ section: MultiIndexHitsSnapshot.Section?, _ type: One.Type
  ) -> HitsSnapshot<One> {
    section?.base as? HitsSnapshot<One> ?? HitsSnapshot<One>()
  }
}
