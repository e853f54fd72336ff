import InstantSearchJSON

/// Predicts the size of a search response from earlier responses.
///
/// A call of a few hundred bytes can ask for 50,000 records. Several such calls at one time would
/// exhaust the memory of the service, so memory is taken before the search begins.
final class ResponseSizes: Sendable {
  /// The size of a hit in an index without earlier responses, in bytes.
  private static let usualHitSize = 2_048
  /// The maximum predicted size of a hit, in bytes. More memory is taken while a response is
  /// written.
  private static let maximumHitSize = 32_768
  /// The minimum number of requested hits for learning from a response.
  private static let learntCount = 100
  /// The maximum number of indices. Others are forgotten.
  private static let maximumCount = 1_000

  /// The bytes per requested hit, by index.
  private let sizes = Lock<[String: Int]>([:])

  /// The number of hits or records that a call requests, by index; empty for other calls.
  static func hits(of endpoint: Endpoint, _ root: JSONNode) -> [String: Int] {
    switch endpoint {
    case .search(let index), .browse(let index): [index: hitCount(root, of: endpoint)]
    case .multiQuery:
      root["requests"]?.elements.reduce(into: [:]) { hits, request in
        guard let index = request["indexName"]?.string else { return }
        hits[index, default: 0] += hitCount(request, of: endpoint)
      } ?? [:]
    case .getObjects:
      root["requests"]?.elements.reduce(into: [:]) { hits, request in
        if let index = request["indexName"]?.string { hits[index, default: 0] += 1 }
      } ?? [:]
    default: [:]
    }
  }

  /// The number of hits of a query. The settings of its index are not known here, and become part
  /// of the size of a hit.
  private static func hitCount(_ query: JSONNode, of endpoint: Endpoint) -> Int {
    if endpoint == .multiQuery, query["type"]?.string == "facet" { return 1 }
    let text = query["params"]?.string.flatMap { try? SearchQuery(urlEncoded: $0) }
    // The effective one depends on other parameters, so use the largest.
    let count = [
      query["length"]?.int, query["hitsPerPage"]?.int, text?.length, text?.hitsPerPage,
    ].compactMap(\.self).max()
    if case .browse = endpoint { return min(max(count ?? 1_000, 1), 1_000) }
    return min(max(count ?? 20, 1), 1_000)
  }

  /// The predicted size of a response, in bytes.
  func expected(for hits: [String: Int]) -> Int {
    if hits.isEmpty { return 0 }
    return sizes.withLock { sizes in
      hits.reduce(0) { $0 + $1.value * (sizes[$1.key] ?? Self.usualHitSize) }
    }
  }

  /// Learns from a response to one query for many hits: the facets of others would count as hits. A
  /// hit counts with its usual size at least, because most queries find fewer than they ask for,
  /// and with a maximum, because a query decides how large its hits are.
  func note(_ size: Int, of hits: [String: Int], queryCount: Int = 1) {
    guard queryCount == 1, hits.count == 1, let (index, count) = hits.first,
      count >= Self.learntCount
    else { return }
    let own = min(max(size / count, Self.usualHitSize), Self.maximumHitSize)
    sizes.withLock { sizes in
      guard let old = sizes[index] else {
        guard own > Self.usualHitSize else { return }
        if sizes.count >= Self.maximumCount { sizes = [:] }
        sizes[index] = own
        return
      }
      // Up at once, down slowly.
      sizes[index] = max(own, old - old / 16)
    }
  }
}
