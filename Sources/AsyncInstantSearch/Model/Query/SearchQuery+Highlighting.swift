// Highlights and snippets.

extension SearchQuery {
  /// The attributes whose matching words are marked; `*` stands for all, an empty list for none.
  ///
  /// Default: every searchable attribute. Also a setting.
  public var attributesToHighlight: [String]? {
    get { self[.attributesToHighlight] }
    set { self[.attributesToHighlight] = newValue }
  }

  /// The attributes of which the matching part is returned.
  ///
  /// `name` or `name:N` with the length in words; `*` or `*:N` stands for every attribute.
  /// Default: none. Also a setting.
  public var attributesToSnippet: [String]? {
    get { self[.attributesToSnippet] }
    set { self[.attributesToSnippet] = newValue }
  }

  /// The text before a marked word.
  ///
  /// Default: `<em>`. Also a setting.
  public var highlightPreTag: String? {
    get { self[.highlightPreTag] }
    set { self[.highlightPreTag] = newValue }
  }

  /// The text after a marked word.
  ///
  /// Default: `</em>`. Also a setting.
  public var highlightPostTag: String? {
    get { self[.highlightPostTag] }
    set { self[.highlightPostTag] = newValue }
  }

  /// The text where a snippet was cut off.
  ///
  /// Default: `…`. Also a setting.
  public var snippetEllipsisText: String? {
    get { self[.snippetEllipsisText] }
    set { self[.snippetEllipsisText] = newValue }
  }

  /// Whether elements without a match are left out of highlighted and snippeted lists.
  ///
  /// Default: `false`. Also a setting.
  public var restrictHighlightAndSnippetArrays: Bool? {
    get { self[.restrictHighlightAndSnippetArrays] }
    set { self[.restrictHighlightAndSnippetArrays] = newValue }
  }

  /// Whether a matched synonym is shown as the word of the query.
  ///
  /// Default: `false`. Also a setting.
  public var replaceSynonymsInHighlight: Bool? {
    get { self[.replaceSynonymsInHighlight] }
    set { self[.replaceSynonymsInHighlight] = newValue }
  }
}
