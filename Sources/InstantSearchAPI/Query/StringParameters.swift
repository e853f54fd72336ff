import InstantSearchJSON

/// A part of the advanced query syntax.
///
/// A value that is missing here is written as a string literal.
public struct AdvancedSyntaxFeature: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// A value with that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A value with that name.
  public init(stringLiteral value: String) { rawValue = value }

  /// `"a phrase"` matches these words next to each other.
  public static let exactPhrase = AdvancedSyntaxFeature(rawValue: "exactPhrase")
  /// `-word` rules out the records that contain the word.
  public static let excludeWords = AdvancedSyntaxFeature(rawValue: "excludeWords")
}

extension AdvancedSyntaxFeature: OpenStringValue, JSONNodeDecodable, JSONWritable {}

/// An alternative of a query word that counts as an exact match.
///
/// A value that is missing here is written as a string literal.
public struct AlternativeAsExact: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// A value with that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A value with that name.
  public init(stringLiteral value: String) { rawValue = value }

  /// Another inflected form, when `ignorePlurals` is on.
  public static let ignorePlurals = AlternativeAsExact(rawValue: "ignorePlurals")
  /// A synonym of one word.
  public static let singleWordSynonym = AlternativeAsExact(rawValue: "singleWordSynonym")
  /// A synonym of several words.
  public static let multiWordsSynonym = AlternativeAsExact(rawValue: "multiWordsSynonym")
  /// Another form of a verb.
  public static let ignoreConjugations = AlternativeAsExact(rawValue: "ignoreConjugations")
}

extension AlternativeAsExact: OpenStringValue, JSONNodeDecodable, JSONWritable {}

/// What the Exact criterion rewards when a query has one word.
///
/// A value that is missing here is written as a string literal. Where the property is optional,
/// write `ExactOnSingleWordQuery.none` in full: `.none` alone is `nil`.
public struct ExactOnSingleWordQuery: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// A value with that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A value with that name.
  public init(stringLiteral value: String) { rawValue = value }

  /// The whole attribute equals the word.
  public static let attribute = ExactOnSingleWordQuery(rawValue: "attribute")
  /// The word stands in the attribute as it was typed.
  public static let word = ExactOnSingleWordQuery(rawValue: "word")
  /// Nothing: the criterion is left out for such queries.
  public static let none = ExactOnSingleWordQuery(rawValue: "none")
}

extension ExactOnSingleWordQuery: OpenStringValue, JSONNodeDecodable, JSONWritable {}

/// Which words of a query may match the beginning of a longer word.
///
/// A value that is missing here is written as a string literal.
public struct QueryType: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
  /// The value's name on the wire.
  public var rawValue: String

  /// A value with that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A value with that name.
  public init(stringLiteral value: String) { rawValue = value }

  /// Only the last word, the one that is still being typed.
  public static let prefixLast = QueryType(rawValue: "prefixLast")
  /// Every word.
  public static let prefixAll = QueryType(rawValue: "prefixAll")
  /// No word: each one matches whole words only.
  public static let prefixNone = QueryType(rawValue: "prefixNone")
}

extension QueryType: OpenStringValue, JSONNodeDecodable, JSONWritable {}

/// What is dropped from a query that matches nothing, before it is tried again.
///
/// A value that is missing here is written as a string literal. Where the property is optional,
/// write `RemoveWordsIfNoResults.none` in full: `.none` alone is `nil`.
public struct RemoveWordsIfNoResults: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// A value with that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A value with that name.
  public init(stringLiteral value: String) { rawValue = value }

  /// Nothing: the search stays empty.
  public static let none = RemoveWordsIfNoResults(rawValue: "none")
  /// Words from the end.
  public static let lastWords = RemoveWordsIfNoResults(rawValue: "lastWords")
  /// Words from the beginning.
  public static let firstWords = RemoveWordsIfNoResults(rawValue: "firstWords")
  /// Nothing, but every word becomes optional.
  public static let allOptional = RemoveWordsIfNoResults(rawValue: "allOptional")
}

extension RemoveWordsIfNoResults: OpenStringValue, JSONNodeDecodable, JSONWritable {}

/// The way an index is searched.
///
/// A value that is missing here is written as a string literal.
public struct SearchMode: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// A value with that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A value with that name.
  public init(stringLiteral value: String) { rawValue = value }

  /// By words.
  public static let keywordSearch = SearchMode(rawValue: "keywordSearch")
  /// By words and by meaning, where the hosted plan includes it.
  public static let neuralSearch = SearchMode(rawValue: "neuralSearch")
}

extension SearchMode: OpenStringValue, JSONNodeDecodable, JSONWritable {}

/// The order of facet values, which also decides which ones are kept.
///
/// A value that is missing here is written as a string literal.
public struct SortFacetValuesBy: RawRepresentable, Hashable, Sendable, Codable,
  ExpressibleByStringLiteral
{
  /// The value's name on the wire.
  public var rawValue: String

  /// A value with that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A value with that name.
  public init(stringLiteral value: String) { rawValue = value }

  /// The most frequent first.
  public static let count = SortFacetValuesBy(rawValue: "count")
  /// By name.
  public static let alphabetical = SortFacetValuesBy(rawValue: "alpha")
}

extension SortFacetValuesBy: OpenStringValue, JSONNodeDecodable, JSONWritable {}
