@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting

/// A searcher with the widgets of the shop, and a model of both.
final class LiveSearch: Sendable {
  let searcher: HitsSearcher
  let live: LiveShop
  /// Connected before and after the other widgets.
  let logs: [WidgetInteractor<ResultsLog>]
  private let orders: [AsyncStream<ResultsLog.View>]
  private let model: Lock<Model>

  /// The memory of the widgets, computed from the results in their order.
  private struct Model {
    var screen: SearchScreen
    var generation: UInt64 = 0
  }

  init(_ shop: ShopScreen, _ searcher: HitsSearcher) {
    func connectLog() -> WidgetInteractor<ResultsLog> {
      let log = WidgetInteractor(ResultsLog())
      log.connectSearcher(searcher)
      return log
    }
    self.searcher = searcher
    let first = connectLog()
    live = LiveShop(shop, searcher)
    logs = [first, connectLog()]
    orders = logs.map { $0.views(buffering: .unbounded) }
    model = Lock(Model(screen: shop.screen))
  }

  /// A random action, and the number of searches that it has begun.
  struct Change {
    let deed: LiveWidget.Deed
    let before: IndexState
    let after: IndexState
    let searches: Int
    /// Whether the newest search had failed, so that the action repeats it.
    let isRepeated: Bool

    /// Whether the action changed the search.
    var isChange: Bool { !before.isSameSearch(as: after) }
  }

  /// Performs a random action. No other thread may use the searcher.
  ///
  /// - Returns: `nil` if the view offers no action.
  func performAny(_ random: SeededRandom) -> Change? {
    var model = currentModel
    let (before, generation) = (searcher.indexState, searcher.newestGeneration)
    let isFailed = if case .failed = searcher.state { true } else { false }
    model.screen.state = before
    let deed = live.performAny(random, &model.screen)
    self.model.withLock { $0.screen = model.screen }
    return deed.map {
      Change(
        deed: $0, before: before, after: searcher.indexState,
        searches: Int(searcher.newestGeneration - generation), isRepeated: isFailed)
    }
  }

  /// The model with all results that the widgets have received.
  private var currentModel: Model {
    let log = logs[0].view.log.results
    return model.withLock { model in
      for results in log where results.generation > model.generation {
        // Dynamic facets change the state of the searcher in the same way.
        model.screen.state = results.state
        model.screen.receive(results)
        model.screen.followActivity()
        model.generation = results.generation
      }
      return model
    }
  }

  /// The names of the widgets that show something else than what follows from the state of the
  /// searcher and its results.
  var differencesFromModel: [String] {
    var screen = currentModel.screen
    screen.state = searcher.indexState
    return live.differences(from: screen)
  }

  /// Searches until a search and all that follow from it succeed.
  func search() async throws {
    // About every sixth response is an error, and a multi-searcher may search at the same time.
    for _ in 0..<100 {
      do {
        try await searcher.search()
        try await searcher.settled()
        return
      } catch { if ![.server, .superseded].contains(error.code) { throw error } }
    }
    try await searcher.search()
  }

  /// Whether each subscription to views shows the searches in their order.
  func isOrdered() async -> Bool {
    for (log, views) in zip(logs, orders) {
      guard await WidgetInteractor.isOrdered(views, until: log.view) else { return false }
    }
    return true
  }
}
