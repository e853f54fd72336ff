package import InstantSearchJSON

extension HitsPage: Decodable {
  /// Reads a search result from any decoder.
  ///
  /// Fails only if the result is not an object or its hits are not an array. A hit that cannot be
  /// decoded becomes one of the ``failures``.
  public init(from decoder: any Decoder) throws {
    if let location = DecodingSession.location(of: decoder) {
      try self.init(at: location.index, in: location.session, depth: location.depth)
      return
    }
    // The single-value container keeps member names, so that no key strategy changes unknown ones.
    // The keyed container is for members that are decoded as separate types.
    let container = try decoder.container(keyedBy: AnyKey.self)
    let members = try decoder.singleValueContainer().decode([String: ReadMember].self)
    let spellings = HitsPageMember.names.spellings(in: members.keys)
    let documented = Dictionary(
      spellings.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    self.init()
    for (name, member) in members {
      let name = documented[name] ?? name
      if name == HitsPageMember.facets.rawValue,
        let facets = try? container.decode(Facets.self, forKey: AnyKey(name))
      {
        self.facets = facets
      } else if name != HitsPageMember.hits.rawValue, let json = member.json {
        take(name, json)
      }
    }
    let hits = AnyKey(HitsPageMember.hits.rawValue)
    guard container.contains(hits), try !container.decodeNil(forKey: hits) else { return }
    readHits(
      from: ContainedHits(try container.nestedUnkeyedContainer(forKey: hits)),
      context: HitContext(self, query: nil))
  }
}

/// A member of a page, as read by any decoder.
private struct ReadMember: Decodable {
  /// The member; `nil` if it cannot be read, and for the hits, which are read one by one.
  let json: JSON?

  init(from decoder: any Decoder) throws {
    let isHits = decoder.codingPath.last?.stringValue == HitsPageMember.hits.rawValue
    json = isHits ? nil : try? JSON(from: decoder)
  }
}

extension HitsPage: Encodable where Record: Encodable {
  /// Writes the page as a search result. Member names are unchanged, regardless of the key
  /// strategy.
  ///
  /// ``failures`` are saved as `__failures`. ``request``, ``generation`` and ``origin`` are not
  /// saved.
  public func encode(to encoder: any Encoder) throws {
    var members = members.mapValues(WrittenMember<Record>.json)
    members[HitsPageMember.hits.rawValue] = .hits(hits)
    if !facets.isEmpty { members[HitsPageMember.facets.rawValue] = .facets(facets) }
    var container = encoder.singleValueContainer()
    try container.encode(members)
  }
}

/// A member of a page to write.
private enum WrittenMember<Record: Encodable>: Encodable {
  case hits([Record])
  case facets(Facets)
  case json(JSON)

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .hits(let hits): try container.encode(hits)
    case .facets(let facets): try container.encode(facets)
    case .json(let json): try container.encode(json)
    }
  }
}

extension HitsPage: JSONNodeDecodable {
  /// Reads a search result. Fails only if it is not an object or its hits are not an array.
  package init(node: JSONNode, options: JSONDecodingOptions) throws {
    try self.init(
      at: node.index, in: DecodingSession(document: node.document, options: options), depth: 0)
  }

  /// Reads a search result. Fails only if it is not an object or its hits are not an array.
  package init(at index: Int, in session: DecodingSession, depth: Int) throws {
    let node = session.node(at: index)
    guard node.kind == .object else { throw node.mismatch([String: Any].self) }
    if let hits = node[HitsPageMember.hits.rawValue], hits.kind != .array, !hits.isNull {
      throw hits.mismatch([Any].self)
    }
    self.init(at: index, in: session, depth: depth, query: nil)
  }

  /// Reads a search result. Anything except an object with an array of hits gives an empty page.
  ///
  /// - Parameter query: The query of the result. It determines the tags of the highlights and, if
  ///   the response leaves them out, the page's number and size.
  package init(node: JSONNode, options: JSONDecodingOptions, query: SearchQuery?) {
    self.init(
      at: node.index, in: DecodingSession(document: node.document, options: options), depth: 0,
      query: query)
  }

  private init(at index: Int, in session: DecodingSession, depth: Int, query: SearchQuery?) {
    self.init()
    if let start = query?.offset {
      offset = start
      length = query?.length
    }
    page = query?.page ?? 0
    hitsPerPage = query?.hitsPerPage ?? 0
    let document = session.document
    var hits: Int?
    var members = document.members(at: index)
    while let member = members.next(in: document) {
      let known = HitsPageMember(keyOf: member, in: document)
      if known == .hits {
        hits = member
      } else if known == .facets, let facets = try? Facets(at: member, of: document) {
        self.facets = facets
      } else {
        take(known, at: member, of: document)
      }
    }
    if let hits {
      readHits(
        at: hits, in: session, depth: depth + 2, context: HitContext(self, query: query))
    }
  }
}

/// The documented members of a page.
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
  // Not on the wire: the failures of a saved page.
  case failures = "__failures"

  static let names = DocumentedNames(allCases.map(\.rawValue))
}

extension HitsPageMember {
  private static let keys = JSONKeys(allCases.map(\.rawValue))

  /// Reads the documented member whose key precedes a value; `nil` for an unknown one.
  init?(keyOf value: Int, in document: JSONDocument) {
    guard let number = Self.keys.number(ofTextAt: value - 1, in: document) else { return nil }
    self = Self.allCases[number]
  }
}

/// The value of a member, on a tape or in a decoder.
private protocol MemberValue {
  var isNull: Bool { get }
  var intValue: Int? { get }
  var boolValue: Bool? { get }
  var stringValue: String? { get }
  /// The value as JSON.
  var json: JSON { get }
  /// The statistics by facet.
  var facetStats: [String: FacetStats]? { get }
  /// The value of an object.
  func object<Value: JSONObjectCodable>(_ type: Value.Type) -> Value?
}

extension JSON: MemberValue {
  fileprivate var json: JSON { self }
  fileprivate var facetStats: [String: FacetStats]? { memberValues(FacetStats.init) }
  fileprivate func object<Value: JSONObjectCodable>(_ type: Value.Type) -> Value? { Value(self) }
}

/// A value on a tape.
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
  /// Sets a member other than `hits` and `facets`. One of another type is kept as additional.
  mutating func take(_ name: String, _ value: JSON) {
    guard let member = HitsPageMember(rawValue: name) else {
      additionalMembers[name] = value
      return
    }
    if !assign(value, to: member), !value.isNull { additionalMembers[name] = value }
  }

  /// Sets the member whose value is at an index of a tape; `nil` is an unknown member.
  mutating func take(_ member: HitsPageMember?, at index: Int, of document: JSONDocument) {
    let value = TapeValue(document: document, index: index)
    if let member, assign(value, to: member) || value.isNull { return }
    additionalMembers[document.key(of: index)] = value.json
  }

  /// Sets a documented member, or returns `false` if its type is not the documented one.
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
    // Older names of the same members, which the server still sends. They count if the object
    // lacks a value.
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
      // A value of another type stays among the additional members until it is corrected.
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
