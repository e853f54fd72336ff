/// Records from the recommendation models of the hosted service.
///
/// For records that share values with a hit, without a model, use
/// ``HitsSearcher/setRelatedItems(to:matching:)``.
///
/// ```swift
/// let related = Recommendations.relatedProducts(
///   to: ["tt0068646"], in: "films", maxRecommendations: 5, of: Film.self)
/// ```
///
/// All widgets of a searcher that request recommendations share one call, which begins with the
/// first search. It is independent of the searches: no search cancels it, and its failure is an
/// error of the view only. Equal recommendations are not requested again until the widget's request
/// changes. In a search with a ``SearchScreen`` the call is made at the same time as the search.
///
/// Lists for several records are merged: a record is ranked by the average of its ranks in all
/// lists, and records of only one list are ranked after the others. The given records themselves
/// are not recommended.
public struct Recommendations<T: Decodable & Sendable>: RoutedWidget, RememberingWidget,
  RequestingWidget, StatusWidget
{
  /// What recommendations display.
  public struct View: Sendable {
    /// The recommended records, the best first. The `searchMetadata` of a hit contain its position,
    /// counted from 1, and its score.
    public var hits: [Hit<T>] = []
    /// The recommended records that do not match `T`.
    public var failures: [HitFailure] = []
    /// Whether a request is running. Until it ends, the previous records are displayed.
    public var isLoading = false
    /// The error of the newest request; `nil` if it did not fail.
    public var error: SearchError?
    /// The responses with the records.
    fileprivate var responses: [SearchAnswer] = []
  }

  /// The memory of recommendations.
  public struct Memory: Sendable, Hashable {
    var reloads = 0
  }

  /// The request of the model, without a record.
  private var template: RecommendQuery
  /// The records for which others are recommended at first; empty for trending records.
  public let objectIDs: [String]
  private let isTrending: Bool

  private init(_ first: RecommendRequest<T>, _ objectIDs: [String]?) {
    template = first.uncheckedQuery
    if objectIDs != nil { template.members = [] }
    self.objectIDs = objectIDs?.withoutDuplicates ?? []
    isTrending = objectIDs == nil
  }

  /// The problem with the options; `nil` if they are valid.
  public var problem: SearchError? {
    SearchError.thrown { () throws(SearchError) in try check(objectIDs) }
  }

  /// The initial memory of the widget.
  public var initialMemory: Memory { Memory() }

  /// Recommends for other records.
  ///
  /// The action throws `invalidRequest` without IDs, if an ID is empty, or if the widget shows
  /// trending records.
  public func setObjectIDs(_ objectIDs: [String]) -> Action {
    action { context throws(SearchError) in
      if isTrending {
        throw SearchError(.invalidRequest, "Trending items are not recommended for a record.")
      }
      let objectIDs = objectIDs.withoutDuplicates
      try check(objectIDs)
      setObjectIDs(objectIDs, in: &context.state)
    }
  }

  /// Requests the recommendations again, for example after a failure.
  public func reload() -> Action {
    action { $0.memory.reloads += 1 }
  }

  /// The request that the widget needs beside the search.
  public func request(in context: Context) -> WidgetRequest? {
    .recommendations(
      RecommendationsRequest(
        queries(for: objectIDs(in: context.state)), reloads: context.memory.reloads))
  }

  /// The model and the records at first, so that two widgets of one model have two parts.
  private var partName: String { ([template.model] + objectIDs).joined(separator: ".") }

  /// The part of the state of the user interface: the model and the first IDs, with the IDs now.
  public var parts: [WidgetPart] {
    if isTrending { return [] }
    let part = WidgetPart(partName, form: template.indexName) { state in
      state.opened.additional[partName]
    } read: { value, state in
      let texts = value?.elements ?? []
      let read = texts.compactMap { if case .text(let text) = $0 { text } else { nil } }
      let isPossible = (try? check(read)) != nil
      setObjectIDs(isPossible ? read.withoutDuplicates : objectIDs, in: &state)
    }
    return [part]
  }

  private func objectIDs(in state: IndexState) -> [String] {
    guard !isTrending, let value = state.opened.additional[partName] else { return objectIDs }
    return value.elements?.compactMap { if case .text(let text) = $0 { text } else { nil } } ?? []
  }

  private func setObjectIDs(_ objectIDs: [String], in state: inout IndexState) {
    state.opened.additional[partName] =
      objectIDs == self.objectIDs ? nil : .list(objectIDs.map(RouteValue.text))
  }

  /// The recommendations of the newest response, and whether a request runs.
  public func view(_ context: Context) -> View {
    let isLoading = context.isWaiting(for: request(in: context))
    guard let response = context.response, case .recommendations(let request) = response.request
    else { return View(isLoading: isLoading) }
    switch response.result {
    case .failure(let error): return View(isLoading: isLoading, error: error)
    case .success(.recommendations(let responses)):
      let pages = responses.map { $0.readPage(of: Hit<T>.self) }
      let hits = Self.mergedHits(
        pages.map(\.hits), without: request.queries.compactMap(\.objectID),
        limit: template.maxRecommendations ?? Self.defaultLimit)
      return View(
        hits: hits, failures: pages.flatMap(\.failures), isLoading: isLoading,
        responses: responses)
    case .success: return View(isLoading: isLoading)
    }
  }

  /// The number of records that the service returns by default.
  private static var defaultLimit: Int { 30 }

  private func queries(for objectIDs: [String]) -> [RecommendQuery] {
    if isTrending { return [template] }
    return objectIDs.map { objectID in
      var query = template
      query.members = [.objectID(objectID)]
      return query
    }
  }

  private func check(_ objectIDs: [String]) throws(SearchError) {
    if objectIDs.isEmpty, !isTrending {
      throw SearchError(
        .invalidRequest, "The Recommendations of \(template.model) need an objectID.",
        indexName: template.indexName)
    }
    for query in queries(for: objectIDs) { try query.validate() }
  }

  /// Merges lists of records.
  ///
  /// - Parameters:
  ///   - lists: The lists, each with the best record first.
  ///   - inputs: The IDs of records that are left out.
  ///   - limit: The maximum number of records.
  public static func mergedHits(
    _ lists: [[Hit<T>]], without inputs: [String], limit: Int
  ) -> [Hit<T>] {
    var ranks: [String: [Int]] = [:]
    var first: [Hit<T>] = []
    for list in lists {
      var seen: Set<String> = []
      for (rank, hit) in list.enumerated() where seen.insert(hit.objectID).inserted {
        if ranks[hit.objectID] == nil { first.append(hit) }
        ranks[hit.objectID, default: []].append(rank)
      }
    }
    // The averages of all records are over the same number of lists, so their sums are compared.
    let sums = ranks.mapValues { ranks in
      ranks.reduce(0, +) + (ranks.count == 1 ? Self.rankOfSingle : 0)
    }
    let inputs = Set(inputs)
    let ordered = first.filter { !inputs.contains($0.objectID) }
      .sorted { sums[$0.objectID] ?? 0 < sums[$1.objectID] ?? 0 }
    return ordered.prefix(max(0, limit)).enumerated().map { index, hit in
      var hit = hit
      hit.searchMetadata.position = index + 1
      return hit
    }
  }

  /// The penalty added to the rank of a record of only one list.
  private static var rankOfSingle: Int { 100 }
}

