/// What a multi-index interactor is made of: it passes the searcher's status on to the interactors of the
/// sections, and publishes what they show together.
///
/// The sections decide for themselves what they show. A status is taken over by all of them under one
/// lock, so no snapshot has sections of two searches; what all show is put together under the same lock,
/// after each change of a section on its own as well, which fixes the order.
final class MultiIndexHitsStorage: Sendable {
  private typealias Effect = @Sendable () -> Void
  private typealias Status = SearcherStatus<[SearchRequest<JSON>], MultiIndexResponse>

  private struct Link: Sendable {
    let id: UInt64
    weak var searcher: MultiIndexSearcher?
    let connection: Connection
    /// The sections' links, by position.
    var sections: [HitsLink] = []
    /// Ends the observation of the searcher.
    var stopObserving: (@Sendable () -> Void)?

    /// Ends the link and those of the sections.
    func end() {
      stopObserving?()
      connection.disconnect()
      for section in sections { section.connection.disconnect() }
    }
  }

  /// The decoding of an answer that a searcher had when it was connected.
  private struct Decoding: Sendable {
    let link: UInt64
    let generation: UInt64
    var task: Task<Void, Never>?
    /// Whether the searcher is gone, and only its answer is waited for.
    var endsLink = false
  }

  private struct State: Sendable {
    var link: Link?
    var decoding: Decoding?
    var nextID: UInt64 = 0
    /// How many connections are being made or undone.
    var openChanges = 0
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

  let controllers = ControllerConnections()

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

  /// Publishes what the sections show, if it is not what was published last.
  private func publish() {
    let effects = state.withLock { stagePublication(of: &$0) }
    for effect in effects { effect() }
  }

  /// Stages what the sections show; returns what is to be done without any lock. Nothing is published
  /// while connections are made or undone.
  private func stagePublication(of state: inout State) -> [Effect] {
    guard state.openChanges == 0 else { return [] }
    let faces = sections.map(\.face)
    let newRevisions = revisions.stage(HitsRevisions(faces))
    let counts = faces.map(\.publishCount)
    var snapshot: StreamHub<MultiIndexHitsSnapshot>.Delivery?
    if counts != state.publishCounts {
      state.publishCounts = counts
      snapshot = snapshots.stage(MultiIndexHitsSnapshot(faces))
    }
    return [
      { [snapshot] in
        snapshot?.perform()
        newRevisions.perform()
        // What the snapshots hold is released here, not under the lock.
        withExtendedLifetime(faces) {}
      }
    ]
  }

  /// What is shown once no search is due or under way, or what made the newest search fail.
  func settledSnapshot() async -> Result<MultiIndexHitsSnapshot, SearchError> {
    for await snapshot in snapshots.stream() where !snapshot.isLoading {
      let failures = snapshot.sections.map(\.failure)
      if let first = failures.first, let failure = first, failures.allSatisfy({ $0 != nil }) {
        return .failure(failure)
      }
      return .success(snapshot)
    }
    return .failure(.waitEnded)
  }

  /// Publishes nothing until the change of connections has ended, however often the sections change.
  private func beginChange() {
    state.withLock { $0.openChanges += 1 }
  }

  private func endChange() {
    state.withLock { $0.openChanges -= 1 }
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
      state.decoding = nil
      defer { state.link = Link(id: id, searcher: searcher, connection: connection) }
      return (connection, state.link, true, compared)
    }
    withExtendedLifetime(compared) {}
    if isNew {
      beginChange()
      former?.end()
      attachSections()
      endChange()
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
    let observation = searcher.pipeline.addObserver(observer(links, of: link.id))
    let stopObserving: Effect = { [weak searcher] in
      if let observation { searcher?.pipeline.removeObserver(observation) }
    }
    let isWanted = state.withLock { state in
      guard state.link?.id == link.id else { return false }
      state.link?.sections = links
      state.link?.stopObserving = stopObserving
      return true
    }
    if !isWanted {
      stopObserving()
      for link in links { link.connection.disconnect() }
    }
  }

  private func observer(
    _ links: [HitsLink], of link: UInt64
  ) -> SearchObserver<[SearchRequest<JSON>], MultiIndexResponse> {
    SearchObserver(
      prepare: { [weak self] response in
        let answers = response.results.map { try? $0.get() }
        await self?.prepare(answers)
      },
      stage: { [weak self] status in
        guard let self else { return {} }
        let effects = self.stage(status, on: links, of: link)
        return { withExtendedLifetime(self) { for effect in effects { effect() } } }
      },
      present: { [weak self] in await self?.present() },
      end: { [weak self] in self?.searcherEnded(link) })
  }

