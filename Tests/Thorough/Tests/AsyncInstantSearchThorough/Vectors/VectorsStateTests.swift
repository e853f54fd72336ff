@testable import InstantSearchAPI
@testable import AsyncInstantSearch
@testable import InstantSearchClient
import TestSupport
import Testing

extension VectorsOfInstantSearchTests {
  /// The pure functions agree with the recorded cases: queries, merged counts, trees and orders.
  @Suite struct VectorsStateTests {
    @Test func queriesOfAState() throws {
      for vector in try VectorFiles.functions("requests", as: "queries") {
        let plan = SearchPlan(vector: vector["state"] ?? [:])
        let ours = try plan.queries.map(JSON.init(encoding:))
        let recorded = vector["queries"]?.arrayValue ?? []
        expectEqual(ours.count, recorded.count, "\(vector["id"] ?? "")")
        for (query, other) in zip(ours, recorded) {
          expectRecorded(query, other, vector, "query", Tolerance.queries)
        }
        if vector["composition"] != nil { VectorReport.current.excuse(.composition) }
      }
    }

    @Test func requestsOfFacetSearches() throws {
      let vectors = try VectorFiles.functions("requests", as: "searches for values") {
        $0["facetSearch"] != nil
      }
      for vector in vectors {
        guard let recorded = vector["facetSearch"] else { continue }
        let plan = SearchPlan(vector: vector["state"] ?? [:])
        let attribute = recorded["attribute"]?.stringValue ?? ""
        let request = FacetRequest(
          FacetValuesSearch(
            attribute: attribute,
            operator: plan.needs.disjunctiveFacets.contains(attribute) ? .or : .and,
            text: recorded["text"]?.stringValue ?? "",
            limit: recorded["maxFacetHits"]?.intValue ?? 10),
          in: plan)
        let isDefault = recorded["maxFacetHits"] == nil
        expectRecorded(
          try request.parameters, recorded["params"], vector, "search",
          Tolerance.queries + [
            .ours(.defaultFacetHits) { if isDefault { $0.remove(["maxFacetHits"]) } }
          ])
      }
      #expect(!vectors.isEmpty)
    }

    @Test func hierarchies() throws {
      for vector in try VectorFiles.functions("hierarchy", as: "hierarchies") {
        var hierarchy = HierarchicalFacet(vector: vector["facet"] ?? [:])
        hierarchy.persistsRootCount = vector["persistHierarchicalRootCount"] == true
        let menu = HierarchicalMenu(hierarchy)
        var context = WidgetContext(menu, state: IndexState("index"))
        context.state.setPath(vector["initial"]?.stringValue, of: hierarchy)
        for toggle in vector["toggles"]?.arrayValue ?? [] {
          try menu.toggle(toggle[0]?.stringValue ?? "").apply(&context)
          expectRecorded(
            context.state.path(of: hierarchy).map(JSON.string) ?? .null, toggle[1], vector,
            "toggle \(toggle[0] ?? "")")
        }
        let state = context.state
        let breadcrumb = Breadcrumb(hierarchy)
        expectRecorded(
          .array(
            breadcrumb.view(WidgetContext(breadcrumb, state: state)).items
              .map { .string($0.label) }), vector["breadcrumb"], vector, "breadcrumb",
          [
            .recorded(.breadcrumbRoot) { path in
              path = .array(
                Array(
                  (path.arrayValue ?? []).dropFirst(
                    (hierarchy.rootPath?.split(separator: hierarchy.separator ?? "").count ?? 0))))
            }
          ])
        try Self.expectTree(of: hierarchy, in: state, vector)
      }
    }

    /// The queries of a hierarchy, and its tree made from the answers.
    private static func expectTree(
      of hierarchy: HierarchicalFacet, in state: IndexState, _ vector: JSON
    ) throws {
      var needs = SearchNeeds()
      needs.declare(hierarchy)
      if let count = vector["maxValuesPerFacet"]?.intValue {
        needs.requireValuesPerFacet(count)
      }
      let plan = SearchPlan(SearchRequest(state), needs: needs)
      let recorded = vector["requests"]?.arrayValue ?? []
      expectEqual(plan.queries.count, recorded.count, "\(vector["id"] ?? "")")
      for (query, other) in zip(plan.queries, recorded) {
        expectRecorded(
          try JSON(encoding: query), other, vector, "query",
          Tolerance.queries + [.ours(.unescapedPath) { $0 = $0.withoutEscapes }])
      }
      var answers = (vector["answers"]?.arrayValue ?? []).map(FacetCounts.init(vector:))
      var counts = answers.removeFirst()
      for (query, answer) in zip(plan.countQueries, answers) {
        counts.merge(answer, for: query.purpose, filteredBy: state.filters)
      }
      let sort = [FacetSortCriterion](vector: vector["sortBy"]) ?? []
      let tree = hierarchy.tree(refined: state.path(of: hierarchy), counts: counts) { nodes, _ in
        nodes.ordered(by: sort, nil, isOverriding: false)
      }
      expectRecorded(
        tree.map { .array($0.map(\.vector)) } ?? .null, vector["expect"], vector, "tree",
        ties(vector, hierarchy.attributes.map { _ in Ranks(criteria: sort) }))
    }

