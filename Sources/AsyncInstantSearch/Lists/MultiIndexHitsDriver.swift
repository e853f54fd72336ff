/// Passes a searcher's status to the interactors of the sections, and publishes their combined
/// state.
///
/// Each section decides which rows it shows. All sections apply a status under one lock, so no
/// state mixes sections of two searches. The combined state is created under the same lock, also
/// after a change of a single section, so states are published in the order of the changes.
final class MultiIndexHitsDriver: Sendable {
  private typealias Effect = @Sendable () -> Void
  private typealias Status = SearcherStatus<[SearchRequest<JSON>], MultiIndexResponse>

  /// The sections while they are connected to a searcher.
  private struct LinkedSections: Sendable {
    /// The connections of the sections, by position.
    let connections: [Connection]
    var observation: SearcherObservation

    /// Ends the observation and the connections. No lock may be held.
    func end() {
      observation.end()
      for connection in connections { connection.disconnect() }
    }
  }

  private struct State: Sendable {
    var link = Link<MultiIndexSearcher, LinkedSections> { $0.end() }
    /// The publication counts of the sections when they were last published.
    var publishCounts: [UInt64] = []
    /// The observers of the sections, by position.
    var observers: [UInt64] = []
    /// The number of times that the states of the sections were combined.
    var updateCount = 0

    /// Whether a searcher is being connected and the sections do not have its status yet.
    var isConnecting: Bool { link.content?.observation.hasStatus == false }
  }

  let states: StreamHub<MultiIndexHitsState>
  let revisions = StreamHub<HitsRevisions>(
    initial: HitsRevisions(), replaysCurrent: true, areEqual: ==)
  let errors = StreamHub<SectionFailure>(replaysCurrent: false)

  let controllers = ControllerConnections<HitsRevisions>()

  private let sections: [any HitsSectionDriver]
  private let state = Lock(State())
  private let executor: (any TaskExecutor)?

  init(sections: [any HitsSectionDriver], executor: (any TaskExecutor)?) {
    self.sections = sections
    self.executor = executor
    let current = sections.map(\.sectionState)
    states = StreamHub(initial: MultiIndexHitsState(current), replaysCurrent: true)
    state.withLock { $0.publishCounts = current.map(\.publishCount) }
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
    // A section could have changed before it was observed.
    publish()
  }

  /// The displayed state.
  var displayedState: MultiIndexHitsState { MultiIndexHitsState(sections.map(\.sectionState)) }

  /// Ends the connection and the observation of the sections, and finishes the streams.
  func close() {
    let (connection, observers) = state.withLock { ($0.link.connection, $0.observers) }
    connection?.disconnect()
    for (section, observer) in zip(sections, observers) { section.removeObserver(observer) }
    states.finish()
    revisions.finish()
    errors.finish()
  }

  /// The number of times that the states of the sections were combined in order to be published.
  var updateCount: Int { state.withLock { $0.updateCount } }

  /// Publishes the combined state of the sections if it has changed.
  private func publish() {
    let effects = state.withLock { stagePublication(of: &$0) }
    for effect in effects { effect() }
  }

  /// Stages the combined state of the sections. Returns the effects to perform without any lock.
  /// Nothing is published while a searcher is being connected.
  private func stagePublication(of state: inout State) -> [Effect] {
    if state.isConnecting { return [] }
    state.updateCount += 1
    let current = sections.map(\.sectionState)
    let newRevisions = revisions.stage(HitsRevisions(current))
    let counts = current.map(\.publishCount)
    var newState: StreamHub<MultiIndexHitsState>.Delivery?
    if counts != state.publishCounts {
      state.publishCounts = counts
      newState = states.stage(MultiIndexHitsState(current))
    }
    return [
      { [newState] in
        newState?.perform()
        newRevisions.perform()
        // The states are released after the lock.
        withExtendedLifetime(current) {}
      }
    ]
  }

  /// Returns the displayed state once no search is pending, or the error of the newest search.
  func settledState() async -> Result<MultiIndexHitsState, SearchError> {
    for await state in states.stream() where !state.isLoading {
      let failures = state.sections.map(\.failure)
      if let first = failures.first, let failure = first, failures.allSatisfy({ $0 != nil }) {
        return .failure(failure)
      }
      return .success(state)
    }
    return .failure(.waitEnded)
  }
}

// MARK: - The searcher

extension MultiIndexHitsDriver {
  /// Shows the hits of a searcher in place of the previous one. Connecting the same searcher again
  /// has no effect.
  ///
  /// All sections are connected under one lock. The searcher is observed when this method returns,
  /// even if another thread started the connection.
  func connect(_ searcher: MultiIndexSearcher) -> Connection {
    let (link, effects) = state.withLock { state in
      let observers = state.observers
      var effects: [Effect] = []
      let link = state.link.connect(to: searcher) {
        let parts = sections.indices.map { attachSection($0, to: searcher, for: observers[$0]) }
        effects = parts.flatMap(\.effects)
        return LinkedSections(
          connections: parts.map(\.link.connection),
          observation: SearcherObservation(executor: executor))
      } undo: { [weak self] in
        self?.detach($0)
      }
      return (link, [link.effect] + effects)
    }
    for effect in effects { effect() }
    for section in sections { section.filterSearcher() }
    if !link.content.observation.isBegun { observe(searcher, on: link.connection) }
    return link.connection
  }

