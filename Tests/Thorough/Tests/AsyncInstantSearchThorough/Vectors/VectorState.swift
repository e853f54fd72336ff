@testable import AsyncInstantSearch
@testable import InstantSearchClient

extension SearchPlan {
  /// Reads the state of a recorded case, and what its widgets declare.
  init(vector json: JSON) {
    var state = IndexState("index")
    var needs = SearchNeeds()
    if let params = json["params"], let query = try? params.decode(SearchQuery.self) {
      state.query = query
    }
    needs.conjunctiveFacets = Set(json["facets"]?.strings ?? [])
    needs.disjunctiveFacets = Set(json["disjunctiveFacets"]?.strings ?? [])
    for facet in json["hierarchicalFacets"]?.arrayValue ?? [] {
      needs.declare(HierarchicalFacet(vector: facet))
    }
    for (name, values) in json["facetsRefinements"]?.objectValue ?? [:] {
      for value in values.strings {
        state.setRefined(true, by: value.unescapedFacetValue, of: name, operator: .and)
      }
    }
    for (name, values) in json["facetsExcludes"]?.objectValue ?? [:] {
      for value in values.strings {
        state.filters[and: name].add(
          !Filter.Facet(attribute: Attribute(name), stringValue: value.unescapedFacetValue))
      }
    }
    for (name, values) in json["disjunctiveFacetsRefinements"]?.objectValue ?? [:] {
      for value in values.strings {
        state.setRefined(true, by: value.unescapedFacetValue, of: name, operator: .or)
      }
    }
    for (name, paths) in json["hierarchicalFacetsRefinements"]?.objectValue ?? [:] {
      guard let path = paths.strings.first,
        let facet = needs.hierarchies.first(where: { $0.name == name })
      else { continue }
      state.setPath(path.unescapedFacetValue, of: facet)
    }
    for entry in json["numericRefinements"]?.arrayValue ?? [] { state.addNumbers(entry) }
    for tag in json["tagRefinements"]?.strings ?? [] {
      state.filters[and: "_tags"].add(Filter.Tag(tag))
    }
    self.init(SearchRequest(state), needs: needs)
  }
}

extension IndexState {
  /// Adds `[attribute, [[operator, [number or [numbers]]]]]`.
  fileprivate mutating func addNumbers(_ entry: JSON) {
    guard let name = entry[0]?.stringValue else { return }
    for list in entry[1]?.arrayValue ?? [] {
      guard let sign = list[0]?.stringValue.flatMap(Filter.Numeric.Operator.init) else { continue }
      for (position, value) in (list[1]?.arrayValue ?? []).enumerated() {
        func filter(_ number: Double) -> Filter.Numeric {
          Filter.Numeric(Attribute(name), sign, number)
        }
        if let number = value.doubleValue {
          filters[and: name].add(filter(number))
        } else {
          filters[or: "\(name) \(sign.rawValue) \(position)", Filter.Numeric.self]
            .add(contentsOf: (value.arrayValue ?? []).compactMap(\.doubleValue).map(filter))
        }
      }
    }
  }
}

extension HierarchicalFacet {
  init(vector json: JSON) {
    self.init(
      attributes: json["attributes"]?.strings ?? [],
      separator: json["separator"]?.stringValue ?? " > ",
      rootPath: json["rootPath"]?.stringValue,
      showsParentLevel: json["showParentLevel"]?.boolValue ?? true)
    if json["attributes"]?.strings.count == 1, json["separator"] == nil { separator = nil }
  }
}

extension FacetCounts {
  /// Reads the facets of an answer, whose values are lists of pairs.
  init(vector json: JSON) {
    let facets = (json["facets"]?.objectValue ?? [:]).sorted { $0.key < $1.key }.map {
      Facet(
        attribute: $0.key,
        values: ($0.value.arrayValue ?? []).map {
          FacetValue(value: $0[0]?.stringValue ?? "", count: $0[1]?.intValue ?? 0)
        })
    }
    var stats: [String: FacetStats] = [:]
    for (name, value) in json["facets_stats"]?.objectValue ?? [:] {
      stats[name] = FacetStats(
        min: value["min"]?.doubleValue ?? 0, max: value["max"]?.doubleValue ?? 0,
        avg: value["avg"]?.doubleValue, sum: value["sum"]?.doubleValue)
    }
    self.init(
      facets: Facets(facets), stats: stats, isExhaustive: json["exhaustiveFacetsCount"]?.boolValue)
  }
}

extension [FacetSortCriterion] {
  /// Reads criteria such as `count:desc`.
  init?(vector json: JSON?) {
    guard let criteria = json?.arrayValue else { return nil }
    let defaults: [String: FacetSortCriterion.Order] = [
      "isRefined": .descending, "count": .descending, "name": .ascending,
    ]
    self = criteria.compactMap(\.stringValue).compactMap { text in
      let parts = text.split(separator: ":").map(String.init)
      guard let field = FacetSortCriterion.Field(rawValue: parts[0]) else { return nil }
      let order: FacetSortCriterion.Order =
        switch parts.dropFirst().first {
        case "asc": .ascending
        case "desc": .descending
        default: defaults[parts[0]] ?? .ascending
        }
      return FacetSortCriterion(field, order)
    }
  }
}