    /// The order of equal values is open in a case that says so.
    private static func ties(_ vector: JSON, _ ranks: [Ranks]) -> [Tolerance] {
      if vector["keyOrderMatters"] != true { return [] }
      return [.both(.tiedRanks) { Ranks.sort(&$0, by: ranks[...]) }]
    }

    @Test func mergedCountsOfFacets() throws {
      for vector in try VectorFiles.functions("disjunctive", as: "merged counts") {
        let plan = SearchPlan(vector: vector["state"] ?? [:])
        let names = vector["ownQueryFacets"]?.strings ?? []
        let answers = (vector["answers"]?.arrayValue ?? []).map(\.answer)
        let queries = plan.countQueries
        // Ours sends no query for a facet without filters.
        var needed = [answers.first ?? [:]]
        var needlessTime = 0
        for (name, answer) in zip(names, answers.dropFirst()) {
          if queries.contains(where: { $0.purpose == .facet(name) }) {
            needed.append(answer)
          } else {
            needlessTime += answer["processingTimeMS"]?.intValue ?? 0
          }
        }
        expectEqual(needed.count, queries.count + 1, "\(vector["id"] ?? "")")
        let results = try IndexResults(merging: needed, of: plan)
        expectRecorded(
          .int(Int64(results.page.processingTimeMS)), vector["expect"]?["processingTimeMS"],
          vector, "time",
          [
            .recorded(.needlessOwnQuery) {
              $0 = .int(Int64(($0.intValue ?? 0) - needlessTime))
            }
          ])
        for (name, expected) in vector["expect"]?["facets"]?.objectValue ?? [:] {
          try Self.expectFacet(name, of: results, expected, vector)
        }
      }
    }

    private static func expectFacet(
      _ name: String, of results: IndexResults, _ expected: JSON, _ vector: JSON
    ) throws {
      let counts = results.counts
      let items = (counts.facets[name] ?? Facet(attribute: name))
        .items(
          in: results.state,
          operator: results.plan.needs.disjunctiveFacets.contains(name) ? .or : .and)
      let sort = [FacetSortCriterion](vector: vector["sortBy"]?[name]) ?? .facetListDefault
      var ours: [String: JSON] = [:]
      for member in expected.objectValue?.keys ?? [:].keys {
        switch member {
        case "values":
          ours[member] = .array(
            items.ordered(by: sort, nil, isOverriding: true).map(\.vector))
        case "exhaustive": ours[member] = counts.isExhaustive(name).map(JSON.bool)
        case "stats": ours[member] = try counts.stats[name].map(JSON.init(encoding:)) ?? .null
        default: break
        }
      }
      let tags = Set(vector["quirks"]?.strings.compactMap(Exemption.init(tag:)) ?? [])
      let own = zip(
        vector["ownQueryFacets"]?.strings ?? [], vector["answers"]?.arrayValue?[1...] ?? [])
      let isUnanswered = own.contains { $0 == name && $1["facets"]?[name] == nil }
      let missing: [Tolerance] = isUnanswered ? [.withoutMissing(.chosenValue)] : []
      let tolerances = Self.ties(vector, [Ranks(criteria: sort)]).map { tolerance in
        Tolerance(tolerance.exemption) { ours, recorded in
          guard var values = ours["values"], var others = recorded["values"] else { return }
          tolerance.change(&values, &others)
          ours["values"] = values
          recorded["values"] = others
        }
      }
      expectRecorded(
        .object(ours), expected, vector, name, Tolerance.counts(tags: tags) + missing + tolerances)
    }

    @Test func ordersOfTheServer() throws {
      for vector in try VectorFiles.functions("facetOrdering", as: "orders of the service") {
        let isHierarchical = vector["kind"] == "hierarchical"
        let orders = try vector["facetOrdering"].map { json in
          try isHierarchical
            ? json.decode([String: FacetValuesOrder]?.self) ?? [:]
            : json.decode(FacetValuesOrder?.self).map { ["": $0] } ?? [:]
        }
        let sort = [FacetSortCriterion](vector: vector["sortBy"]) ?? .facetListDefault
        let isOverriding = vector["useOrdering"] == false
        func ordered<Value: SortableFacetValue>(_ values: [Value], _ name: String) -> [Value] {
          values.ordered(by: sort, orders?[name], isOverriding: isOverriding)
        }
        let attributes = vector["attributes"]?.strings ?? [""]
        let ours =
          isHierarchical
          ? Self.tree(of: attributes, vector, ordered).map(\.vector)
          : ordered(Self.items(vector), "").map(\.vector)
        let ranks = attributes.map {
          Ranks(criteria: sort, ordering: orders?[$0], isOverriding: isOverriding)
        }
        expectRecorded(.array(ours), vector["expect"], vector, "order", Self.ties(vector, ranks))
      }
    }

