// A searcher whose answers are hits.

extension Searcher where Answer == HitsResponse {
  /// Searches the current request at once and returns its page; it is published as well.
  ///
  /// Throws as ``search()`` does. Hits that do not fit `Record` are in the page's `failures`.
  public nonisolated func search<Record: Decodable & Sendable>(
    of type: Record.Type
  ) async throws(SearchError) -> HitsPage<Record> {
    try await search().page(of: type)
  }

  /// The pages of the newest requests, decoded as `Record`: `Hit<T>`, `T` or `JSON`.
  ///
  /// Every call makes a new subscription. It receives the newest page first, if there is one, and
  /// then each newer page; a consumer that is slower than the searches misses pages in between and
  /// always receives the newest. Pages are decoded on the consumer's task, off any actor.
  ///
  /// A loop in a task whose closure mentions the searcher holds the searcher. `subscribe` makes a
  /// task that does not:
  ///
  /// ```swift
  /// searcher.pages(of: Hit<Film>.self).subscribe { page in await screen.draw(page) }
  /// ```
  public nonisolated func pages<Record: Decodable & Sendable>(
    of type: Record.Type, buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<HitsPage<Record>> {
    pipeline.answers.stream(buffering: buffering) { await $0.page(of: type) }
  }

  /// The newest answers before they are given a type; a subscription as in
  /// ``pages(of:buffering:)``.
  public nonisolated func responses(
    buffering: StreamBuffering = .newest(1)
  ) -> AsyncStream<HitsResponse> {
    pipeline.answers.stream(buffering: buffering)
  }

  /// The newest answers before they are given a type.
  public nonisolated var responses: AsyncStream<HitsResponse> { responses() }
}
