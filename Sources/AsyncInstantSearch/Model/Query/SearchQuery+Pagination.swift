// Pages.

extension SearchQuery {
  /// The page of hits, counted from 0.
  ///
  /// Default: 0. Per search only.
  public var page: Int? {
    get { self[.page] }
    set { self[.page] = newValue }
  }

  /// The number of hits on a page, up to 1,000; 0 asks for counts only.
  ///
  /// Default: 20. Also a setting.
  public var hitsPerPage: Int? {
    get { self[.hitsPerPage] }
    set { self[.hitsPerPage] = newValue }
  }

  /// The first hit, counted from 0; takes the place of ``page`` when it is set.
  ///
  /// No default. Per search only.
  public var offset: Int? {
    get { self[.offset] }
    set { self[.offset] = newValue }
  }

  /// The number of hits from ``offset`` on, up to 1,000; without an offset it is ignored.
  ///
  /// No default. Per search only.
  public var length: Int? {
    get { self[.length] }
    set { self[.length] = newValue }
  }
}