extension Recommendations.View: Equatable {
  /// Whether both views show the same responses in the same state.
  public static func == (left: Self, right: Self) -> Bool {
    left.isLoading == right.isLoading && left.error == right.error
      && left.responses.elementsEqual(right.responses, by: ===)
  }
}

// MARK: - The models

extension Recommendations {
  /// Recommends the records that users view or buy after they viewed some records.
  ///
  /// - Parameters:
  ///   - objectIDs: The IDs of the records, one or more.
  ///   - indexName: The index of the records.
  ///   - threshold: The minimum score of a recommended record, 0 to 100. Defaults to 0.
  ///   - maxRecommendations: The maximum number of records, 1 to 30. Defaults to 30.
  ///   - queryParameters: Search parameters for the recommended records; see
  ///     `RecommendRequest.queryParameters`. Defaults to none.
  ///   - fallbackParameters: Search parameters for the records that complete the list if too few
  ///     are recommended. Defaults to none.
  ///   - type: The type of the records.
  ///
  /// The widget has a ``problem`` if an option is not allowed.
  public static func relatedProducts(
    to objectIDs: [String], in indexName: String, threshold: Double = 0,
    maxRecommendations: Int? = nil, queryParameters: SearchQuery = SearchQuery(),
    fallbackParameters: SearchQuery = SearchQuery(), of type: T.Type = T.self
  ) -> Recommendations {
    Recommendations(
      .relatedProducts(
        to: objectIDs.first ?? "", in: indexName, threshold: threshold,
        maxRecommendations: maxRecommendations, queryParameters: queryParameters,
        fallbackParameters: fallbackParameters), objectIDs)
  }

