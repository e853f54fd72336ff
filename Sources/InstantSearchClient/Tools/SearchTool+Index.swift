extension SearchTool {
  /// An index as tools show it: what its records are, and the attributes that a model may filter
  /// by and read.
  ///
  /// Make it from the settings of the index, then change it.
  ///
  /// ```swift
  /// var films = SearchTool.Index(
  ///   "films", settings: settings, about: "Films since 1920, with their plot and cast",
  ///   attributes: ["title", "year", "genres", "plot"], numericAttributes: ["year"])
  /// films.sortOrders = [SearchTool.SortOrder("newest", indexName: "films_newest")]
  /// ```
  public struct Index: Sendable, Hashable {
    /// The name of the index.
    public var name: String
    /// What the records are, in a sentence, by which a model chooses the index.
    public var about: String
    /// The attributes that results can have, the most important ones first. Empty for the ones of
    /// ``query``, or for all. The title and the address are part of `search` and `fetch` as well.
    public var attributes: [String]
    /// The facets to filter by, whose values are counted in results.
    public var facets: [String]
    /// The attributes with numbers to filter by.
    public var numericAttributes: [String]
    /// The orders to choose from, besides the order by relevance.
    public var sortOrders: [SortOrder] = []
    /// The attribute that names a record in `search` and `fetch`. Without one, its ID does.
    public var titleAttribute: String?
    /// The attribute with the address of a record, for citations; `nil` for none.
    public var urlAttribute: String?
    /// The number of hits of a result if the model does not choose, 1 or more. Defaults to 5.
    public var hitsPerPage = 5
    /// The number of hits that a model can choose, 1 to 100. Defaults to 20.
    public var maximumHitsPerPage = 20
    /// Parameters of every search, such as `filters` that limit which records exist for the model.
    /// Its text, its facets and its page have no effect.
    public var query = SearchQuery()
    /// The facets whose values the index can search.
    let searchableFacets: Set<String>

    /// Creates an index from its settings.
    ///
    /// - Parameters:
    ///   - name: The name of the index.
    ///   - settings: Its settings. They name the facets that can be counted, and by default the
    ///     attributes with numbers and the first attribute that is searched, which names records.
    ///     Attributes that are not retrievable are left out.
    ///   - about: What the records are, in a sentence.
    ///   - attributes: The attributes that results can have. Defaults to all.
    ///   - numericAttributes: The attributes with numbers to filter by. Defaults to
    ///     `numericAttributesForFiltering` of the settings.
    ///   - titleAttribute: The attribute that names a record. Defaults to the first one that is
    ///     searched.
    ///   - urlAttribute: The attribute with the address of a record. Defaults to none.
    public init(
      _ name: String, settings: IndexSettings, about: String, attributes: [String] = [],
      numericAttributes: [String]? = nil, titleAttribute: String? = nil,
      urlAttribute: String? = nil
    ) {
      self.name = name
      self.about = about
      self.attributes = attributes
      let declared = FacetDeclaration.all(in: settings)
      func isShown(_ attribute: String) -> Bool {
        !settings.unretrievableAttributes.contains(where: attribute.isPath(overlapping:))
      }
      facets = declared.filter { !$0.isFilterOnly }.map(\.attribute).filter(isShown)
      searchableFacets = Set(declared.filter(\.isSearchable).map(\.attribute))
      let numbers = NumericDeclaration.all(in: settings) ?? [:]
      self.numericAttributes =
        numericAttributes
        ?? numbers.filter { !$0.value.isEqualOnly }.keys.filter(isShown).sorted()
      self.titleAttribute =
        titleAttribute
        ?? settings.searchedAttributes.first {
          isShown($0) && (attributes.isEmpty || attributes.contains($0))
        }
      self.urlAttribute = urlAttribute
    }
  }

  /// An order of the hits that a model can choose: an index with the same records.
  public struct SortOrder: Sendable, Hashable {
    /// The name of the order, such as `newest`.
    public var name: String
    /// The index, or the replica, that has the order.
    public var indexName: String

    /// Creates an order.
    public init(_ name: String, indexName: String) {
      self.name = name
      self.indexName = indexName
    }
  }
}

extension SearchTool.Index {
  /// The attributes from which a model chooses. Empty for any.
  var choices: [String] { attributes.isEmpty ? query.attributesToRetrieve ?? [] : attributes }

  /// Whether a model can choose attributes. It cannot from a list with patterns or exclusions,
  /// which a choice would override.
  var offersChoice: Bool { !choices.contains { $0 == "*" || $0.hasPrefix("-") } }

  /// The attributes with the name and the address of a record.
  var nameAttributes: [String] { [titleAttribute, urlAttribute].compactMap(\.self) }

  /// The parameters of every search that have an effect: neither a text, nor a page, nor facets.
  var context: SearchQuery {
    var query = query
    query.query = nil
    for parameter in [SearchParameter.page, .hitsPerPage, .offset, .length, .facets] {
      query.unset(parameter)
    }
    return query
  }

  /// The query to begin with: the parameters of every search.
  func makeQuery(_ text: String = "") -> SearchQuery {
    var query = context
    query.query = text.isEmpty ? nil : text
    query.attributesToRetrieve = choices.isEmpty ? nil : choices
    // Snippets show where long texts match, and short texts as a whole.
    query.attributesToHighlight = []
    query.attributesToSnippet = []
    query.responseFields = ["hits", "nbHits", "page", "nbPages", "hitsPerPage", "facets"]
    return query
  }

  /// The query for one record by its ID. A filter also finds IDs in other forms, so it has room for
  /// some hits.
  func makeQuery(objectID: String) -> SearchQuery {
    var query = makeQuery().filtered(by: "objectID:\(objectID.quoted)")
    if offersChoice, !choices.isEmpty { query.attributesToRetrieve = choices + nameAttributes }
    query.hitsPerPage = 100
    query.distinct = false
    return query
  }
}

extension IndexSettings {
  /// The attributes that are searched, most important first, without modifiers.
  fileprivate var searchedAttributes: [String] {
    searchableAttributes.flatMap { $0.split(separator: ",") }.map { entry in
      let name = String(entry).trimmingSpaces()
      let inner = Substring(name).argument(of: ["unordered", "ordered"])
      return inner.map { String($0.argument).trimmingSpaces() } ?? name
    }
  }
}
