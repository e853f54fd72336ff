/// What one widget requests from the recommendation models.
public struct RecommendationsRequest: Sendable, Hashable {
  /// The requests, one for each list of the widget; at least one.
  let queries: [RecommendQuery]
  /// How often the widget has requested the same again.
  let reloads: Int

  /// Creates the requests of a widget.
  init(_ queries: [RecommendQuery], reloads: Int = 0) {
    self.queries = queries
    self.reloads = reloads
  }
}

/// The calls for what the widgets of a searcher request from the recommendation models.
///
/// All requests that wait at the same time are sent in one call. A call ends when no widget waits
/// for it any longer, and with its owner. It does not depend on the searches.
final class RecommendationCalls: Sendable {
  /// A request that waits for a call.
  struct Waiting: Sendable {
    let request: RecommendationsRequest
    /// Receives the responses to the request, in order.
    let deliver: @Sendable (Result<[HitsResponse], SearchError>) -> Void
  }

  fileprivate struct State: Sendable {
    var isCollecting = false
    /// Whether a request was announced during the collection.
    var isAnnounced = false
    var lastCall: UInt64 = 0
    /// The call for which each widget waits.
    var calls: [UInt64: UInt64] = [:]
  }

  private let state = Lock(State())
  private let tasks: TaskBag<UInt64>

  /// Creates an object without calls.
  ///
  /// - Parameter executor: The executor of the calls.
  init(executor: (any TaskExecutor)?) {
    tasks = TaskBag(executor: executor)
  }

  /// Sends all waiting requests in one call.
  ///
  /// Only one thread collects them at a time. A request that another thread announces during the
  /// collection is part of the same call.
  ///
  /// - Parameters:
  ///   - client: The client that makes the call.
  ///   - options: Options of the call.
  ///   - initial: Results that are used in place of the first call, if they answer it.
  ///   - collect: Returns the waiting requests of the widgets by their IDs. No lock is held.
  func send(
    with client: SearchClient, options: RequestOptions, initial: InitialResultsStore,
    collect: () -> [UInt64: Waiting]
  ) {
    let isFirst = state.withLock { state in
      state.isAnnounced = true
      if state.isCollecting { return false }
      state.isCollecting = true
      return true
    }
    if !isFirst { return }
    var collected: [UInt64: Waiting] = [:]
    while state.withLock({ $0.takeAnnouncement() }) {
      collected.merge(collect()) { _, newer in newer }
      let (isDone, call, unwanted) = finish(Array(collected.keys))
      for call in unwanted { tasks.cancel(call) }
      if !isDone { continue }
      if let call {
        start(call, collected.sorted { $0.key < $1.key }.map(\.value), client, options, initial)
      }
      return
    }
  }

  /// A widget no longer waits for a call.
  func remove(_ widget: UInt64) {
    let unwanted = state.withLock { state in
      let call = state.calls.removeValue(forKey: widget)
      return state.unwanted(of: CollectionOfOne(call))
    }
    for call in unwanted { tasks.cancel(call) }
  }

  /// Cancels all calls.
  func cancelAll() { tasks.cancelAll() }

  /// Ends the collection, unless another request was announced.
  ///
  /// - Returns: Whether it has ended, the number of the reserved call of the widgets, if there are
  ///   any, and the calls for which no widget waits any longer.
  private func finish(_ widgets: [UInt64]) -> (isDone: Bool, call: UInt64?, unwanted: [UInt64]) {
    state.withLock { state in
      if state.isAnnounced { return (false, nil, []) }
      state.isCollecting = false
      if widgets.isEmpty { return (true, nil, []) }
      state.lastCall += 1
      let call = state.lastCall
      tasks.reserve(call)
      let earlier = widgets.map { state.calls.updateValue(call, forKey: $0) }
      return (true, call, state.unwanted(of: earlier))
    }
  }

  private func start(
    _ call: UInt64, _ requests: [Waiting], _ client: SearchClient, _ options: RequestOptions,
    _ initial: InitialResultsStore
  ) {
    tasks.start(call) { [weak self] in
      let results = await client.responses(
        to: requests.map(\.request), initial: initial, options: options)
      self?.state.withLock { state in state.calls = state.calls.filter { $0.value != call } }
      if Task.isCancelled { return }
      for (request, result) in zip(requests, results) { request.deliver(result) }
    }
  }
}

extension RecommendationCalls.State {
  fileprivate mutating func takeAnnouncement() -> Bool {
    defer { isAnnounced = false }
    return isAnnounced
  }

  /// The calls among some for which no widget waits.
  fileprivate func unwanted(of some: some Sequence<UInt64?>) -> [UInt64] {
    let wanted = Set(calls.values)
    return Set(some.compactMap { $0 }).subtracting(wanted).sorted()
  }
}

extension SearchClient {
  /// Returns the responses to the requests of several widgets, with one call. Equal requests are
  /// sent once. A malformed response is an error of the widgets that requested it.
  ///
  /// - Parameter initial: Results that are used in place of a call, if they answer it. Defaults to
  ///   none.
  func responses(
    to requests: [RecommendationsRequest], initial: InitialResultsStore? = nil,
    options: RequestOptions
  ) async -> [Result<[HitsResponse], SearchError>] {
    var positions: [RecommendQuery: Int] = [:]
    var queries: [RecommendQuery] = []
    for query in requests.lazy.flatMap(\.queries) where positions[query] == nil {
      positions[query] = queries.count
      queries.append(query)
    }
    let responses: [Result<HitsResponse, SearchError>]
    do throws(SearchError) {
      let restored = initial?.take(for: queries, options: decoding.options)
      let answers =
        if let restored { restored } else {
          try await self.responses(to: queries, options: options)
        }
      responses = queries.indices.map { position in
        Result { () throws(SearchError) in
          HitsResponse(
            try answers.hits(at: position, to: queries[position].queryParameters),
            to: queries[position])
        }
      }
    } catch {
      return requests.map { _ in .failure(error) }
    }
    return requests.map { request in
      Result { () throws(SearchError) in
        var own: [HitsResponse] = []
        for query in request.queries {
          if let position = positions[query] { own.append(try responses[position].get()) }
        }
        return own
      }
    }
  }
}

extension HitsResponse {
  /// Creates the response to a request for recommendations.
  fileprivate convenience init(_ content: UndecodedHits, to query: RecommendQuery) {
    self.init(
      request: SearchRequest(query.indexName, query.queryParameters, of: JSON.self),
      content: content, context: .alone())
  }
}
