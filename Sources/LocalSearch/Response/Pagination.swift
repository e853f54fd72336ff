import AsyncInstantSearch

/// Which part of the ranked hits is answered.
struct Pagination: Sendable, Hashable {
  /// How the part was asked for.
  enum Kind: Sendable, Hashable {
    case page(Int, hitsPerPage: Int)
    case offset(Int, length: Int)
  }

  /// How the part was asked for.
  let kind: Kind

  /// The most hits of one answer.
  static let maximumLength = 1000

  /// Reads the parameters; `offset` takes precedence over `page`, and `length` alone is ignored.
  init(_ query: SearchQuery, settings: IndexSettings) throws(APIError) {
    let hitsPerPage = query.hitsPerPage ?? settings.hitsPerPage
    try ParameterCheck.integer(hitsPerPage, "hitsPerPage", 0...Self.maximumLength)
    let page = query.page ?? 0
    try ParameterCheck.integer(page, "page", 0...Int.max)
    if let offset = query.offset {
      try ParameterCheck.integer(offset, "offset", 0...Int.max)
      let length = query.length ?? hitsPerPage
      try ParameterCheck.integer(length, "length", 0...Self.maximumLength)
      kind = .offset(offset, length: length)
    } else {
      kind = .page(page, hitsPerPage: hitsPerPage)
    }
  }

  /// A page of a certain size.
  init(page: Int, hitsPerPage: Int) { kind = .page(page, hitsPerPage: hitsPerPage) }

  /// The place of the first hit, and how many are wanted.
  private var start: Int {
    switch kind {
    case .offset(let offset, _): return offset
    case .page(let page, let hitsPerPage):
      let (start, overflow) = page.multipliedReportingOverflow(by: hitsPerPage)
      return overflow ? .max : start
    }
  }

  /// How many hits are wanted.
  var length: Int {
    switch kind {
    case .offset(_, let length): length
    case .page(_, let hitsPerPage): hitsPerPage
    }
  }

  /// The places of the hits among so many, none at or past the limit.
  func range(of count: Int, limit: Int) -> Range<Int> {
    let end = min(count, max(limit, 0))
    let first = min(start, end)
    return first..<(length > end - first ? end : first + length)
  }

  /// Whether hits that exist were asked for but lie past the limit.
  func exceeds(limit: Int, count: Int) -> Bool {
    length > 0 && start >= max(limit, 0) && start < count
  }

  /// How many pages of so many hits can be reached.
  static func pageCount(of count: Int, hitsPerPage: Int, limit: Int) -> Int {
    guard hitsPerPage > 0 else { return 0 }
    let reachable = min(count, max(limit, 0))
    return reachable / hitsPerPage + (reachable % hitsPerPage == 0 ? 0 : 1)
  }
}
