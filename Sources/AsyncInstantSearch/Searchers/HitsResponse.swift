/// An answer whose hits have not been given a type yet.
///
/// ``page(of:)`` decodes it, once per record type however many consumers ask, on the task of the
/// consumer that asks first.
public final class HitsResponse: Sendable {
  /// The request that was answered.
  public let request: SearchRequest<JSON>
  /// The number of the search that was answered, counted from 1 in each searcher.
  public let generation: UInt64

  private let content: HitsContent
  private let pages = Lock<[ObjectIdentifier: any Sendable]>([:])
  private let report: @Sendable (SearchError) -> Void

  init(
    request: SearchRequest<JSON>,
    generation: UInt64,
    content: HitsContent,
    report: @escaping @Sendable (SearchError) -> Void
  ) {
    self.request = request
    self.generation = generation
    self.content = content
    self.report = report
  }

  /// The answer as a page of `Record`: `Hit<T>`, `T` or ``JSON``.
  ///
  /// Hits that do not fit the type are in the page's `failures`, and are reported once to the
  /// searcher's `errors`.
  public func page<Record: Decodable & Sendable>(of type: Record.Type) -> HitsPage<Record> {
    let key = ObjectIdentifier(type)
    if let page = pages.withLock({ $0[key] }) as? HitsPage<Record> { return page }
    let decoded = content.page(
      for: SearchRequest(request.indexName, request.query, of: type), generation: generation)
    // Two consumers may have decoded at the same time: the first one's page is everybody's.
    let (page, isFirst) = pages.withLock { pages in
      if let earlier = pages[key] as? HitsPage<Record> { return (earlier, false) }
      pages[key] = decoded
      return (decoded, true)
    }
    if isFirst, let error = page.failureError { report(error) }
    return page
  }
}
