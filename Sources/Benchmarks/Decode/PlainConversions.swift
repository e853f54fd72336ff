import AsyncInstantSearch

// What Foundation decoded, in the types of this library, so that the two can be compared.

extension PlainPage {
  /// The page with everything that both types have, and with these hits.
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

  /// The page with its hits, each of which knows its place.
  func converted<Record>() -> HitsPage<AsyncInstantSearch.Hit<Record>>
  where Hit == PlainHit<Record> {
    let start = page * hitsPerPage + 1
    return converted(
      hits: hits.enumerated().map { $1.hit(position: start + $0, queryID: queryID) })
  }
}

extension PlainHit where Record: Sendable {
  /// The hit at a place of the result of a query.
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
