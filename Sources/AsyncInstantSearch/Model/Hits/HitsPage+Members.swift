import InstantSearchJSON

/// The members of a page that are documented.
enum HitsPageMember: String, CaseIterable {
  case hits, facets
  case nbHits, page, nbPages, hitsPerPage, offset, length
  case query, params, queryAfterRemoval, parsedQuery, index, indexUsed, serverUsed
  case processingTimeMS, serverTimeMS, processingTimingsMS
  case exhaustive, exhaustiveNbHits, exhaustiveTypo, exhaustiveFacetsCount
  case facetStats = "facets_stats"
  case renderingContent, userData, appliedRules
  case aroundLatLng, automaticRadius
  case message, abTestID, abTestVariantID, queryID, nbSortedHits, redirect
  case automaticInsights = "_automaticInsights"
  case extensions, processed, cursor, explain
  // Not on the wire: what could not be read, when a page is saved.
  case failures = "__failures"

  static let names = DocumentedNames(allCases.map(\.rawValue))
}

extension HitsPageMember {
  private static let keys = JSONKeys(allCases.map(\.rawValue))

  /// The documented member whose key stands in front of a value; `nil` for an unknown one.
  init?(keyOf value: Int, in document: JSONDocument) {
    guard let number = Self.keys.number(ofTextAt: value - 1, in: document) else { return nil }
    self = Self.allCases[number]
  }
}

/// The value of a member, as the tape or a decoder has it.
private protocol MemberValue {
  var isNull: Bool { get }
  var intValue: Int? { get }
  var boolValue: Bool? { get }
  var stringValue: String? { get }
  /// The value of any shape.
  var json: JSON { get }
  /// The figures by facet.
  var facetStats: [String: FacetStats]? { get }
  /// The value of an object.
  func object<Value: JSONObjectCodable>(_ type: Value.Type) -> Value?
}

extension JSON: MemberValue {
  fileprivate var json: JSON { self }
  fileprivate var facetStats: [String: FacetStats]? { memberValues(FacetStats.init) }
  fileprivate func object<Value: JSONObjectCodable>(_ type: Value.Type) -> Value? { Value(self) }
}

/// A value on the tape.
private struct TapeValue: MemberValue {
  let document: JSONDocument
  let index: Int

  var isNull: Bool { if case .null = document.kind(at: index) { true } else { false } }
  var intValue: Int? { document.int(at: index) }
  var boolValue: Bool? { document.bool(at: index) }
  var stringValue: String? { document.string(at: index) }
  var json: JSON { JSON(at: index, of: document) }

  var facetStats: [String: FacetStats]? {
    guard case .object = document.kind(at: index) else { return nil }
    var stats: [String: FacetStats] = [:]
    var members = document.members(at: index)
    while let member = members.next(in: document) {
      guard let figures = FacetStats(at: member, of: document) else { return nil }
      stats[document.key(of: member)] = figures
    }
    return stats
  }

  func object<Value: JSONObjectCodable>(_ type: Value.Type) -> Value? {
    Value(at: index, of: document)
  }
}

extension HitsPage {
  /// Takes a member other than `hits` and `facets`; one that does not fit is kept as additional.
  mutating func take(_ name: String, _ value: JSON) {
    guard let member = HitsPageMember(rawValue: name) else {
      additionalMembers[name] = value
      return
    }
    if !assign(value, to: member), !value.isNull { additionalMembers[name] = value }
  }

  /// The same for the member whose value is at an index of the tape, `nil` for an unknown one.
  mutating func take(_ member: HitsPageMember?, at index: Int, of document: JSONDocument) {
    let value = TapeValue(document: document, index: index)
    if let member, assign(value, to: member) || value.isNull { return }
    additionalMembers[document.key(of: index)] = value.json
  }

  /// Takes a documented member; `false` when its type is not the documented one.
  private mutating func assign(_ value: some MemberValue, to member: HitsPageMember) -> Bool {
    switch member {
    case .hits, .facets: false
    case .nbHits: Self.set(&nbHits, value.intValue)
    case .page: Self.set(&page, value.intValue)
    case .nbPages: Self.set(&nbPages, value.intValue)
    case .hitsPerPage: Self.set(&hitsPerPage, value.intValue)
    case .offset: Self.set(&offset, value.intValue)
    case .length: Self.set(&length, value.intValue)
    case .query: Self.set(&query, value.stringValue)
    case .params: Self.set(&params, value.stringValue)
    case .queryAfterRemoval: Self.set(&queryAfterRemoval, value.stringValue)
    case .parsedQuery: Self.set(&parsedQuery, value.stringValue)
    case .index: Self.set(&index, value.stringValue)
    case .indexUsed: Self.set(&indexUsed, value.stringValue)
    case .serverUsed: Self.set(&serverUsed, value.stringValue)
    case .processingTimeMS: Self.set(&processingTimeMS, value.intValue)
    case .serverTimeMS: Self.set(&serverTimeMS, value.intValue)
    case .processingTimingsMS: Self.set(&processingTimingsMS, value.isNull ? nil : value.json)
    case .exhaustive:
      Self.set(&exhaustive, value.object(Exhaustive.self)?.completed(by: exhaustive))
    // Older names of the same, which still come along and count where the object says nothing.
    case .exhaustiveNbHits: Self.fill(&exhaustive.nbHits, value.boolValue)
    case .exhaustiveTypo: Self.fill(&exhaustive.typo, value.boolValue)
    case .exhaustiveFacetsCount: Self.fill(&exhaustive.facetsCount, value.boolValue)
    case .facetStats: Self.set(&facetStats, value.facetStats)
    case .renderingContent: Self.set(&renderingContent, value.object(RenderingContent.self))
    case .userData: Self.set(&userData, value.isNull ? nil : value.json)
    case .appliedRules: Self.set(&appliedRules, value.json.arrayValue)
    case .aroundLatLng: Self.set(&aroundLatLng, value.stringValue.flatMap { Point($0) })
    case .automaticRadius:
      Self.set(&automaticRadius, value.intValue ?? value.stringValue.flatMap { Int($0) })
    case .message: Self.set(&message, value.stringValue)
    case .abTestID: Self.set(&abTestID, value.intValue)
    case .abTestVariantID: Self.set(&abTestVariantID, value.intValue)
    case .queryID: Self.set(&queryID, value.stringValue)
    case .nbSortedHits: Self.set(&nbSortedHits, value.intValue)
    case .redirect: Self.set(&redirect, value.isNull ? nil : value.json)
    case .automaticInsights: Self.set(&automaticInsights, value.boolValue)
    case .extensions: Self.set(&extensions, value.isNull ? nil : value.json)
    case .processed: Self.set(&processed, value.boolValue)
    case .cursor: Self.set(&cursor, value.stringValue)
    case .explain: Self.set(&explain, value.isNull ? nil : value.json)
    case .failures: Self.set(&failures, value.json.values(HitFailure.init))
    }
  }

  @inline(__always)
  private static func set<Value>(_ target: inout Value, _ value: Value?) -> Bool {
    guard let value else { return false }
    target = value
    return true
  }

  @inline(__always)
  private static func set<Value>(_ target: inout Value?, _ value: Value?) -> Bool {
    guard let value else { return false }
    target = value
    return true
  }

  @inline(__always)
  private static func fill<Value>(_ target: inout Value?, _ value: Value?) -> Bool {
    guard let value else { return false }
    if target == nil { target = value }
    return true
  }
}
