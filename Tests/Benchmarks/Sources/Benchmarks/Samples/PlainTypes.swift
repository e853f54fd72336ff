import AsyncInstantSearch

// The types a program without this library defines to decode a response with `JSONDecoder`.

/// The record of the generated responses.
struct Product: Codable, Sendable, Hashable {
  struct Levels: Codable, Sendable, Hashable {
    var lvl0: String
    var lvl1: String
    var lvl2: String?
  }

  var name: String
  var description: String
  var brand: String
  var categories: [String]
  var hierarchicalCategories: Levels
  var price: Double
  var image: String?
  var rating: Double?
  var popularity: Int
  var freeShipping: Bool?
}

/// A page of a search's result.
struct PlainPage<Hit: Decodable>: Decodable {
  var hits: [Hit]
  var nbHits: Int
  var page: Int
  var nbPages: Int
  var hitsPerPage: Int
  var facets: [String: [String: Int]]?
  var facetStats: [String: PlainStats]?
  var query: String
  var params: String?
  var index: String?
  var queryID: String?
  var parsedQuery: String?
  var serverUsed: String?
  var indexUsed: String?
  var processingTimeMS: Int
  var serverTimeMS: Int?
  var exhaustive: PlainExhaustive?

  private enum CodingKeys: String, CodingKey {
    case hits, nbHits, page, nbPages, hitsPerPage, facets
    case facetStats = "facets_stats"
    case query, params, index, queryID, parsedQuery, serverUsed, indexUsed
    case processingTimeMS, serverTimeMS, exhaustive
  }
}

/// The response to several searches.
struct PlainResults<Hit: Decodable>: Decodable {
  var results: [PlainPage<Hit>]
}

struct PlainStats: Decodable, Hashable {
  var min: Double
  var max: Double
  var avg: Double?
  var sum: Double?
}

struct PlainExhaustive: Decodable, Hashable {
  var facetsCount: Bool?
  var nbHits: Bool?
  var typo: Bool?
}

/// A record with the metadata of a hit.
struct PlainHit<Record: Decodable>: Decodable {
  var objectID: String
  var record: Record
  var highlights: PlainTree<PlainHighlight>?
  var snippets: PlainTree<PlainSnippet>?
  var ranking: PlainRanking?
  var place: PlainPlace?

  private enum CodingKeys: String, CodingKey {
    case objectID
    case highlights = "_highlightResult"
    case snippets = "_snippetResult"
    case ranking = "_rankingInfo"
    case place = "_geoloc"
  }

  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    objectID = try members.decode(String.self, forKey: .objectID)
    record = try Record(from: decoder)
    highlights = try members.decodeIfPresent(PlainTree.self, forKey: .highlights)
    snippets = try members.decodeIfPresent(PlainTree.self, forKey: .snippets)
    ranking = try members.decodeIfPresent(PlainRanking.self, forKey: .ranking)
    place = try members.decodeIfPresent(PlainPlace.self, forKey: .place)
  }
}

struct PlainPlace: Decodable, Hashable {
  var lat: Double
  var lng: Double
}

struct PlainHighlight: Decodable, Hashable {
  var value: String
  var matchLevel: String
  var fullyHighlighted: Bool?
  var matchedWords: [String]
}

struct PlainSnippet: Decodable, Hashable {
  var value: String
  var matchLevel: String
}

struct PlainRanking: Decodable, Hashable {
  var nbTypos: Int
  var firstMatchedWord: Int
  var proximityDistance: Int
  var userScore: Int
  var geoDistance: Int
  var geoPrecision: Int?
  var nbExactWords: Int
  var words: Int
  var filters: Int
}

/// A tree of highlights. Its leaves are recognized by their required members.
indirect enum PlainTree<Leaf: Decodable>: Decodable {
  case leaf(Leaf)
  case list([PlainTree])
  case members([String: PlainTree])

  private enum Probe: String, CodingKey { case value, matchLevel }

  init(from decoder: any Decoder) throws {
    if let probe = try? decoder.container(keyedBy: Probe.self) {
      let container = try decoder.singleValueContainer()
      if probe.contains(.value), probe.contains(.matchLevel),
        let leaf = try? container.decode(Leaf.self)
      {
        self = .leaf(leaf)
      } else {
        self = .members(try container.decode([String: PlainTree].self))
      }
    } else {
      self = .list(try decoder.singleValueContainer().decode([PlainTree].self))
    }
  }
}

// Converts the results of Foundation to the types of this library, for the comparison.

extension PlainPage {
  /// The page with all members that both types have, and with the given hits.
  func converted<Record>(hits: [Record]) -> HitsPage<Record> {
    var page = HitsPage<Record>(
      hits: hits, nbHits: nbHits, page: page, nbPages: nbPages, hitsPerPage: hitsPerPage)
    page.facets = Facets(
      (facets ?? [:]).map { attribute, counts in
        Facet(
          attribute: attribute, values: counts.map { FacetValue(value: $0.key, count: $0.value) })
      })
    page.facetStats = (facetStats ?? [:]).mapValues {
      FacetStats(min: $0.min, max: $0.max, avg: $0.avg, sum: $0.sum)
    }
    page.query = query
    page.params = params
    page.index = index
    page.queryID = queryID
    page.parsedQuery = parsedQuery
    page.serverUsed = serverUsed
    page.indexUsed = indexUsed
    page.processingTimeMS = processingTimeMS
    page.serverTimeMS = serverTimeMS
    page.exhaustive = Exhaustive(
      nbHits: exhaustive?.nbHits, typo: exhaustive?.typo, facetsCount: exhaustive?.facetsCount)
    return page
  }

  /// The page with its hits, each with its position.
  func converted<Record>() -> HitsPage<AsyncInstantSearch.Hit<Record>>
  where Hit == PlainHit<Record> {
    let start = page * hitsPerPage + 1
    return converted(
      hits: hits.enumerated().map { $1.hit(position: start + $0, queryID: queryID) })
  }
}

extension PlainHit where Record: Sendable {
  /// The hit at a position of the result of a query.
  func hit(position: Int, queryID: String?) -> Hit<Record> {
    Hit(
      objectID: objectID, object: record,
      highlightResult: highlights?.tree { leaf in
        HighlightResult(
          value: HighlightedString(leaf.value), matchLevel: MatchLevel(rawValue: leaf.matchLevel),
          matchedWords: leaf.matchedWords, fullyHighlighted: leaf.fullyHighlighted)
      },
      snippetResult: snippets?.tree { leaf in
        SnippetResult(
          value: HighlightedString(leaf.value), matchLevel: MatchLevel(rawValue: leaf.matchLevel))
      },
      rankingInfo: ranking?.info,
      geolocation: place.map { .single(Point(latitude: $0.lat, longitude: $0.lng)) },
      searchMetadata: SearchMetadata(position: position, queryID: queryID))
  }
}

extension PlainTree {
  /// The tree with each leaf converted.
  func tree<Value>(_ convert: (Leaf) -> Value) -> TreeModel<Value> {
    switch self {
    case .leaf(let leaf): .value(convert(leaf))
    case .list(let elements): .array(elements.map { $0.tree(convert) })
    case .members(let members): .dictionary(members.mapValues { $0.tree(convert) })
    }
  }
}

extension PlainRanking {
  var info: RankingInfo {
    RankingInfo(
      nbTypos: nbTypos, firstMatchedWord: firstMatchedWord, proximityDistance: proximityDistance,
      userScore: userScore, geoDistance: geoDistance, geoPrecision: geoPrecision,
      nbExactWords: nbExactWords, words: words, filters: filters)
  }
}
