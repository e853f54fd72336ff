/// The moving parts of a multi-index interactor: it leads the interactors of the sections through the
/// searcher's rounds, and publishes what they show together.
///
/// The sections decide for themselves what they show. While a round is told to one after the other,
/// nothing is published; after it, and after each change of a section on its own, what all show is
/// put together under one lock, which fixes the order.
final class MultiIndexHitsStorage: Sendable {
  private struct Link: Sendable {
    let id: UInt64
    weak var searcher: MultiIndexSearcher?
    let connection: Connection
    /// The sections' links, by position.
    var sections: [HitsLink] = []
    var task: Task<Void, Never>?

    /// Ends the link and those of the sections.
    func end() {
      task?.cancel()
      connection.disconnect()
      for section in sections { section.connection.disconnect() }
    }
  }

  private struct State: Sendable {
    var link: Link?
    var nextID: UInt64 = 0
    /// How many rounds are being told to the sections.
    var openRounds = 0
    /// The link to which the sections are being connected, if they are.
    var attaching: UInt64?
    /// What the sections showed when they were last published.
    var publishCounts: [UInt64] = []
    var observers: [UInt64] = []
  }

  let snapshots: StreamHub<MultiIndexHitsSnapshot>
  let revisions = StreamHub<HitsRevisions>(
    initial: HitsRevisions(), replaysCurrent: true, areEqual: ==)
  let errors = StreamHub<SectionFailure>(replaysCurrent: false)

  private let sections: [any HitsSectionStorage]
  private let state = Lock(State())
  private let executor: (any TaskExecutor)?

  init(sections: [any HitsSectionStorage], executor: (any TaskExecutor)?) {
    self.sections = sections
    self.executor = executor
    let faces = sections.map(\.face)
    snapshots = StreamHub(initial: MultiIndexHitsSnapshot(faces), replaysCurrent: true)
    state.withLock { $0.publishCounts = faces.map(\.publishCount) }
    let observers = sections.enumerated().map { position, section in
      section.addObserver { [weak self] event in
        switch event {
        case .changed: self?.publish()
        case .failed(let error):
          self?.errors.send(SectionFailure(section: position, error: error))
        }
      }
    }
    state.withLock { $0.observers = observers }
    // A section may have changed before it was observed.
    publish()
  }

  /// What is shown.
  var snapshot: MultiIndexHitsSnapshot { MultiIndexHitsSnapshot(sections.map(\.face)) }

  /// Ends everything: the connection is undone, streams are finished.
  func close() {
    let (connection, observers) = state.withLock { ($0.link?.connection, $0.observers) }
    connection?.disconnect()
    for (section, observer) in zip(sections, observers) { section.removeObserver(observer) }
    snapshots.finish()
    revisions.finish()
    errors.finish()
  }

  /// Publishes what the sections show, if it is not what was published last and no round is told.
  private func publish() {
    // What the snapshots hold is released here, not under the lock.
    let (faces, deliver) = state.withLock { state -> ([HitsSectionFace], @Sendable () -> Void) in
      guard state.openRounds == 0 else { return ([], {}) }
      let faces = sections.map(\.face)
      let newRevisions = revisions.stage(HitsRevisions(faces))
      let counts = faces.map(\.publishCount)
      guard counts != state.publishCounts else { return (faces, { newRevisions.perform() }) }
      state.publishCounts = counts
      let snapshot = snapshots.stage(MultiIndexHitsSnapshot(faces))
      return (
        faces,
        {
          snapshot.perform()
          newRevisions.perform()
        }
      )
    }
    deliver()
    withExtendedLifetime(faces) {}
  }

  /// Publishes nothing until the round has ended, however often the sections change.
  private func beginRound() {
    state.withLock { $0.openRounds += 1 }
  }

  private func endRound() {
    state.withLock { $0.openRounds -= 1 }
    publish()
  }
}

// MARK: - The searcher

extension MultiIndexHitsStorage {
  /// Follows a searcher instead of the one before; following the same one again changes nothing.
  func connect(_ searcher: MultiIndexSearcher) -> Connection {
    // The searcher that is compared with may be held by nobody else: it is released after the lock.
    let (connection, former, isNew, compared) = state.withLock {
      state -> (Connection, Link?, Bool, MultiIndexSearcher?) in
      let compared = state.link?.searcher
      if let link = state.link, compared === searcher {
        return (link.connection, nil, false, compared)
      }
      state.nextID += 1
      let id = state.nextID
      let connection = Connection { [weak self] in self?.detach(id) }
      defer { state.link = Link(id: id, searcher: searcher, connection: connection) }
      return (connection, state.link, true, compared)
    }
    withExtendedLifetime(compared) {}
    if isNew {
      beginRound()
      former?.end()
      attachSections()
      endRound()
    }
    return connection
  }

