extension SearchClient {
  /// All hits of a query, page after page, as a sequence that fetches a page only when its first
  /// hit is asked for.
  ///
  /// It begins at the query's page and ends with the last page that the index's
  /// `paginationLimitedTo` lets through; ``browse(_:_:of:options:)`` knows no such limit.
  ///
  /// Where the transport offers a ``TransportResponse/snapshot``, as the embedded engine does, all
  /// pages are made from the data of the first: records written meanwhile neither repeat nor lose a
  /// hit. Elsewhere each page is made from the data of its own moment.
  ///
  /// A hit that does not fit `Record` ends a `for` loop with `decoding`, after the other hits of
  /// its page. To go on with the next page after that, iterate by hand:
  ///
  ///     var iterator = client.hits("films", of: Film.self).makeAsyncIterator()
  ///     while true {
  ///       do {
  ///         guard let film = try await iterator.next() else { break }
  ///         …
  ///       } catch where error.code == .decoding {
  ///         // error.failures names the hits; the loop goes on
  ///       }
  ///     }
  ///
  /// ``pages(_:_:of:options:)`` delivers everything without that: the hits and the failures of each
  /// page.
  public func hits<Record>(
    _ indexName: String,
    _ query: SearchQuery = SearchQuery(),
    of type: Record.Type,
    options: RequestOptions = RequestOptions()
  ) -> HitSequence<Record> {
    HitSequence(pages: pages(indexName, query, of: type, options: options))
  }

  /// All pages of a query, each fetched when it is asked for; from the same data, as
  /// ``hits(_:_:of:options:)`` has them.
  ///
  /// A hit that does not fit `Record` is no error here: it is in the `failures` of its page. When
  /// the query limits the fields of the answer, `page` and `nbPages` are asked for as well: the
  /// sequence needs them.
  public func pages<Record>(
    _ indexName: String,
    _ query: SearchQuery = SearchQuery(),
    of type: Record.Type,
    options: RequestOptions = RequestOptions()
  ) -> PageSequence<Record> {
    PageSequence { position in
      let query = query.onPage(position.nextPage)
      let request = SearchRequest(indexName, query, of: type)
      do throws(SearchError) {
        let content = try await content(
          of: request, from: position.snapshot, options: options)
        let page = content.page(for: request)
        // Counted from the page that was asked for: the answer's own number may be anything.
        let (next, isTooFar) = (query.page ?? 0).addingReportingOverflow(1)
        let isLast = isTooFar || next >= page.nbPages
        let following = PageSequence<Record>.Position(
          nextPage: next, snapshot: content.snapshot)
        return .success(.init(page: page, next: isLast ? nil : following))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Every record that matches, in the order of attribute and custom ranking, without a limit.
  ///
  /// A page of at most 1,000 records is fetched when its first record is asked for. Highlighting,
  /// facets and typo ranking are not available when browsing.
  ///
  /// A record that does not fit `Record` ends a `for` loop with `decoding`, after the other records
  /// of its page; ``hits(_:_:of:options:)`` shows how to go on after it, and
  /// ``browsePages(_:_:of:options:)`` delivers everything, failures included.
  public func browse<Record>(
    _ indexName: String,
    _ query: SearchQuery = SearchQuery(),
    of type: Record.Type,
    options: RequestOptions = RequestOptions()
  ) -> HitSequence<Record> {
    HitSequence(pages: browsePages(indexName, query, of: type, options: options))
  }

  /// Every page of a browse, each fetched when it is asked for.
  ///
  /// A record that does not fit `Record` is no error here: it is in the `failures` of its page.
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
    var body = request.sentQuery
    if let cursor { body.additionalParameters["cursor"] = .string(cursor) }
    return try await content(
      of: SearchRequest(request.indexName, body, of: JSON.self), isBrowsing: true,
      options: options
    ).page(for: request)
  }
}

extension SearchQuery {
  /// The query for one page of a sequence; `nil` is the query's own page.
  fileprivate func onPage(_ page: Int?) -> SearchQuery {
    with { query in
      query.page = page ?? query.page
      guard let fields = query.responseFields, !fields.contains("*") else { return }
      query.responseFields = fields + ["page", "nbPages"].filter { !fields.contains($0) }
    }
  }
}
