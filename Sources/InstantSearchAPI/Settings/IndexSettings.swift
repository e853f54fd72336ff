/// The settings of an index: how it is searched, filtered, ranked and returned.
///
/// The names and the defaults come from the REST contract. A search parameter of the same name
/// overrides a setting for one search.
public struct IndexSettings: Sendable, Hashable {
  // MARK: Searching

  /// The attributes that are searched, most important first; empty searches every text attribute.
  ///
  /// `"a,b"` gives two attributes the same rank. `unordered(a)` ignores the position of a word in
  /// the value. The path of an object includes everything below it.
  public var searchableAttributes: [String] = []

  /// Attributes in which query words match whole words only.
  public var disablePrefixOnAttributes: [String] = []

  /// Attributes that the Exact criterion ignores.
  public var disableExactOnAttributes: [String] = []

  /// The words of a query that match prefixes.
  public var queryType: QueryType = .prefixLast

  /// The words that are removed from a query without hits.
  public var removeWordsIfNoResults: RemoveWordsIfNoResults = .none

  /// Words of a query that a record does not have to contain.
  public var optionalWords: OptionalWords = .list([])

  /// Whether queries may contain `"phrases"` and `-excluded` words.
  public var advancedSyntax: Bool = false

  /// The parts of the advanced syntax that are enabled.
  public var advancedSyntaxFeatures: [AdvancedSyntaxFeature] = [.exactPhrase, .excludeWords]

  /// The matches that the Exact criterion counts for a query of one word.
  public var exactOnSingleWordQuery: ExactOnSingleWordQuery = .attribute

  /// The alternatives of a word that count as exact.
  public var alternativesAsExact: [AlternativeAsExact] = [.ignorePlurals, .singleWordSynonym]

  /// Separator characters that are indexed as separate words.
  public var separatorsToIndex: String = ""

  /// Characters whose diacritics are kept, in lower case.
  public var keepDiacriticsOnCharacters: String = ""

  /// Whether singular and plural forms of a word are equal.
  public var ignorePlurals: IgnorePlurals = .enabled(false)

  /// Whether stop words are removed from queries.
  public var removeStopWords: RemoveStopWords = .enabled(false)

  /// The languages of ``ignorePlurals`` and ``removeStopWords``.
  public var queryLanguages: [Language] = []

  // MARK: Typos

  /// The tolerance of typos in query words.
  public var typoTolerance: TypoTolerance = .enabled(true)

  /// The minimum length of a query word that may contain one typo, in characters.
  public var minWordSizefor1Typo: Int = 4

  /// The minimum length of a query word that may contain two typos, in characters.
  public var minWordSizefor2Typos: Int = 8

  /// Whether words made of digits may contain typos.
  public var allowTyposOnNumericTokens: Bool = true

  /// Words that match without typos only.
  public var disableTypoToleranceOnWords: [String] = []

  /// Attributes whose words match without typos only.
  public var disableTypoToleranceOnAttributes: [String] = []

  // MARK: Ranking

  /// The ranking criteria in order. They may include `asc(attribute)` and `desc(attribute)`.
  public var ranking: [String] = [
    "typo", "geo", "words", "filters", "proximity", "attribute", "exact", "custom",
  ]

  /// The attributes of the criterion `custom`, each as `asc(attribute)` or `desc(attribute)`.
  public var customRanking: [String] = []

  /// The word distance up to which all distances are equal, 1 to 7.
  public var minProximity: Int = 1

  /// Whether proximity selects the best attribute when Attribute precedes Proximity.
  public var attributeCriteriaComputedByMinProximity: Bool = false

  /// The attribute whose equal values form a group, or `nil` for no groups.
  public var attributeForDistinct: String?

  /// The number of members of a group that are returned, 1 to 4, or 0 for all.
  public var distinct: Distinct = .enabled(false)

  // MARK: Filtering and facets