  private func attachSection(
    _ position: Int, to searcher: MultiIndexSearcher, for observer: UInt64
  ) -> (link: HitsLink.Outcome, effects: [Effect]) {
    sections[position].attach(to: nil, pageLoader: searcher.pageLoader, for: observer) {
      [weak searcher] in searcher?.follow($0, at: position, forListWhile: $1)
    }
  }

  private func observe(_ searcher: MultiIndexSearcher, on link: Connection) {
    guard let observation = searcher.core.addObserver(observer(of: link)) else { return }
    let stop: Effect = { [weak searcher] in searcher?.core.removeObserver(observation) }
    let isWanted = state.withLock { $0.link[link]?.observation.begin(stop) == true }
    if !isWanted { stop() }
  }

  private func observer(
    of link: Connection
  ) -> SearchObserver<[SearchRequest<JSON>], MultiIndexResponse> {
    SearchObserver(
      prepare: { [weak self] response in
        let responses = response.results.map { try? $0.get() }
        await self?.prepare(responses)
      },
      stage: { [weak self] status in
        guard let self else { return {} }
        let effects = self.stage(status, of: link)
        return { withExtendedLifetime(self) { for effect in effects { effect() } } }
      },
      present: { [weak self] in await self?.present() ?? true },
      end: { [weak self] in self?.searcherEnded(link) })
  }

  /// Decodes the responses of the sections concurrently.
  private func prepare(_ responses: [SearchAnswer?]) async {
    await withTaskGroup { group in
      for (section, response) in zip(sections, responses) {
        if let response { group.addTask { await section.prepare(response) } }
      }
    }
  }

  /// Applies the searcher's status in all sections at once. If the response of one of them is not
  /// decoded yet, all of them wait for it.
  private func stage(_ status: Status, of link: Connection) -> [Effect] {
    let parts = sections.indices.map { status.section($0) }
    return state.withLock { state -> [Effect] in
      guard let connections = state.link[link]?.connections else { return [] }
      let isReady = zip(sections, zip(parts, connections)).allSatisfy { section, part in
        section.unpreparedResponse(of: part.0, on: part.1) == nil
      }
      let undecoded = isReady ? nil : status.generation
      let decoding = state.link.update(link) {
        $0.observation.statusTaken(undecoded: undecoded) { await self.decode(parts, of: link) }
      }
      return stage(isReady ? parts : parts.map(\.waiting), on: connections, in: &state)
        + (decoding ?? [])
    }
  }

  /// Applies the parts of a status in the sections, and publishes their combined state once.
  private func stage(
    _ parts: [HitsSearcherStatus], on connections: [Connection], in state: inout State
  ) -> [Effect] {
    var effects: [Effect] = []
    for (position, section) in sections.enumerated() {
      effects += section.stage(
        parts[position], on: connections[position], for: state.observers[position])
    }
    return effects + stagePublication(of: &state)
  }

  /// Decodes the responses that a searcher had when it was connected, and shows all of them at
  /// once.
  @concurrent
  private func decode(_ parts: [HitsSearcherStatus], of link: Connection) async {
    let generation = parts.first?.generation ?? 0
    await prepare(parts.map(\.response))
    let (effects, isOver) = state.withLock { state -> ([Effect], Bool) in
      guard state.link[link]?.observation.decoded(generation) == true,
        let linked = state.link[link]
      else { return ([], false) }
      return (stage(parts, on: linked.connections, in: &state), linked.observation.isOver)
    }
    for effect in effects { effect() }
    if isOver { link.disconnect() }
  }

  private func searcherEnded(_ link: Connection) {
    if state.withLock({ $0.link[link]?.observation.searcherEnded() }) == true { link.disconnect() }
  }

  /// Waits until the views show the state of the sections. `false` if the task is cancelled first.
  func present() async -> Bool {
    guard await controllers.present(revisions.current) else { return false }
    for section in sections {
      guard await section.present() else { return false }
    }
    return true
  }

  private func detach(_ link: Connection) {
    let effects = state.withLock { state -> [Effect] in
      let connections = state.link[link]?.connections ?? []
      guard let end = state.link.disconnect(link) else { return [] }
      var effects: [Effect] = []
      for (position, section) in sections.enumerated() {
        effects += section.detach(connections[position], for: state.observers[position])
      }
      return effects + stagePublication(of: &state) + [end]
    }
    for effect in effects { effect() }
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
    if let response, response.results.indices.contains(position) {
      switch response.results[position] {
      case .success(let result): part.response = result
      case .failure(let error):
        if response.generation == generation { part.failure = error }
      }
    }
    return part
  }
}

extension HitsSearcherStatus {
  /// The status with a pending search and without a failure.
  fileprivate var waiting: HitsSearcherStatus {
    var status = self
    status.isPending = true
    status.failure = nil
    return status
  }
}

extension MultiIndexHitsState {
  fileprivate init(_ states: [HitsSectionState]) {
    sections = states.map { Section(base: $0.displayed) }
  }
}

extension HitsRevisions {
  /// The sums of the changes of all sections.
  fileprivate init(_ states: [HitsSectionState]) {
    let all = states.map(\.revisions)
    self.init(
      rows: all.reduce(0) { $0 &+ $1.rows }, request: all.reduce(0) { $0 &+ $1.request },
      statusChanges: all.reduce(0) { $0 &+ $1.statusChanges },
      status: HitsStatus(
        isLoading: all.contains(where: \.status.isLoading),
        isLoadingPage: all.contains(where: \.status.isLoadingPage),
        failure: all.lazy.compactMap(\.status.failure).first))
  }
}
