public import AsyncInstantSearch

/// How an index of the embedded engine is searched, filtered, ranked and answered.
///
/// The names and the defaults are those of the REST contract. A search parameter of the same name
/// overrides a setting for one search.
public struct IndexSettings: Sendable, Hashable {
  // MARK: Searching

  /// The attributes that are searched, most important first; empty searches every text attribute.
  ///
  /// `"a,b"` gives two attributes the same rank; `unordered(a)` ignores where in the value a word
  /// stands; the path of an object covers everything beneath it.
  public var searchableAttributes: [String] = []

  /// Attributes in which query words match whole words only.
  public var disablePrefixOnAttributes: [String] = []

  /// Attributes that the Exact criterion does not look at.
  public var disableExactOnAttributes: [String] = []

  /// Which words of a query may match the beginning of a word.
  public var queryType: QueryType = .prefixLast

  /// What is dropped from a query that finds nothing.
  public var removeWordsIfNoResults: RemoveWordsIfNoResults = .none

  /// Words of a query that a record need not contain.
  public var optionalWords: OptionalWords = .list([])

  /// Whether queries may contain `"phrases"` and `-excluded` words.
  public var advancedSyntax: Bool = false

  /// Which parts of the advanced syntax are on.
  public var advancedSyntaxFeatures: [AdvancedSyntaxFeature] = [.exactPhrase, .excludeWords]

  /// What counts as exact for a query of one word.
  public var exactOnSingleWordQuery: ExactOnSingleWordQuery = .attribute

  /// Which alternatives of a word count as exact.
  ///
  /// Stored and given back; this engine does not act on it yet.
  public var alternativesAsExact: [AlternativeAsExact] = [.ignorePlurals, .singleWordSynonym]

  /// Separator characters that are indexed as words of their own.
  public var separatorsToIndex: String = ""

  /// Characters whose diacritics are kept, in lower case.
  public var keepDiacriticsOnCharacters: String = ""

  /// Whether inflected forms of a word are equal.
  ///
  /// Stored and given back; this engine does not act on it yet.
  public var ignorePlurals: IgnorePlurals = .enabled(false)

  /// Whether stop words are dropped from queries.
  ///
  /// Stored and given back; this engine does not act on it yet.
  public var removeStopWords: RemoveStopWords = .enabled(false)

  /// The languages of the two settings above.
  ///
  /// Stored and given back; this engine does not act on it yet.
  public var queryLanguages: [Language] = []

  // MARK: Typos

  /// How typing mistakes are treated.
  public var typoTolerance: TypoTolerance = .enabled(true)

  /// The length from which a query word may contain one typo, in characters.
  public var minWordSizefor1Typo: Int = 4

  /// The length from which a query word may contain two typos, in characters.
  public var minWordSizefor2Typos: Int = 8

  /// Whether words made of digits may contain typos.
  public var allowTyposOnNumericTokens: Bool = true

  /// Words that must be written exactly.
  public var disableTypoToleranceOnWords: [String] = []

  /// Attributes whose words must be written exactly.
  public var disableTypoToleranceOnAttributes: [String] = []

  // MARK: Ranking

  /// The criteria in order; may contain `asc(attribute)` and `desc(attribute)`.
  public var ranking: [String] = [
    "typo", "geo", "words", "filters", "proximity", "attribute", "exact", "custom",
  ]

  /// The attributes of the criterion `custom`, each as `asc(attribute)` or `desc(attribute)`.
  public var customRanking: [String] = []

  /// Word distances up to this are equal, 1 to 8; 8 makes all distances equal.
  public var minProximity: Int = 1

  /// Whether the best attribute is chosen by proximity when Attribute precedes Proximity.
  public var attributeCriteriaComputedByMinProximity: Bool = false

  /// The attribute whose equal values make a group; `nil` makes none.
  public var attributeForDistinct: String?

  /// How many members of a group are returned, 0 (all) to 4.
  public var distinct: Distinct = .enabled(false)

  // MARK: Filtering and facets

  /// The attributes to filter by and to count.
  ///
  /// `filterOnly(a)` is not counted, `searchable(a)` can be searched for values, `afterDistinct(a)`
  /// is counted after grouping; the last two combine as `afterDistinct(searchable(a))`. A name
  /// directly before a parenthesis is taken for such a function, and any other one is a mistake.
  public var attributesForFaceting: [String] = []

  /// The attributes of numeric filters; `nil` and an empty list mean all.
  ///
  /// `equalOnly(a)` allows only `=` and `!=`.
  public var numericAttributesForFiltering: [String]?

  /// How many values of a facet are returned, at most 1000.
  public var maxValuesPerFacet: Int = 100

  /// Which values of a facet are kept, and their order.
  public var sortFacetValuesBy: SortFacetValuesBy = .count

  /// How many values a search for facet values returns, at most 100.
  public var maxFacetHits: Int = 10

  // MARK: Pages

  /// How many hits make a page, 0 to 1000.
  public var hitsPerPage: Int = 20

  /// How many hits can be reached by paging, at most 20,000.
  public var paginationLimitedTo: Int = 1000

  // MARK: Records in the answer

  /// The attributes of a hit; `*` is all, `-a` leaves one out, dots reach nested ones.
  public var attributesToRetrieve: [String] = ["*"]

  /// Attributes that never leave the engine.
  public var unretrievableAttributes: [String] = []

  /// The attributes that are highlighted; `nil` means those that are searched, `*` all.
  public var attributesToHighlight: [String]?

  /// The attributes that are cut to a passage, as `a` (10 words) or `a:20`.
  public var attributesToSnippet: [String] = []

  /// What precedes a matched word.
  public var highlightPreTag: String = "<em>"

  /// What follows a matched word.
  public var highlightPostTag: String = "</em>"

  /// What stands where a passage was cut.
  public var snippetEllipsisText: String = "\u{2026}"

  /// Whether elements of arrays without a match are left out of highlights and snippets.
  public var restrictHighlightAndSnippetArrays: Bool = false

  /// Whether the query's word is shown instead of its synonym.
  ///
  /// Stored and given back; this engine does not act on it yet.
  public var replaceSynonymsInHighlight: Bool = false

  /// The top-level members of an answer.
  public var responseFields: [String] = ["*"]

  /// Anything that answers are to carry along; its size is limited, see <doc:LimitsAndBrowsing>.
  public var userData: JSON?

  /// How a user interface is to order facets; carried along in answers.
  public var renderingContent: RenderingContent?

  // MARK: Copies

  /// Indices with the records of this one, to be ranked by settings of their own.
  ///
  /// The records of a replica that exists already are replaced; its settings stay. A missing one is
  /// made with the settings of its primary.
  public var replicas: [String] = []

  /// Settings of the contract that this engine stores and gives back, but does not act upon.
  ///
  /// At most 1000, of 4,194,304 bytes as JSON together; a longer name than 1000 bytes is an error.
  public var additionalSettings: [String: JSON] = [:]

  /// Creates the default settings.
  public init() {}

  /// Creates the default settings and changes them.
  public init(_ change: (inout IndexSettings) -> Void) {
    change(&self)
  }
}