  /// The attributes that are facets: for filters and for counts.
  ///
  /// `filterOnly(a)` is not counted, `searchable(a)` can be searched for values, and
  /// `afterDistinct(a)` is counted after grouping. The last two combine as
  /// `afterDistinct(searchable(a))`. Any other name directly before a parenthesis is an error.
  public var attributesForFaceting: [String] = []

  /// The attributes for numeric filters. `nil` and an empty list mean all.
  ///
  /// `equalOnly(a)` allows only `=` and `!=`.
  public var numericAttributesForFiltering: [String]?

  /// The number of values of a facet that are returned, at most 1000.
  public var maxValuesPerFacet: Int = 100

  /// The order of the values of a facet, which also determines the returned values.
  public var sortFacetValuesBy: SortFacetValuesBy = .count

  /// The number of values that a search for facet values returns, at most 100.
  public var maxFacetHits: Int = 10

  // MARK: Pages

  /// The number of hits of a page, 0 to 1000.
  public var hitsPerPage: Int = 20

  /// The number of hits that paging can reach, at most 20,000.
  public var paginationLimitedTo: Int = 1000

  // MARK: Records in responses

  /// The attributes of a hit. `*` is all, `-a` excludes one, and dots reach nested ones.
  public var attributesToRetrieve: [String] = ["*"]

  /// Attributes that no response contains: not in records, highlights, facets and the ranking
  /// information, and not as an order of a query.
  ///
  /// A service shows them to the admin key, and to keys with the right to see them. They can be
  /// used in filters and in the text of a search, so their values can be guessed.
  public var unretrievableAttributes: [String] = []

  /// The attributes that are highlighted. `nil` means the searched attributes, `*` all.
  public var attributesToHighlight: [String]?

  /// The attributes that are shortened to a snippet, as `a` (10 words) or `a:20`.
  public var attributesToSnippet: [String] = []

  /// The text before a matched word.
  public var highlightPreTag: String = "<em>"

  /// The text after a matched word.
  public var highlightPostTag: String = "</em>"

  /// The text that replaces the omitted parts of a snippet.
  public var snippetEllipsisText: String = "\u{2026}"

  /// Whether highlights and snippets omit elements of arrays without a match.
  public var restrictHighlightAndSnippetArrays: Bool = false

  /// Whether highlights show the query's word instead of its synonym.
  public var replaceSynonymsInHighlight: Bool = false

  /// The top-level members of a response.
  public var responseFields: [String] = ["*"]

  /// Any JSON that responses carry.
  public var userData: JSON?

  /// The order of facets in a user interface, which responses carry.
  public var renderingContent: RenderingContent?

  // MARK: Replicas

  /// Indices with the records of this one, ranked by separate settings.
  ///
  /// The records of an existing replica are replaced, and its settings stay. A missing replica is
  /// created with the settings of its primary.
  public var replicas: [String] = []

  /// Settings without a property, by name, such as `camelCaseAttributes`. An engine applies the
  /// ones that it knows. If a setting has a property too, the value here counts.
  ///
  /// Former names of settings that have a property are not among them.
  public var additionalSettings: [String: JSON] = [:]

  /// Creates the default settings.
  public init() {}

  /// Creates settings that a closure changes from the defaults.
  public init(_ change: (inout IndexSettings) -> Void) {
    change(&self)
  }

  /// Creates settings from the most common ones. The others have their defaults.
  ///
  /// - Parameters:
  ///   - searchableAttributes: The attributes that are searched, most important first. Defaults to
  ///     all text.
  ///   - attributesForFaceting: The attributes that are facets. Defaults to none.
  ///   - customRanking: The order of equally good hits, as in `desc(year)`. Defaults to none.
  ///   - replicas: Indices with the same records in another order. Defaults to none.
  public init(
    searchableAttributes: [String] = [],
    attributesForFaceting: [String] = [],
    customRanking: [String] = [],
    replicas: [String] = []
  ) {
    self.init()
    self.searchableAttributes = searchableAttributes
    self.attributesForFaceting = attributesForFaceting
    self.customRanking = customRanking
    self.replicas = replicas
  }
}
