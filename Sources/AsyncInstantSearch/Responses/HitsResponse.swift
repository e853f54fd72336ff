/// The response to a search, before its hits are decoded as a type.
///
/// ``page(of:)`` decodes it, once for each record type: the first consumer decodes on its own task,
/// and the others wait for it.
///
/// It keeps the `TransportResponse.snapshot` of the response, if there is one, for further pages of
/// the same search. Its pages and hits do not.
public final class HitsResponse: Sendable {
  /// The request that was answered.
  public let request: SearchRequest<JSON>
  /// The number of the search that was answered, counted from 1 in each searcher.
  public let generation: UInt64

  /// The page of one record type: either decoded, or awaited by consumers.
  private struct Slot {
    var page: (any Sendable)?
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private struct State {
    var slots: [ObjectIdentifier: Slot] = [:]
    var reported: Set<HitFailure> = []
    /// What widgets show; `nil` until it is asked for.
    var answer: IndexAnswer?
  }

  let content: UndecodedHits
  /// The search that was answered; `nil` for another page of it.
  let search: IndexSearch?
  /// The responses to the queries of the search, in order.
  let contents: [UndecodedHits]
  /// The responses of the indices that a screen nests in this one, in order.
  let nested: [HitsResponse]
  private let state: Lock<State>
  private let report: @Sendable (SearchError) -> Void

  init(
    request: SearchRequest<JSON>, content: UndecodedHits, context: SearchContext,
    search: IndexSearch? = nil, contents: [UndecodedHits] = [], nested: [HitsResponse] = []
  ) {
    self.request = request
    self.content = content
    self.search = search
    self.contents = contents
    self.nested = nested
    state = Lock(State())
    generation = context.generation
    report = context.report
  }

  /// The response as a page of `Record`: `Hit<T>`, `T` or `JSON`.
  ///
  /// Hits that do not decode are in the page's `failures`. They are also published on the
  /// searcher's `errors`, each one once, and only while the request is the newest.
  @concurrent
  public func page<Record: Decodable & Sendable>(
    of type: Record.Type
  ) async -> HitsPage<Record> {
    let key = ObjectIdentifier(type)
    let isFirst = state.withLock { state in
      if state.slots[key] != nil { return false }
      state.slots[key] = Slot()
      return true
    }
    if isFirst {
      let page = decode(type)
      finish(key, with: page)
      reportNewFailures(of: page)
      return page
    }
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.slots[key]?.page != nil { return true }
        state.slots[key]?.waiting.append(continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
    // The slot of a type contains a page of that type.
    return state.withLock { $0.slots[key]?.page } as? HitsPage<Record> ?? decode(type)
  }

  /// The page of `Record`, if it is decoded already.
  func decodedPage<Record: Decodable & Sendable>(of type: Record.Type) -> HitsPage<Record>? {
    state.withLock { $0.slots[ObjectIdentifier(type)]?.page } as? HitsPage<Record>
  }

  /// The page of `Record`, which is decoded now if it is not yet.
  func readPage<Record: Decodable & Sendable>(of type: Record.Type) -> HitsPage<Record> {
    if let page = decodedPage(of: type) { return page }
    let page = decode(type)
    finish(ObjectIdentifier(type), with: page)
    reportNewFailures(of: page)
    return page
  }

  /// The merged results, as widgets show them.
  public var results: IndexResults {
    let answer = state.withLock { state in
      if let answer = state.answer { return answer }
      let answer =
        content.answer
        ?? IndexAnswer(
          [content], of: request, generation: generation,
          WidgetSearch(state: IndexState(request), parameters: WidgetParameters()))
      state.answer = answer
      return answer
    }
    return IndexResults(answer, of: self)
  }

  private func decode<Record>(_ type: Record.Type) -> HitsPage<Record> {
    content.page(for: request.reading(type), generation: generation)
  }

  private func finish(_ key: ObjectIdentifier, with page: any Sendable) {
    let waiting = state.withLock { state in
      let waiting = state.slots[key]?.waiting ?? []
      state.slots[key] = Slot(page: page)
      return waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  private func reportNewFailures<Record>(of page: HitsPage<Record>) {
    let failures = state.withLock { state in
      page.failures.filter { state.reported.insert($0).inserted }
    }
    if let error = page.error(for: failures) { report(error) }
  }
}
