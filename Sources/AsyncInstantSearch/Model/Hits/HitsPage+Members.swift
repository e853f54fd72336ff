/// The names of the members of a page that are read in a way of their own.
enum HitsPageMember {
  static let hits = "hits"
  static let facets = "facets"
}

extension HitsPage {
  /// Takes a member other than `hits` and `facets`; one that does not fit is kept as additional.
  mutating func take(_ key: String, _ value: JSON) {
    switch assign(value, to: key) {
    case .fits: break
    case .wrongType: if !value.isNull { additionalMembers[key] = value }
    case .unknown: additionalMembers[key] = value
    }
  }

  private enum Assignment {
    case fits, wrongType, unknown
  }

  private mutating func assign(_ value: JSON, to key: String) -> Assignment {
    switch key {
    case "nbHits": Self.set(&nbHits, value.intValue)
    case "page": Self.set(&page, value.intValue)
    case "nbPages": Self.set(&nbPages, value.intValue)
    case "hitsPerPage": Self.set(&hitsPerPage, value.intValue)
    case "offset": Self.set(&offset, value.intValue)
    case "length": Self.set(&length, value.intValue)
    case "query": Self.set(&query, value.stringValue)
    case "params": Self.set(&params, value.stringValue)
    case "queryAfterRemoval": Self.set(&queryAfterRemoval, value.stringValue)
    case "parsedQuery": Self.set(&parsedQuery, value.stringValue)
    case "index": Self.set(&index, value.stringValue)
    case "indexUsed": Self.set(&indexUsed, value.stringValue)
    case "serverUsed": Self.set(&serverUsed, value.stringValue)
    case "processingTimeMS": Self.set(&processingTimeMS, value.intValue)
    case "serverTimeMS": Self.set(&serverTimeMS, value.intValue)
    case "processingTimingsMS": Self.set(&processingTimingsMS, value.isNull ? nil : value)
    case "exhaustive":
      Self.set(
        &exhaustive,
        value.objectValue == nil ? nil : Exhaustive(value, otherwise: exhaustive))
    // Older names of the same, which still come along and count where the object says nothing.
    case "exhaustiveNbHits": Self.fill(&exhaustive.nbHits, value.boolValue)
    case "exhaustiveTypo": Self.fill(&exhaustive.typo, value.boolValue)
    case "exhaustiveFacetsCount": Self.fill(&exhaustive.facetsCount, value.boolValue)
    case "facets_stats": Self.set(&facetStats, value.objectValue?.compactMapValues(FacetStats.init))
    case "renderingContent": Self.set(&renderingContent, RenderingContent(value))
    case "userData": Self.set(&userData, value.isNull ? nil : value)
    case "appliedRules": Self.set(&appliedRules, value.arrayValue)
    case "aroundLatLng": Self.set(&aroundLatLng, value.stringValue.flatMap { Point($0) })
    case "automaticRadius":
      Self.set(&automaticRadius, value.intValue ?? value.stringValue.flatMap { Int($0) })
    case "message": Self.set(&message, value.stringValue)
    case "abTestID": Self.set(&abTestID, value.intValue)
    case "abTestVariantID": Self.set(&abTestVariantID, value.intValue)
    case "queryID": Self.set(&queryID, value.stringValue)
    case "nbSortedHits": Self.set(&nbSortedHits, value.intValue)
    case "redirect": Self.set(&redirect, value.isNull ? nil : value)
    case "_automaticInsights": Self.set(&automaticInsights, value.boolValue)
    case "extensions": Self.set(&extensions, value.isNull ? nil : value)
    case "processed": Self.set(&processed, value.boolValue)
    case "cursor": Self.set(&cursor, value.stringValue)
    case "explain": Self.set(&explain, value.isNull ? nil : value)
    default: .unknown
    }
  }

  private static func set<Value>(_ target: inout Value, _ value: Value?) -> Assignment {
    guard let value else { return .wrongType }
    target = value
    return .fits
  }

  private static func set<Value>(_ target: inout Value?, _ value: Value?) -> Assignment {
    guard let value else { return .wrongType }
    target = value
    return .fits
  }

  private static func fill<Value>(_ target: inout Value?, _ value: Value?) -> Assignment {
    guard let value else { return .wrongType }
    if target == nil { target = value }
    return .fits
  }

  /// The members other than `hits` and `facets`, as they are written.
  var members: [String: JSON] {
    var members = additionalMembers
    func set(_ key: String, _ value: JSON?) {
      if let value { members[key] = value }
    }
    func set(_ key: String, _ value: String?) { set(key, value.map(JSON.string)) }
    func set(_ key: String, _ value: Bool?) { set(key, value.map(JSON.bool)) }
    func set(_ key: String, _ value: Int?) { set(key, value.map { JSON.int(Int64($0)) }) }

    // A number that did not fit is among the additional members; its default is not written.
    if members["nbHits"] == nil { set("nbHits", nbHits) }
    if offset == nil, length == nil {
      if members["page"] == nil { set("page", page) }
      if members["nbPages"] == nil { set("nbPages", nbPages) }
      if members["hitsPerPage"] == nil { set("hitsPerPage", hitsPerPage) }
    }
    set("offset", offset)
    set("length", length)
    if members["query"] == nil { set("query", query) }
    set("params", params)
    set("queryAfterRemoval", queryAfterRemoval)
    set("parsedQuery", parsedQuery)
    set("index", index)
    set("indexUsed", indexUsed)
    set("serverUsed", serverUsed)
    if members["processingTimeMS"] == nil { set("processingTimeMS", processingTimeMS) }
    set("serverTimeMS", serverTimeMS)
    set("processingTimingsMS", processingTimingsMS)
    set("exhaustive", exhaustive.json)
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
    return members
  }
}
