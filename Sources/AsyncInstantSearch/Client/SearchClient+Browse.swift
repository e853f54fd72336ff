extension SearchClient {
  /// All hits of a query, page after page, as a sequence that fetches a page only when its first
  /// hit is asked for.
  ///
  /// It begins at the query's page and ends with the last page that the index's
  /// `paginationLimitedTo` lets through; ``browse(_:_:of:options:)`` knows no such limit.
  ///
  /// Where the transport offers a `TransportResponse.snapshot`, as the embedded engine does, all
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

/// Hits one by one; a page is fetched when its first hit is asked for.
///
/// A hit that does not fit the record type is not passed over in silence: when the other hits of
/// its page are delivered, the iteration throws `decoding` with the failures. A `for` loop ends
/// there; an iterator that is asked by hand goes on with the next page. ``pages`` delivers the hits
/// and the failures of each page, and throws for neither.
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

  /// Begins at the first hit.
  public func makeAsyncIterator() -> Iterator {
    Iterator(pages: pages.makeAsyncIterator())
  }

  /// Delivers the hits.
  public struct Iterator: AsyncIteratorProtocol {
    /// The type of the errors.
    public typealias Failure = SearchError

    private var pages: PageSequence<Record>.Iterator
    private var hits: ArraySlice<Record> = []
    private var failure: SearchError?

    fileprivate init(pages: PageSequence<Record>.Iterator) {
      self.pages = pages
    }

    /// The next hit; `nil` after the last.
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

/// Pages that are fetched one at a time, each when it is asked for.
///
/// Cancelling the task that iterates ends the fetch under way with `cancelled`. After an error the
/// iteration may be continued: the page that failed is asked for again.
///
/// An iterator keeps the `TransportResponse.snapshot` of its first page, if there is one, and
/// asks for the others with it; it lets go of it after the last page.
public struct PageSequence<Record: Decodable & Sendable>: AsyncSequence, Sendable {
  /// The type of the elements.
  public typealias Element = HitsPage<Record>
  /// The type of the errors.
  public typealias Failure = SearchError

  /// Where the iteration stands.
  struct Position: Sendable {
    var nextPage: Int?
    var cursor: String?
    /// The data of the first page.
    var snapshot: (any Sendable)?
  }

  /// A page, and where the iteration goes on after it; `nil` after the last.
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

  /// Begins at the first page.
  public func makeAsyncIterator() -> Iterator {
    Iterator(fetch: fetch)
  }

  /// Fetches the pages.
  public struct Iterator: AsyncIteratorProtocol {
    /// The type of the errors.
    public typealias Failure = SearchError

    private let fetch: Fetch
    private var position: Position? = Position()

    fileprivate init(fetch: @escaping Fetch) {
      self.fetch = fetch
    }

    /// Fetches the next page; `nil` after the last.
    public mutating func next() async throws(SearchError) -> HitsPage<Record>? {
      guard let current = position else { return nil }
      let step = try await fetch(current).get()
      position = step.next
      return step.page
    }
  }
}
