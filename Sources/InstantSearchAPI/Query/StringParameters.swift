import InstantSearchJSON

/// A part of the advanced query syntax.
///
/// Write a value without a constant as a string literal.
public struct AdvancedSyntaxFeature: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// Creates a value from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a value from its name.
  public init(stringLiteral value: String) { rawValue = value }

  /// `"a phrase"` matches these words next to each other.
  public static let exactPhrase = AdvancedSyntaxFeature(rawValue: "exactPhrase")
  /// `-word` excludes the records that contain the word.
  public static let excludeWords = AdvancedSyntaxFeature(rawValue: "excludeWords")
}

extension AdvancedSyntaxFeature: OpenStringValue, JSONNodeDecodable, JSONWritable {}

/// An alternative of a query word that counts as an exact match.
///
/// Write a value without a constant as a string literal.
public struct AlternativeAsExact: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// Creates a value from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a value from its name.
  public init(stringLiteral value: String) { rawValue = value }

  /// Another inflected form, if `ignorePlurals` is enabled.
  public static let ignorePlurals = AlternativeAsExact(rawValue: "ignorePlurals")
  /// A synonym of one word.
  public static let singleWordSynonym = AlternativeAsExact(rawValue: "singleWordSynonym")
  /// A synonym of several words.
  public static let multiWordsSynonym = AlternativeAsExact(rawValue: "multiWordsSynonym")
  /// Another form of a verb.
  public static let ignoreConjugations = AlternativeAsExact(rawValue: "ignoreConjugations")
}

extension AlternativeAsExact: OpenStringValue, JSONNodeDecodable, JSONWritable {}

/// A part of a search that a response explains.
///
/// Write a value without a constant as a string literal.
public struct ExplainModule: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// Creates a value from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a value from its name.
  public init(stringLiteral value: String) { rawValue = value }

  /// The ways in which each word of the query was searched, in `explain.match.alternatives`.
  public static let matchAlternatives = ExplainModule(rawValue: "match.alternatives")
}

extension ExplainModule: OpenStringValue, JSONNodeDecodable, JSONWritable {}

/// The match that the Exact criterion rewards for a query of one word.
///
/// Write a value without a constant as a string literal. If the property is optional, write
/// `ExactOnSingleWordQuery.none` in full: `.none` alone is `nil`.
public struct ExactOnSingleWordQuery: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// Creates a value from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a value from its name.
  public init(stringLiteral value: String) { rawValue = value }

  /// The whole attribute equals the word.
  public static let attribute = ExactOnSingleWordQuery(rawValue: "attribute")
  /// The attribute contains the word as it was typed.
  public static let word = ExactOnSingleWordQuery(rawValue: "word")
  /// Nothing: the criterion is skipped for such queries.
  public static let none = ExactOnSingleWordQuery(rawValue: "none")
}

extension ExactOnSingleWordQuery: OpenStringValue, JSONNodeDecodable, JSONWritable {}

/// The words of a query that match as prefixes.
///
/// Write a value without a constant as a string literal.
public struct QueryType: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
  /// The value's name on the wire.
  public var rawValue: String

  /// Creates a value from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a value from its name.
  public init(stringLiteral value: String) { rawValue = value }

  /// Only the last word, which may be incomplete.
  public static let prefixLast = QueryType(rawValue: "prefixLast")
  /// Every word.
  public static let prefixAll = QueryType(rawValue: "prefixAll")
  /// No word: each word matches whole words only.
  public static let prefixNone = QueryType(rawValue: "prefixNone")
}

extension QueryType: OpenStringValue, JSONNodeDecodable, JSONWritable {}

/// The words that are removed from a query without results before it runs again.
///
/// Write a value without a constant as a string literal. If the property is optional, write
/// `RemoveWordsIfNoResults.none` in full: `.none` alone is `nil`.
public struct RemoveWordsIfNoResults: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// Creates a value from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a value from its name.
  public init(stringLiteral value: String) { rawValue = value }

  /// No words: the result stays empty.
  public static let none = RemoveWordsIfNoResults(rawValue: "none")
  /// Words from the end.
  public static let lastWords = RemoveWordsIfNoResults(rawValue: "lastWords")
  /// Words from the beginning.
  public static let firstWords = RemoveWordsIfNoResults(rawValue: "firstWords")
  /// No words, but every word becomes optional.
  public static let allOptional = RemoveWordsIfNoResults(rawValue: "allOptional")
}

extension RemoveWordsIfNoResults: OpenStringValue, JSONNodeDecodable, JSONWritable {}

/// The search mode of an index.
///
/// Write a value without a constant as a string literal.
public struct SearchMode: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// Creates a value from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a value from its name.
  public init(stringLiteral value: String) { rawValue = value }

  /// By keywords.
  public static let keywordSearch = SearchMode(rawValue: "keywordSearch")
  /// By keywords and semantically, if the hosted plan includes it.
  public static let neuralSearch = SearchMode(rawValue: "neuralSearch")
}

extension SearchMode: OpenStringValue, JSONNodeDecodable, JSONWritable {}

/// The order of facet values, which also determines which ones are returned.
///
/// Write a value without a constant as a string literal.
public struct SortFacetValuesBy: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// Creates a value from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a value from its name.
  public init(stringLiteral value: String) { rawValue = value }

  /// By count, most frequent first.
  public static let count = SortFacetValuesBy(rawValue: "count")
  /// By name.
  public static let alphabetical = SortFacetValuesBy(rawValue: "alpha")
}

extension SortFacetValuesBy: OpenStringValue, JSONNodeDecodable, JSONWritable {}
