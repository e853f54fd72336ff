import AlgoliaTransport
import AsyncInstantSearch
import AsyncInstantSearchTesting
import LocalSearch
import Synchronization

/// Workloads of every part of the library.
///
/// A change of one changes its ratio: write the new one down in the same commit.
extension Workload {
  static let all: [Workload] =
    [
      decode, encode, keystroke, engineSearch, engineHighlights, load, facetClick, views, cached,
    ] + network

  /// A page of 20 hits, from the bytes of a response to typed hits, with every highlight read.
  private static let decode = Workload("decode") { executor in
    let client = SearchClient(answer: SampleResponse.page(hits: 20), on: executor)
    let request = SearchRequest<Hit<Product>>("products")
    return { use(touch(try await client.search(request))) }
  }

  /// The calls of a query with eighteen parameters, and of 20 records.
  private static let encode = Workload("encode") { executor in
    let records = try SavedProduct.samples()
    let search = SearchClient(answer: FixedAnswer.withoutHits, on: executor)
    let save = SearchClient(answer: SavedProduct.answer, on: executor)
    return {
      use(try await search.search(SampleQuery.request))
      use(try await save.save(records, in: "products"))
    }
  }

  /// Keystrokes, from `setQuery` to the rows of a list, with the embedded engine.
  private static let keystroke = Workload("keystroke") { executor in
    let client = SearchClient(transport: try await ShopItem.engine(1_000, on: executor))
    let searcher = HitsSearcher(
      client: client, indexName: "shop",
      query: SearchQuery().setting(\.facets, to: ["brand", "category"]),
      debounce: .seconds(3600), options: .init(executor: executor))
    let list = HitsInteractor<Hit<ShopItem>>(executor: executor)
    list.connectSearcher(searcher)
    return {
      for text in ShopItem.queries {
        searcher.setQuery(text)
        try await searcher.search()
      }
      use(list)
    }
  }

  /// Queries of the engine whose pages have IDs only.
  private static let engineSearch = Workload("engine") { executor in
    let engine = try await ShopItem.engine(20_000, on: executor)
    return try await queries(
      SearchQuery()
        .setting(\.attributesToRetrieve, to: ["objectID"])
        .setting(\.attributesToHighlight, to: []), in: engine)
  }

  /// Queries of the engine with highlights, a snippet and three facets.
  private static let engineHighlights = Workload("engine.page") { executor in
    let engine = try await ShopItem.engine(20_000, on: executor)
    return try await queries(
      SearchQuery()
        .setting(\.facets, to: ["brand", "category", "color"])
        .setting(\.attributesToSnippet, to: ["description:8"]), in: engine)
  }

  /// Loading 200 records into an empty index, and a search.
  private static let load = Workload("load") { executor in
    let items = ShopItem.items(200)
    let request = try await TransportRequest.sent(
      for: SearchRequest("shop", SearchQuery("wireless"), of: JSON.self))
    return {
      let engine = try await ShopItem.engine(of: items, on: executor)
      use(try await engine.send(request).body)
    }
  }

  /// Clicks on values of a facet, from the filter state to the rows of a list.
  private static let facetClick = Workload("facetClick") { executor in
    let client = SearchClient(transport: try await ShopItem.engine(1_000, on: executor))
    let filters = FilterState()
    let searcher = HitsSearcher(
      client: client, indexName: "shop",
      query: SearchQuery("s").setting(\.facets, to: ["brand", "category", "color"]),
      debounce: .seconds(3600), options: .init(executor: executor))
    let list = HitsInteractor<Hit<ShopItem>>(executor: executor)
    searcher.connectFilterState(filters)
    list.connectSearcher(searcher)
    let color: Attribute = "color"
    return {
      for value in ["color 1", "color 2", "color 1", "color 2"] {
        filters.update { $0[or: "color"].toggle(color == value) }
        try await searcher.search()
      }
      use(list)
    }
  }

  /// The views of 20 widgets after a response.
  private static let views = Workload("views") { _ in try await WidgetViews.work() }

  /// A response from the cache.
  private static let cached = Workload("cached") { _ in
    let transport = CachingTransport(
      wrapping: FixedAnswer(body: SampleResponse.page(hits: 20)), timeToLive: .seconds(3600))
    let request = try await TransportRequest.sent(for: SampleQuery.request)
    return { use(try await transport.send(request)) }
  }

  /// Calls over loopback, to a server in another process, on a connection that is kept.
  private static let network: [Workload] = {
    #if os(macOS) || os(Linux)
      NetworkContender.available.prefix(1).map { contender in
        Workload(
          "loopback",
          against: { _ in
            let (server, ports) = try ServerChild.start("page")
            // It ends with this reference.
            let child = Mutex(server)
            let client = SearchClient(transport: try contender.makeTransport(ports: ports))
            let request = SearchRequest("products", SearchQuery("phone"), of: Hit<Product>.self)
            let body = try await TransportRequest.sent(for: request).body
            let call = try SocketCall(port: ports[0], body: body)
            let yardstick = Yardstick()
            return (
              { for _ in 0..<4 { use(try await client.search(request)) } },
              {
                // Beside a busy neighbor, threads switch in half the time, because no processor
                // sleeps. With this mixture the ratio is the same then.
                for _ in 0..<2 { use(yardstick.run()) }
                for _ in 0..<3 { try await call.run() }
                child.withLock { _ in }
              }
            )
          })
      }
    #else
      []
    #endif
  }()

  /// All queries, one after the other.
  private static func queries(
    _ query: SearchQuery, in engine: LocalSearch
  ) async throws -> Work {
    var requests: [TransportRequest] = []
    for text in ShopItem.queries {
      requests.append(
        try await .sent(for: SearchRequest<JSON>("shop", query.setting(\.query, to: text))))
    }
    return { [requests] in for request in requests { use(try await engine.send(request).body) } }
  }
}
