import AsyncInstantSearch
import Testing

/// The pure functions agree with the recorded cases: queries, merged counts, trees and orders.
@Suite struct VectorsStateTests {
  @Test func queriesOfAState() throws {
    for vector in try VectorFiles.functions("requests") {
      let (state, parameters) = IndexState.reading(vector["state"] ?? [:])
      let queries = IndexQueries(state, parameters: parameters)
      let ours = try queries.all.map { try Self.comparable(JSON(encoding: $0)) }
      let recorded = (vector["queries"]?.arrayValue ?? []).map(Self.comparable)
      expectEqual(.array(ours), .array(recorded), vector)
    }
  }

  @Test func requestsOfFacetSearches() throws {
    var count = 0
    for vector in try VectorFiles.functions("requests") {
      guard let recorded = vector["facetSearch"] else { continue }
      count += 1
      let (state, parameters) = IndexState.reading(vector["state"] ?? [:])
      let attribute = recorded["attribute"]?.stringValue ?? ""
      let request = FacetRequest(
        FacetValuesSearch(
          attribute: attribute,
          operator: parameters.disjunctiveFacets.contains(attribute) ? .or : .and,
          text: recorded["text"]?.stringValue ?? "",
          limit: recorded["maxFacetHits"]?.intValue ?? 10),
        in: WidgetSearch(state: state, parameters: parameters))
      // The search sends the default of the server as well.
      let needless: Set = recorded["maxFacetHits"] == nil ? ["maxFacetHits"] : []
      expectEqual(
        try Self.comparable(request).leavingOut(needless),
        Self.comparable(recorded["params"] ?? [:]), vector)
    }
    #expect(count > 0)
  }

  /// The parameters of a search for values, for comparison.
  static func comparable(_ request: FacetRequest) throws -> JSON {
    guard case .object(var members) = try JSON(encoding: request.sentContext) else { return [:] }
    members["facetName"] = .string(request.attribute.rawValue)
    members["facetQuery"] = .string(request.facetQuery)
    members["maxFacetHits"] = request.maxFacetHits.map { .int(Int64($0)) }
    return comparable(.object(members))
  }

  /// A query for comparison. The order of numeric filters and of contexts does not matter, and a
  /// single facet can be sent as text or as a list.
  static func comparable(_ query: JSON) -> JSON {
    guard case .object(var members) = query else { return query }
    if let facet = members["facets"]?.stringValue { members["facets"] = [.string(facet)] }
    if let list = members["numericFilters"]?.arrayValue {
      members["numericFilters"] = .array(list.sorted { "\($0)" < "\($1)" })
    }
    if let contexts = members["ruleContexts"]?.strings {
      members["ruleContexts"] = .array(contexts.sorted().map(JSON.string))
    }
    if case .array(let tags)? = members["tagFilters"] {
      members["tagFilters"] = .string(tags.compactMap(\.stringValue).joined(separator: ","))
    }
    return .object(members)
  }

  @Test func countsOfHierarchies() throws {
    for vector in try VectorFiles.functions("hierarchy") {
      var hierarchy = HierarchicalFacet(vector: vector["facet"] ?? [:])
      hierarchy.persistsRootCount = vector["persistHierarchicalRootCount"] == true
      var parameters = WidgetParameters()
      parameters.declare(hierarchy)
      if let count = vector["maxValuesPerFacet"]?.intValue {
        parameters.requireValuesPerFacet(count)
      }
      var state = IndexState("index")
      state.setPath(vector["toggles"]?.arrayValue?.last?[1]?.stringValue, of: hierarchy)
      let queries = IndexQueries(state, parameters: parameters)
      expectEqual(
        .array(try queries.all.map { Self.unescaped(Self.comparable(try JSON(encoding: $0))) }),
        .array((vector["requests"]?.arrayValue ?? []).map(Self.comparable)), vector)
      var answers = (vector["answers"]?.arrayValue ?? []).map(FacetCounts.init(vector:))
      var counts = answers.removeFirst()
      for (query, answer) in zip(queries.facetQueries, answers) {
        counts.merge(answer, for: query.purpose, of: state)
      }
      let sort = [FacetSortCriterion](vector: vector["sortBy"])
      let tree = hierarchy.tree(refined: state.path(of: hierarchy), counts: counts) { nodes, _ in
        nodes.ordered(by: sort ?? [], nil, isOverriding: false)
      }
      expectEqual(tree.map { .array($0.map(\.vector)) }, Self.plain(vector["expect"]), vector)
    }
  }