  /// Connects the sections to the searcher of the newest link. It is done by one thread at a time, or
  /// the sections would have the link that came last to each; whoever finds it being done leaves it.
  private func attachSections() {
    var attached: UInt64?
    while true {
      let (link, searcher) = state.withLock { state -> (Link?, MultiIndexSearcher?) in
        guard state.attaching == attached else { return (nil, nil) }
        state.attaching = state.link?.id == attached ? nil : state.link?.id
        return state.attaching == nil ? (nil, nil) : (state.link, state.link?.searcher)
      }
      guard let link else { return }
      attached = link.id
      if let searcher { follow(searcher, link) } else { link.connection.disconnect() }
    }
  }

  private func follow(_ searcher: MultiIndexSearcher, _ link: Link) {
    let links = sections.enumerated().map { position, section in
      section.attach(to: nil, pageLoader: searcher.pageLoader) { [weak searcher] filterState in
        searcher?.follow(filterState, at: position, isOwn: false)
      }.link
    }
    let standings = searcher.pipeline.standings.stream()
    let task = Task(executorPreference: executor) { [weak searcher] in
      for await standing in standings {
        await self.lead(links, through: standing) { searcher?.pipeline.generation }
      }
      // The searcher is gone.
      link.connection.disconnect()
    }
    let isWanted = state.withLock { state in
      guard state.link?.id == link.id else { return false }
      state.link?.sections = links
      state.link?.task = task
      return true
    }
    if !isWanted {
      task.cancel()
      for link in links { link.connection.disconnect() }
    }
  }

  /// Tells the sections where the searcher stands, and shows its answer in all of them at once.
  private func lead(
    _ links: [HitsLink],
    through standing: SearchStanding<[SearchRequest<JSON>], MultiIndexResponse>,
    newestGeneration: @escaping @Sendable () -> UInt64?
  ) async {
    beginRound()
    defer { endRound() }
    let parts = sections.indices.map { standing.section($0) }
    let wanted = sections.indices.filter { sections[$0].stand(parts[$0], on: links[$0].id) }
    if wanted.isEmpty { return }
    let shows = await withTaskGroup(of: (@Sendable () -> Void).self) { group in
      for position in wanted {
        guard let answer = parts[position].answer else { continue }
        let section = sections[position]
        let id = links[position].id
        group.addTask { await section.decode(answer, on: id) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    // A newer search may have begun meanwhile; where it stands comes next.
    guard newestGeneration() == standing.generation else { return }
    for show in shows { show() }
  }

  private func detach(_ id: UInt64) {
    let link = state.withLock { state -> Link? in
      guard let link = state.link, link.id == id else { return nil }
      state.link = nil
      return link
    }
    guard let link else { return }
    beginRound()
    link.end()
    endRound()
  }
}

extension SearchStanding<[SearchRequest<JSON>], MultiIndexResponse> {
  /// Where the searcher stands, as one of its indices sees it.
  fileprivate func section(_ position: Int) -> HitsStanding {
    guard request.indices.contains(position) else {
      let error = SearchError(
        .invalidRequest,
        "There is no index for section \(position); the searcher has \(request.count).")
      return HitsStanding(
        request: SearchRequest("", of: JSON.self), generation: generation, isPending: false,
        failure: error)
    }
    var part = HitsStanding(
      request: request[position], generation: generation, isPending: isPending, failure: failure)
    if let answer, answer.results.indices.contains(position) {
      switch answer.results[position] {
      case .success(let response): part.answer = response
      case .failure(let error):
        if answer.generation == generation { part.failure = error }
      }
    }
    return part
  }
}

extension MultiIndexHitsSnapshot {
  fileprivate init(_ faces: [HitsSectionFace]) {
    sections = faces.map { Section(base: $0.snapshot) }
  }
}

extension HitsRevisions {
  /// What changed in any section.
  fileprivate init(_ faces: [HitsSectionFace]) {
    self.init(
      rows: faces.reduce(0) { $0 &+ $1.revisions.rows },
      request: faces.reduce(0) { $0 &+ $1.revisions.request })
  }
}
