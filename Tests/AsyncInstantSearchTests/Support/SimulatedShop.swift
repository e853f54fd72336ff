@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
@testable import LocalSearch
import TestSupport

extension Shop {
  /// One engine for all simulations, which only read it. Its work runs on the thread of the caller,
  /// so a simulation on one thread runs in an order that its seed determines.
  ///
  /// The index `offers` has the same products and lists other facets.
  static let shared = Task {
    let shop = try await Shop(LocalSearch(configuration: .init(executor: CallingThread())))
    _ = try await shop.engine.save(products, in: "offers")
    for (index, facets) in [("products", ["brand", "color"]), ("offers", ["brand"])] {
      var settings = settings
      settings.renderingContent = RenderingContent(
        facetOrdering: FacetOrdering(facets: FacetsOrder(order: facets)))
      try await shop.engine.setSettings(settings, of: index)
    }
    return shop
  }

  /// A transport to the engine whose responses are late, and of which about every sixth is an
  /// error.
  func lateTransport(_ random: SeededRandom, fails: Bool = true) -> ScriptedTransport {
    ScriptedTransport { request, _ in
      let response = try await engine.send(request)
      for _ in 0..<random.number(below: 8) { await Task.yield() }
      if fails, random.number(below: 6) == 0 { throw SearchError(.server, "down") }
      return response
    }
  }
}

extension ScriptedTransport {
  /// The number of searches, without those for values of a facet.
  var searchCount: Int {
    requests.count { request in
      if case .facetValues = request.endpoint { false } else { true }
    }
  }
}

extension SeededRandom {
  /// One of the elements; `nil` if there are none.
  func any<Element>(_ elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[number(below: elements.count)]
  }

  /// Lets other tasks run a number of steps.
  func pause(below limit: Int) async {
    for _ in 0..<number(below: limit) { await Task.yield() }
  }
}

/// Runs each step at once, on the thread that makes it ready.
private final class CallingThread: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Safe: the unowned reference is to `self`, which outlives this call. The step runs once.
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
