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
