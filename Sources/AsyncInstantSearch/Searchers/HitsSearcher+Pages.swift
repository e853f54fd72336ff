extension HitsSearcher {
  /// Another page of a search that was answered.
  ///
  /// The request of `response` is made again with another page, at once and beside the searcher:
  /// its own request stays, nothing is published, and no search is superseded. Counts of facets
  /// that take queries of their own are not asked for again. Whether the searcher has a newer
  /// answer by then is for the caller to check: the page has the `generation` of `response`.
  ///
  /// Where the transport offers a `TransportResponse.snapshot`, the page is made from the data
  /// that `response` was made from, whatever was written since.
  ///
  /// - Parameters:
  ///   - page: the number of the page, from 0; takes the place of `offset` and `length` as well.
  ///   - response: an answer of this searcher.
  public nonisolated func page(
    _ page: Int, of response: HitsResponse
  ) async throws(SearchError) -> HitsResponse {
    try await pageLoader.load(page, response).get()
  }
}

extension HitsSearcher: HitsFeed {
  package nonisolated func addObserver(_ observer: HitsObserver) -> UInt64? {
    core.addObserver(observer)
  }

  package nonisolated func removeObserver(_ id: UInt64) { core.removeObserver(id) }

  package nonisolated var newestGeneration: UInt64 { core.generation }

  package nonisolated func follow(_ filterState: FilterState) -> Connection {
    follow(filterState, isOwn: false)
  }
}

extension PageLoader {
  /// Loads pages through a client.
  init(client: SearchClient, options: RequestOptions) {
    self.init { page, response in
      var request = response.request
      request.query.page = page
      request.query.offset = nil
      request.query.length = nil
      do throws(SearchError) {
        let content = try await client.content(
          of: request, from: response.content.snapshot, options: options)
        // The caller that asked for the page reports the hits that do not decode.
        return .success(
          HitsResponse(
            request: request, content: content,
            context: SearchContext(
              generation: response.generation, report: { _ in }, isWanted: { true },
              hasSuccessor: { false })))
      } catch {
        return .failure(error)
      }
    }
  }
}
