/// What a page knows about its hits that they do not know themselves.
struct HitStamp {
  /// The rank of the page's first hit among all hits, from 1; `nil` when it is not known.
  let firstPosition: Int?
  /// The ID of the query.
  let queryID: String?
  /// The tags of the highlights.
  let tags: HighlightedString.Tags

  /// Takes the values from a page whose members have been read, and from the query it answers.
  ///
  /// Without the query, its parameters are taken from the answer where they are repeated there.
  init<Record>(_ page: HitsPage<Record>, query: SearchQuery?) {
    let start: Int?
    if let offset = page.offset {
      start = offset
    } else if page.page == 0 {
      start = 0
    } else if page.hitsPerPage > 0 {
      let (product, overflow) = page.page.multipliedReportingOverflow(by: page.hitsPerPage)
      start = overflow ? nil : product
    } else {
      start = nil
    }
    firstPosition = start.flatMap { start in
      let (position, overflow) = start.addingReportingOverflow(1)
      return overflow || position < 1 ? nil : position
    }
    queryID = page.queryID
    tags =
      (query ?? Self.query(repeatedIn: page.params)).map(HighlightedString.Tags.init) ?? .standard
  }

  /// The rank of the hit at an index of the page; `nil` when it is not known.
  func position(at index: Int) -> Int? {
    guard let (position, overflow) = firstPosition?.addingReportingOverflow(index) else {
      return nil
    }
    return overflow ? nil : position
  }

  private static func query(repeatedIn params: String?) -> SearchQuery? {
    guard let params, mayNameTags(params) else { return nil }
    return try? SearchQuery(urlEncoded: params)
  }

  /// Whether there is a `tP`, as in `highlightPreTag` and `highlightPostTag`.
  ///
  /// This is asked for every page, and searching a string for a string takes longer than reading
  /// three hits.
  private static func mayNameTags(_ params: String) -> Bool {
    var previous: UInt8 = 0
    for byte in params.utf8 {
      if byte == UInt8(ascii: "P"), previous == UInt8(ascii: "t") { return true }
      previous = byte
    }
    return false
  }
}

extension HighlightedString.Tags {
  /// The tags that the answer to a query marks its highlights with.
  ///
  /// An index can have other tags in its settings; these are not known here, so a query that is to
  /// be read should name its tags.
  package init(_ query: SearchQuery) {
    let standard = Self.standard
    self.init(
      pre: query.highlightPreTag ?? standard.pre, post: query.highlightPostTag ?? standard.post)
  }
}
