/// The trending values of a facet.
///
/// For the values of the current hits use ``FacetList``.
///
/// They are requested like ``Recommendations``, in the same call.
public struct TrendingFacets: RememberingWidget, RequestingWidget, StatusWidget {
  /// What trending facets display.
  public struct View: Sendable, Hashable {
    /// The values, the highest score first.
    public var items: [TrendingFacetValue] = []
    /// Whether a request is running. Until it ends, the previous values are displayed.
    public var isLoading = false
    /// The error of the newest request; `nil` if it did not fail.
    public var error: SearchError?
  }

  /// The memory of trending facets.
  public struct Memory: Sendable, Hashable {
    var reloads = 0
  }

  /// The request of the values.
  public let request: TrendingFacetsRequest
  private let query: RecommendQuery
  /// The problem with the options; `nil` if they are valid.
  public let problem: SearchError?

  /// The initial memory of the widget.
  public var initialMemory: Memory { Memory() }

  /// Creates trending facets.
  ///
  /// - Parameters:
  ///   - facet: The facet.
  ///   - indexName: The index.
  ///   - threshold: The minimum score of a value, 0 to 100. Defaults to 0.
  ///   - maxRecommendations: The maximum number of values, 1 to 30. Defaults to 30.
  ///
  /// It has a ``problem`` if an option is not allowed.
  public init(
    _ facet: String, in indexName: String, threshold: Double = 0, maxRecommendations: Int? = nil
  ) {
    request = TrendingFacetsRequest(
      facet, in: indexName, threshold: threshold, maxRecommendations: maxRecommendations)
    let query = request.uncheckedQuery
    problem = SearchError.thrown { () throws(SearchError) in try query.validate() }
    self.query = query
  }

  /// Requests the values again, for example after a failure.
  public func reload() -> Action {
    action { $0.memory.reloads += 1 }
  }

  /// The request that the widget needs beside the search.
  public func request(in context: Context) -> WidgetRequest? {
    .recommendations(RecommendationsRequest([query], reloads: context.memory.reloads))
  }

  /// The trending values of the newest response, and whether a request runs.
  public func view(_ context: Context) -> View {
    let isLoading = context.isWaiting(for: request(in: context))
    switch context.response?.result {
    case .failure(let error): return View(isLoading: isLoading, error: error)
    case .success(.recommendations(let responses)):
      do throws(SearchError) {
        let items = try responses.first?.hits.trendingFacets ?? []
        return View(items: items, isLoading: isLoading)
      } catch {
        return View(isLoading: isLoading, error: error)
      }
    case .success, nil: return View(isLoading: isLoading)
    }
  }
}
