/// Pages that are fetched one at a time, each when it is asked for.
///
/// Cancelling the task that iterates ends the fetch under way with `cancelled`. After an error the
/// iteration may be continued: the page that failed is asked for again.
///
/// An iterator keeps the ``TransportResponse/snapshot`` of its first page, if there is one, and
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
