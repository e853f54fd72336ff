extension HitsPage {
  /// The members other than `hits` and `facets`, as they are written.
  var members: [String: JSON] {
    var members = additionalMembers
    func set(_ key: String, _ value: JSON?) {
      if let value { members[key] = value }
    }
    func set(_ key: String, _ value: String?) { set(key, value.map(JSON.string)) }
    func set(_ key: String, _ value: Bool?) { set(key, value.map(JSON.bool)) }
    func set(_ key: String, _ value: Int?) { set(key, value.map { JSON.int(Int64($0)) }) }

    func set(_ key: String, number: Int) {
      // What did not fit is among the additional members, and stays there until it is corrected.
      if members[key] == nil || number != 0 { set(key, number) }
    }

    set("nbHits", number: nbHits)
    if offset == nil {
      set("page", number: page)
      set("nbPages", number: nbPages)
      set("hitsPerPage", number: hitsPerPage)
    }
    set("offset", offset)
    set("length", length)
    if members["query"] == nil || !query.isEmpty { set("query", query) }
    set("params", params)
    set("queryAfterRemoval", queryAfterRemoval)
    set("parsedQuery", parsedQuery)
    set("index", index)
    set("indexUsed", indexUsed)
    set("serverUsed", serverUsed)
    set("processingTimeMS", number: processingTimeMS)
    set("serverTimeMS", serverTimeMS)
    set("processingTimingsMS", processingTimingsMS)
    if !exhaustive.members.isEmpty { set("exhaustive", exhaustive.json) }
    if !facetStats.isEmpty { set("facets_stats", .object(facetStats.mapValues(\.json))) }
    set("renderingContent", renderingContent?.json)
    set("userData", userData)
    if !appliedRules.isEmpty { set("appliedRules", .array(appliedRules)) }
    set("aroundLatLng", aroundLatLng?.description)
    set("automaticRadius", automaticRadius.map { String($0) })
    set("message", message)
    set("abTestID", abTestID)
    set("abTestVariantID", abTestVariantID)
    set("queryID", queryID)
    set("nbSortedHits", nbSortedHits)
    set("redirect", redirect)
    set("_automaticInsights", automaticInsights)
    set("extensions", extensions)
    set("processed", processed)
    set("cursor", cursor)
    set("explain", explain)
    if !failures.isEmpty { set("__failures", .array(failures.map(\.json))) }
    return members
  }
}
