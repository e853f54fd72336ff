extension SearchClient {
  /// Returns all hits of a query as a sequence that fetches each page when its first hit is
  /// needed.
  ///
  /// It begins at the query's page and ends with the last page that the index's
  /// `paginationLimitedTo` permits, or with a page without hits. ``browse(_:_:of:options:)`` has no
  /// such limit.
  ///
  /// If the transport supports `TransportResponse.snapshot`, as the embedded engine does, all pages
  /// come from the data of the first page: concurrent writes neither repeat nor lose a hit.
  /// Otherwise each page comes from the data at the time of its request.
  ///
  /// A hit that does not match `Record` ends a `for` loop with `decoding`, after the other hits of
  /// its page. To continue with the next page, call the iterator directly:
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
  /// ``pages(_:_:of:options:)`` needs no such loop: it returns the hits and the failures of each
  /// page.
  public func hits<Record>(
    _ indexName: String,
    _ query: SearchQuery = SearchQuery(),
    of type: Record.Type,
    options: RequestOptions = RequestOptions()
  ) -> HitSequence<Record> {
    HitSequence(pages: pages(indexName, query, of: type, options: options))
  }

  /// Returns all pages of a query, each fetched on demand and from the same data as for
  /// ``hits(_:_:of:options:)``.
  ///
  /// A hit that does not match `Record` is not an error here: it is in the `failures` of its page.
  /// If the query limits the fields of the response, `page` and `nbPages` are requested as well,
  /// because the sequence needs them.
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
        let result = try await result(
          of: request, from: position.snapshot, requiresHits: true, options: options)
        let page = result.page(for: request)
        // Counted from the requested page, because the response can contain any number.
        let (next, isTooFar) = (query.page ?? 0).addingReportingOverflow(1)
        let isEmpty = query.requestsHits != false && page.hits.isEmpty && page.failures.isEmpty
        let isLast = isTooFar || isEmpty || next >= page.nbPages
        let following = PageSequence<Record>.Position(
          nextPage: next, snapshot: result.snapshot)
        return .success(.init(page: page, next: isLast ? nil : following))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Returns every matching record, ranked by attribute and custom ranking, without a limit.
  ///
  /// A page of at most 1,000 records is fetched when its first record is needed. Highlighting,
  /// facets and typo ranking are not available when browsing. A server that returns the cursor of a
  /// request again is an error of the code `server`, because the sequence would not end.
  ///
  /// A record that does not match `Record` ends a `for` loop with `decoding`, after the other
  /// records of its page. ``hits(_:_:of:options:)`` shows how to continue after it, and
  /// ``browsePages(_:_:of:options:)`` returns everything, including failures.
  public func browse<Record>(
    _ indexName: String,
    _ query: SearchQuery = SearchQuery(),
    of type: Record.Type,
    options: RequestOptions = RequestOptions()
  ) -> HitSequence<Record> {
    HitSequence(pages: browsePages(indexName, query, of: type, options: options))
  }

  /// Returns every page of a browse, each fetched on demand.
  ///
  /// A record that does not match `Record` is not an error here: it is in the `failures` of its
  /// page.
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
        if let cursor = page.cursor, cursor == position.cursor {
          throw SearchError(
            .server, "The server returned the cursor of the request again, so a browse cannot end.",
            indexName: indexName)
        }
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
    request.query.adoptAdditional(.hitsPerPage)
    if request.query.hitsPerPage == nil { request.query.hitsPerPage = 1000 }
    var body = request.sentQuery
    if let cursor { body.additionalParameters["cursor"] = .string(cursor) }
    return try await result(
      of: SearchRequest(request.indexName, body, of: JSON.self), isBrowsing: true,
      requiresHits: true, options: options
    ).page(for: request)
  }
}