  /// A query without backslashes before leading minus signs. The recorded paths were refined
  /// without them, so a service would exclude them.
  private static func unescaped(_ query: JSON) -> JSON {
    switch query {
    case .object(let members): .object(members.mapValues(unescaped))
    case .array(let elements): .array(elements.map(unescaped))
    case .string(let text): .string(text.replacing(#":\-"#, with: ":-"))
    default: query
    }
  }

  /// A recorded tree without escaped values, which only the requests need.
  static func plain(_ json: JSON?) -> JSON? {
    switch json {
    case .array(let elements)?: .array(elements.compactMap(plain))
    case .object(let members)?:
      .object(members.filter { $0.key != "escapedValue" }.compactMapValues { plain($0) })
    case .null?: nil
    default: json
    }
  }

  @Test func mergedCountsOfFacets() throws {
    for vector in try VectorFiles.functions("disjunctive") where vector["quirks"] == [] {
      let (state, parameters) = IndexState.reading(vector["state"] ?? [:])
      let names = vector["ownQueryFacets"]?.strings ?? []
      let needed = names.filter { name in
        state.filters.filters.contains { $0.attribute.rawValue == name }
      }
      let queries = IndexQueries(state, parameters: parameters)
      #expect(
        queries.facetQueries.map(\.purpose) == needed.map { .facet($0) }, "\(vector["id"] ?? "")")
      let answers = (vector["answers"]?.arrayValue ?? []).map(FacetCounts.init(vector:))
      var counts = answers[0]
      let recorded = answers.dropFirst()
      for (name, answer) in zip(names, recorded) {
        counts.merge(answer, for: .facet(name), of: state)
      }
      let counted = zip(names, recorded).filter { $1.facets[$0] != nil }.map(\.0)
      counts.addMissing(of: state, parameters: parameters, counted: counted)
      for (name, expected) in vector["expect"]?["facets"]?.objectValue ?? [:] {
        let isOr = parameters.disjunctiveFacets.contains(name)
        let items = (counts.facets[name] ?? Facet(attribute: name))
          .items(in: state, operator: isOr ? .or : .and)
        let sort = [FacetSortCriterion](vector: vector["sortBy"]?[name]) ?? .facetListDefault
        let ordered = items.ordered(by: sort, nil, isOverriding: true)
        var ours: [String: JSON] = [:]
        if expected["values"] != nil {
          ours["values"] = .array(ordered.map(\.vector))
          if expected["exhaustive"] != nil {
            ours["exhaustive"] = counts.isExhaustive(name).map(JSON.bool)
          }
        } else {
          ours["stats"] = try counts.stats[name].map { try JSON(encoding: $0) } ?? .null
        }
        let isTied = vector["keyOrderMatters"] == true
        expectEqual(
          isTied ? Self.sorted(.object(ours)) : .object(ours),
          isTied ? Self.sorted(expected) : expected, vector)
      }
    }
  }

  @Test func ordersOfTheServer() throws {
    for vector in try VectorFiles.functions("facetOrdering") {
      let isHierarchical = vector["kind"] == "hierarchical"
      let orders = try vector["facetOrdering"].map { json in
        try isHierarchical
          ? json.decode([String: FacetValuesOrder]?.self) ?? [:]
          : json.decode(FacetValuesOrder?.self).map { ["": $0] } ?? [:]
      }
      let sort = [FacetSortCriterion](vector: vector["sortBy"]) ?? .facetListDefault
      func ordered<Value: SortableFacetValue>(_ values: [Value], _ name: String) -> [Value] {
        values.ordered(by: sort, orders?[name], isOverriding: vector["useOrdering"] == false)
      }
      let ours: [JSON]
      if isHierarchical {
        let hierarchy = HierarchicalFacet(attributes: vector["attributes"]?.strings ?? [])
        var parameters = WidgetParameters()
        parameters.declare(hierarchy)
        var state = IndexState("index")
        state.setPath(vector["refined"]?.stringValue, of: hierarchy)
        var answers = (vector["answers"]?.arrayValue ?? []).map(FacetCounts.init(vector:))
        var counts = answers.removeFirst()
        for (query, answer) in zip(
          IndexQueries(state, parameters: parameters).facetQueries, answers)
        {
          counts.merge(answer, for: query.purpose, of: state)
        }
        let tree = hierarchy.tree(
          refined: state.path(of: hierarchy), counts: counts, sort: ordered)
        ours = (tree ?? []).map(\.vector)
      } else {
        let name = vector["attribute"]?.stringValue ?? ""
        let facet = FacetCounts(vector: ["facets": [name: vector["data"] ?? []]]).facets[name]
        var state = IndexState("index")
        let isOr = vector["kind"] == "or"
        for value in vector["refined"]?.strings ?? [] {
          state.setRefined(
            true, by: value.unescapedFacetValue, of: name, operator: isOr ? .or : .and)
        }
        let items = facet?.items(in: state, operator: isOr ? .or : .and) ?? []
        ours = ordered(items, "").map(\.vector)
      }
      let expected = Self.plain(vector["expect"])?.arrayValue ?? []
      let isTied = vector["keyOrderMatters"] == true
      func comparable(_ values: [JSON]) -> JSON {
        let values = values.compactMap(Self.plain)
        return .array(isTied ? values.sorted { "\($0)" < "\($1)" } : values)
      }
      expectEqual(comparable(ours), comparable(expected), vector)
    }
  }

  /// Facet values in an order that does not depend on ties.
  private static func sorted(_ facet: JSON) -> JSON {
    guard case .object(var members) = facet else { return facet }
    members["values"] = .array((members["values"]?.arrayValue ?? []).sorted { "\($0)" < "\($1)" })
    return .object(members)
  }
}

extension JSON {
  /// The object without some of its members.
  func leavingOut(_ names: Set<String>) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { !names.contains($0.key) })
  }
}

/// Fails with the first difference of a case.
func expectEqual(
  _ ours: JSON?, _ recorded: JSON?, _ vector: JSON,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  if let difference = firstDifference(ours, recorded) {
    Issue.record(
      "\(vector["id"]?.stringValue ?? "") \(difference)", sourceLocation: sourceLocation)
  }
}

extension FacetTreeNode {
  var vector: JSON {
    var members: [String: JSON] = [
      "name": .string(name), "path": .string(value), "count": .int(Int64(count)),
      "isRefined": .bool(isRefined),
    ]
    if let children { members["data"] = .array(children.map(\.vector)) }
    return .object(members)
  }
}

extension FacetItem {
  var vector: JSON {
    var members: [String: JSON] = [
      "name": .string(value), "count": .int(Int64(count)), "isRefined": .bool(isRefined),
    ]
    if value.escapedFacetValue != value {
      members["escapedValue"] = .string(value.escapedFacetValue)
    }
    if isExcluded { members["isExcluded"] = true }
    return .object(members)
  }
}