  /// Recommends the records that users buy together with some records.
  ///
  /// It takes the same parameters as related products.
  public static func boughtTogether(
    with objectIDs: [String], in indexName: String, threshold: Double = 0,
    maxRecommendations: Int? = nil, queryParameters: SearchQuery = SearchQuery(),
    fallbackParameters: SearchQuery = SearchQuery(), of type: T.Type = T.self
  ) -> Recommendations {
    Recommendations(
      .boughtTogether(
        with: objectIDs.first ?? "", in: indexName, threshold: threshold,
        maxRecommendations: maxRecommendations, queryParameters: queryParameters,
        fallbackParameters: fallbackParameters), objectIDs)
  }

  /// Recommends records with images similar to the images of some records.
  ///
  /// It takes the same parameters as related products.
  public static func lookingSimilar(
    to objectIDs: [String], in indexName: String, threshold: Double = 0,
    maxRecommendations: Int? = nil, queryParameters: SearchQuery = SearchQuery(),
    fallbackParameters: SearchQuery = SearchQuery(), of type: T.Type = T.self
  ) -> Recommendations {
    Recommendations(
      .lookingSimilar(
        to: objectIDs.first ?? "", in: indexName, threshold: threshold,
        maxRecommendations: maxRecommendations, queryParameters: queryParameters,
        fallbackParameters: fallbackParameters), objectIDs)
  }

  /// Recommends trending records, among all records or the records with one value of a facet.
  ///
  /// `facet` is the facet and its value, and defaults to all records. The other parameters match
  /// related products.
  public static func trendingItems(
    in indexName: String, facet: (name: String, value: String)? = nil, threshold: Double = 0,
    maxRecommendations: Int? = nil, queryParameters: SearchQuery = SearchQuery(),
    fallbackParameters: SearchQuery = SearchQuery(), of type: T.Type = T.self
  ) -> Recommendations {
    Recommendations(
      .trendingItems(
        in: indexName, facet: facet, threshold: threshold, maxRecommendations: maxRecommendations,
        queryParameters: queryParameters, fallbackParameters: fallbackParameters), nil)
  }
}

extension RecommendQuery {
  /// The record for which others are recommended; `nil` for a trend.
  fileprivate var objectID: String? { members.first { $0.name == "objectID" }?.value }
}

extension [String] {
  /// The texts in order, each of them once.
  fileprivate var withoutDuplicates: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}

extension WidgetContext {
  /// Whether a request of the widget runs, or is about to begin.
  func isWaiting(for request: WidgetRequest?) -> Bool {
    // A widget requests nothing before the first search.
    let hasSearched = results != nil || response != nil || status != .idle
    return hasSearched && request != nil && request != response?.request
  }
}