  /// Decodes the answers of sections, side by side.
  private func prepare(_ answers: [HitsResponse?]) async {
    await withTaskGroup { group in
      for (section, answer) in zip(sections, answers) {
        if let answer { group.addTask { await section.prepare(answer) } }
      }
    }
  }

  /// Takes over the searcher's status in all sections at once. When the answer of one of them is not
  /// decoded yet, all of them wait for it.
  private func stage(_ status: Status, on links: [HitsLink], of link: UInt64) -> [Effect] {
    let parts = sections.indices.map { status.section($0) }
    return state.withLock { state -> [Effect] in
      guard state.link?.id == link else { return [] }
      let isReady = zip(sections, zip(parts, links)).allSatisfy { section, part in
        section.unpreparedAnswer(of: part.0, on: part.1.id) == nil
      }
      var effects = stage(isReady ? parts : parts.map(\.waiting), on: links)
      effects += stagePublication(of: &state)
      if isReady || state.decoding?.generation != status.generation {
        let former = state.decoding
        state.decoding = nil
        effects.append { former?.task?.cancel() }
      }
      if !isReady, state.decoding == nil {
        state.decoding = Decoding(link: link, generation: status.generation)
        effects.append { self.decode(parts, on: links, of: link) }
      }
      return effects
    }
  }

  private func stage(_ parts: [HitsSearcherStatus], on links: [HitsLink]) -> [Effect] {
    zip(sections, zip(parts, links)).flatMap { section, part in
      section.stage(part.0, on: part.1.id)
    }
  }

  /// Decodes the answers that a searcher had when it was connected, and shows them all at once.
  private func decode(_ parts: [HitsSearcherStatus], on links: [HitsLink], of link: UInt64) {
    let generation = parts.first?.generation ?? 0
    let task = Task(executorPreference: executor) {
      await self.prepare(parts.map(\.answer))
      let (effects, connection) = self.state.withLock { state -> ([Effect], Connection?) in
        guard let decoding = state.decoding, decoding.link == link,
          decoding.generation == generation
        else { return ([], nil) }
        state.decoding = nil
        let effects = self.stage(parts, on: links) + self.stagePublication(of: &state)
        let ends = decoding.endsLink && state.link?.id == link
        return (effects, ends ? state.link?.connection : nil)
      }
      for effect in effects { effect() }
      connection?.disconnect()
    }
    state.withLock { state in
      if state.decoding?.link == link, state.decoding?.generation == generation {
        state.decoding?.task = task
      }
    }
  }

  /// The searcher is gone. The answer that it had is still shown: there will be no newer one.
  private func searcherEnded(_ link: UInt64) {
    let connection = state.withLock { state -> Connection? in
      if state.decoding?.link == link {
        state.decoding?.endsLink = true
        return nil
      }
      return state.link?.id == link ? state.link?.connection : nil
    }
    connection?.disconnect()
  }

  /// Waits until the views show what the sections show.
  func present() async {
    await controllers.present(revisions.current)
    for section in sections { await section.present() }
  }

  private func detach(_ id: UInt64) {
    let link = state.withLock { state -> Link? in
      guard let link = state.link, link.id == id else { return nil }
      state.link = nil
      state.decoding = nil
      return link
    }
    guard let link else { return }
    beginChange()
    link.end()
    endChange()
  }
}

extension SearcherStatus<[SearchRequest<JSON>], MultiIndexResponse> {
  /// The status of one index.
  fileprivate func section(_ position: Int) -> HitsSearcherStatus {
    guard request.indices.contains(position) else {
      let error = SearchError(
        .invalidRequest,
        "There is no index for section \(position); the searcher has \(request.count).")
      return HitsSearcherStatus(
        request: SearchRequest("", of: JSON.self), generation: generation, isPending: false,
        failure: error)
    }
    var part = HitsSearcherStatus(
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

extension HitsSearcherStatus {
  /// The same while its answer is waited for.
  fileprivate var waiting: HitsSearcherStatus {
    var status = self
    status.isPending = true
    status.failure = nil
    return status
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
    let all = faces.map(\.revisions)
    self.init(
      rows: all.reduce(0) { $0 &+ $1.rows }, request: all.reduce(0) { $0 &+ $1.request },
      statusChanges: all.reduce(0) { $0 &+ $1.statusChanges },
      status: HitsStatus(
        isLoading: all.contains(where: \.status.isLoading),
        isLoadingPage: all.contains(where: \.status.isLoadingPage),
        failure: all.lazy.compactMap(\.status.failure).first))
  }
}
