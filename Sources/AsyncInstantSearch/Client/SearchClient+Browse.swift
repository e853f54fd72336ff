extension SearchClient {
  /// All hits of a query, page after page, as a sequence that fetches a page only when its first
  /// hit is asked for.
  ///
  /// It begins at the query's page and ends with the last page that the index's
  /// `paginationLimitedTo` lets through; ``browse(_:_:of:options:)`` knows no such limit.
  public func hits<Record>(
    _ indexName: String,
    _ query: SearchQuery = SearchQuery(),
    of type: Record.Type,
    options: RequestOptions = RequestOptions()
  ) -> HitSequence<Record> {
    HitSequence(pages: pages(indexName, query, of: type, options: options))
  }

  /// All pages of a query, each fetched when it is asked for.
  public func pages<Record>(
    _ indexName: String,
    _ query: SearchQuery = SearchQuery(),
    of type: Record.Type,
    options: RequestOptions = RequestOptions()
  ) -> PageSequence<Record> {
    PageSequence { position in
      let query = query.with { $0.page = position.nextPage ?? $0.page }
      do throws(SearchError) {
        let page = try await search(indexName, query, of: type, options: options)
        let next = page.page + 1
        return .success(.init(page: page, next: next < page.nbPages ? .init(nextPage: next) : nil))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Every record that matches, in the order of attribute and custom ranking, without a limit.
  ///
  /// A page of at most 1,000 records is fetched when its first record is asked for. Highlighting,
  /// facets and typo ranking are not available when browsing.
  public func browse<Record>(
    _ indexName: String,
    _ query: SearchQuery = SearchQuery(),
    of type: Record.Type,
    options: RequestOptions = RequestOptions()
  ) -> HitSequence<Record> {
    HitSequence(pages: browsePages(indexName, query, of: type, options: options))
  }

  /// Every page of a browse, each fetched when it is asked for.
  public func browsePages<Record>(
    _ indexName: String,
    _ query: SearchQuery = SearchQuery(),
    of type: Record.Type,
    options: RequestOptions = RequestOptions()
  ) -> PageSequence<Record> {
    PageSequence { position in
      do throws(SearchError) {
        let page = try await browsePage(
          SearchRequest(indexName, query, of: type), cursor: position.cursor, options: options)
        return .success(.init(page: page, next: page.cursor.map { .init(cursor: $0) }))
      } catch {
        return .failure(error)
      }
    }
  }

  @concurrent
  private func browsePage<Record>(
    _ request: SearchRequest<Record>, cursor: String?, options: RequestOptions
  ) async throws(SearchError) -> HitsPage<Record> {
    var request = request
    if request.query.hitsPerPage == nil { request.query.hitsPerPage = 1000 }
    var body = request.query
    if let cursor { body.additionalParameters["cursor"] = .string(cursor) }
    return try await content(
      of: SearchRequest(request.indexName, body, of: JSON.self), action: "browse",
      options: options
    ).page(for: request)
  }
}