extension SearchQuery {
  /// Returns the query for one page of a sequence; `nil` is the query's own page.
  fileprivate func onPage(_ page: Int?) -> SearchQuery {
    with { query in
      query.adoptAdditional(.page)
      query.adoptAdditional(.responseFields)
      query.page = page ?? query.page
      guard let fields = query.responseFields, !fields.contains("*") else { return }
      query.responseFields = fields + ["page", "nbPages"].filter { !fields.contains($0) }
    }
  }
}

/// An asynchronous sequence of hits that fetches each page when its first hit is needed.
///
/// A hit that does not match the record type is not silently ignored: after the other hits of its
/// page, the iteration throws `decoding` with the failures. A `for` loop ends there. An iterator
/// that is called directly continues with the next page. ``pages`` returns the hits and the
/// failures of each page, and throws for neither.
public struct HitSequence<Record: Decodable & Sendable>: AsyncSequence, Sendable {
  /// The type of the elements.
  public typealias Element = Record
  /// The type of the errors.
  public typealias Failure = SearchError

  /// The same hits, page by page.
  public let pages: PageSequence<Record>

  init(pages: PageSequence<Record>) {
    self.pages = pages
  }

  /// Creates an iterator that begins at the first hit.
  public func makeAsyncIterator() -> Iterator {
    Iterator(pages: pages.makeAsyncIterator())
  }

  /// An iterator over the hits.
  public struct Iterator: AsyncIteratorProtocol {
    /// The type of the errors.
    public typealias Failure = SearchError

    private var pages: PageSequence<Record>.Iterator
    private var hits: ArraySlice<Record> = []
    private var failure: SearchError?

    fileprivate init(pages: PageSequence<Record>.Iterator) {
      self.pages = pages
    }

    /// Returns the next hit; `nil` after the last hit.
    public mutating func next() async throws(SearchError) -> Record? {
      while true {
        if let hit = hits.popFirst() { return hit }
        if let failure {
          self.failure = nil
          throw failure
        }
        guard let page = try await pages.next() else { return nil }
        hits = page.hits[...]
        failure = page.failureError
      }
    }
  }
}

/// An asynchronous sequence of pages that are fetched one at a time, on demand.
///
/// To iterate over single hits use ``HitSequence``.
///
/// Cancelling the iterating task ends the current fetch with `cancelled`. After an error the
/// iteration can continue: it requests the failed page again.
///
/// An iterator keeps the `TransportResponse.snapshot` of its first page, if any, uses it to request
/// the other pages, and releases it after the last page.
public struct PageSequence<Record: Decodable & Sendable>: AsyncSequence, Sendable {
  /// The type of the elements.
  public typealias Element = HitsPage<Record>
  /// The type of the errors.
  public typealias Failure = SearchError

  /// The position of the iteration.
  struct Position: Sendable {
    var nextPage: Int?
    var cursor: String?
    /// The snapshot of the first page.
    var snapshot: (any Sendable)?
  }

  /// A page and the position after it; `nil` after the last page.
  struct Step: Sendable {
    var page: HitsPage<Record>
    var next: Position?
  }

  // `@concurrent`: a stored closure that inherits its caller's isolation, called from a generic
  // iterator, is miscompiled by Swift 6.3.
  typealias Fetch = @concurrent @Sendable (Position) async -> Result<Step, SearchError>

  private let fetch: Fetch

  init(fetch: @escaping Fetch) {
    self.fetch = fetch
  }

  /// Creates an iterator that begins at the first page.
  public func makeAsyncIterator() -> Iterator {
    Iterator(fetch: fetch)
  }

  /// An iterator that fetches the pages.
  public struct Iterator: AsyncIteratorProtocol {
    /// The type of the errors.
    public typealias Failure = SearchError

    private let fetch: Fetch
    private var position: Position? = Position()

    fileprivate init(fetch: @escaping Fetch) {
      self.fetch = fetch
    }

    /// Fetches the next page; `nil` after the last page.
    public mutating func next() async throws(SearchError) -> HitsPage<Record>? {
      guard let current = position else { return nil }
      let step = try await fetch(current).get()
      position = step.next
      return step.page
    }
  }
}