    private static func tree(
      of attributes: [String], _ vector: JSON,
      _ sort: ([FacetTreeNode], String) -> [FacetTreeNode]
    ) -> [FacetTreeNode] {
      let hierarchy = HierarchicalFacet(attributes: attributes)
      var needs = SearchNeeds()
      needs.declare(hierarchy)
      var state = IndexState("index")
      state.setPath(vector["refined"]?.stringValue, of: hierarchy)
      var answers = (vector["answers"]?.arrayValue ?? []).map(FacetCounts.init(vector:))
      var counts = answers.removeFirst()
      let queries = SearchPlan(SearchRequest(state), needs: needs).countQueries
      for (query, answer) in zip(queries, answers) {
        counts.merge(answer, for: query.purpose, filteredBy: state.filters)
      }
      return hierarchy.tree(refined: state.path(of: hierarchy), counts: counts, sort: sort) ?? []
    }

    private static func items(_ vector: JSON) -> [FacetItem] {
      let name = vector["attribute"]?.stringValue ?? ""
      let facet = FacetCounts(vector: ["facets": [name: vector["data"] ?? []]]).facets[name]
      let joined: FacetOperator = vector["kind"] == "or" ? .or : .and
      var state = IndexState("index")
      for value in vector["refined"]?.strings ?? [] {
        state.setRefined(true, by: value.unescapedFacetValue, of: name, operator: joined)
      }
      return facet?.items(in: state, operator: joined) ?? []
    }
  }
}

extension Tolerance {
  /// Without our chosen values of count 0 that the recorded ones lack and that fulfil a condition.
  fileprivate static func withoutMissing(
    _ exemption: Exemption, where isIncluded: @escaping (JSON) -> Bool = { _ in true }
  ) -> Tolerance {
    Tolerance(exemption) { ours, recorded in
      let known = Set((recorded["values"]?.arrayValue ?? []).map { $0["name"]?.stringValue })
      ours.change(["values"]) { values in
        values.filter { value in
          known.contains(value["name"]?.stringValue) || value["isRefined"] != true
            || value["count"] != 0 || !isIncluded(value)
        }
      }
    }
  }

  /// What merged counts can differ in that have tags.
  fileprivate static func counts(tags: Set<Exemption>) -> [Tolerance] {
    var tolerances: [Tolerance] = []
    if tags.contains(.escapedRefinedValueDropped) {
      tolerances.append(
        withoutMissing(.escapedRefinedValueDropped) { $0["escapedValue"] != nil })
    }
    if tags.contains(.excludedValueCountForcedTo0) {
      tolerances.append(
        .both(.excludedValueCountForcedTo0) { facet in
          let values = facet["values"]?.arrayValue ?? []
          let excluded = values.filter { $0["isExcluded"] == true }
          facet["excluded"] = .array(excluded.map { $0["name"] ?? "" })
          facet.change(["excluded"]) { $0.sort() }
          facet["values"] = .array(values.filter { $0["isExcluded"] != true })
        })
    }
    return tolerances
  }
}

extension FacetRequest {
  /// What is sent.
  var parameters: JSON {
    get throws {
      var parameters = try JSON(encoding: sentContext)
      parameters["facetName"] = .string(attribute.rawValue)
      parameters["facetQuery"] = .string(facetQuery)
      parameters["maxFacetHits"] = maxFacetHits.map { .int(Int64($0)) }
      return parameters
    }
  }
}

extension JSON {
  /// An answer in the form of the service, whose facets are lists of pairs here.
  var answer: JSON {
    var answer = self
    answer.change(["facets", "*"]) { pairs in
      pairs = .object(
        Dictionary(
          (pairs.arrayValue ?? []).map { ($0[0]?.stringValue ?? "", $0[1] ?? 0) },
          uniquingKeysWith: { first, _ in first }))
    }
    return answer
  }

  /// A query without backslashes before leading minus signs.
  fileprivate var withoutEscapes: JSON {
    switch self {
    case .object(let members): .object(members.mapValues(\.withoutEscapes))
    case .array(let elements): .array(elements.map(\.withoutEscapes))
    case .string(let text): .string(text.replacing(#":\-"#, with: ":-"))
    default: self
    }
  }
}

extension FacetTreeNode {
  fileprivate var vector: JSON {
    var members: [String: JSON] = [
      "name": .string(name), "path": .string(value), "count": .int(Int64(count)),
      "isRefined": .bool(isRefined),
      "data": children.map { .array($0.map(\.vector)) } ?? .null,
    ]
    if value.escapedFacetValue != value {
      members["escapedValue"] = .string(value.escapedFacetValue)
    }
    return .object(members)
  }
}

extension FacetItem {
  fileprivate var vector: JSON {
    var members: [String: JSON] = [
      "name": .string(value), "count": .int(Int64(count ?? 0)), "isRefined": .bool(isRefined),
    ]
    if value.escapedFacetValue != value {
      members["escapedValue"] = .string(value.escapedFacetValue)
    }
    if isExcluded { members["isExcluded"] = true }
    return .object(members)
  }
}
