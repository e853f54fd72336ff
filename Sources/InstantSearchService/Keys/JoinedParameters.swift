/// Joins the values of a search parameter from two sides: a key and its secured key, or both and a
/// caller.
///
/// A joined value allows what both values allow. Parameters that work together, such as the text or
/// the area of a search, are compared together.
enum JoinedParameters {
  /// Returns the parameters of both sides. If two values cannot be joined, the first side's value
  /// counts.
  static func joined(_ first: SearchQuery, _ second: SearchQuery) -> SearchQuery {
    var second = second
    if let area = first.area {
      // The contract ignores the other parameters, and a radius belongs to the center.
      let joinable: Set<SearchParameter> =
        area == .around ? [.aroundRadius] : [area.parameter]
      for parameter in SearchParameter.ofAreas where !joinable.contains(parameter) {
        second.unset(parameter)
      }
    }
    var result = second.merging(first)
    for joining in Joining.all { _ = joining.join(first, second, &result) }
    return result
  }

  /// Returns a parameter of the second side that cannot be joined with the first; `nil` if every
  /// parameter can.
  static func conflict(_ first: SearchQuery, _ second: SearchQuery) -> SearchParameter? {
    if let parameter = widening(first, by: second) { return parameter }
    if first.area != nil,
      let parameter = SearchParameter.ofAreas.first(where: {
        second.json(of: $0) != nil && first.json(of: $0) == nil
      })
    {
      return parameter
    }
    for name in second.parameterNames {
      guard let parameter = SearchParameter.named(name), first.json(of: parameter) != nil,
        !first.hasEqual(parameter, in: second)
      else { continue }
      var result = first
      let joining = Joining.all.first { $0.parameter == parameter }
      guard let joining, joining.join(first, second, &result) else { return parameter }
    }
    return nil
  }

  /// Returns a parameter of the second side that would change the matches of the first side's text
  /// or area without being set by the first side, or `nil`.
  static func widening(_ first: SearchQuery, by second: SearchQuery) -> SearchParameter? {
    if first.hasText,
      let parameter = SearchParameter.ofMatching.first(where: {
        // UIs send an empty text.
        second.json(of: $0) != nil && first.json(of: $0) == nil
          && !($0 == .query && second.query == "")
      })
    {
      return parameter
    }
    guard let area = first.area, let other = second.area, other < area else { return nil }
    return other.parameter
  }
}

/// How the two values of a parameter are joined.
private struct Joining: Sendable {
  let parameter: SearchParameter
  /// Sets the joined value; returns `false` if the values cannot be joined.
  let join: @Sendable (SearchQuery, SearchQuery, inout SearchQuery) -> Bool

  /// A parameter whose values can be joined.
  init<Value>(
    _ parameter: SearchParameter, _ path: any WritableKeyPath<SearchQuery, Value?> & Sendable,
    _ joined: @escaping @Sendable (Value, Value) -> Value?
  ) {
    self.parameter = parameter
    join = { first, second, result in
      guard let left = first[keyPath: path], let right = second[keyPath: path] else { return true }
      guard let value = joined(left, right) else { return false }
      result[keyPath: path] = value
      return true
    }
  }

  static let all: [Joining] = [
    Joining(.hitsPerPage, \.hitsPerPage, min), Joining(.length, \.length, min),
    Joining(.maxValuesPerFacet, \.maxValuesPerFacet, min),
    Joining(.distinct, \.distinct) { left, right in
      // 0 means no grouping, which shows more hits than any other number.
      let counts = [left.hitsPerGroup, right.hitsPerGroup].filter { $0 > 0 }
      return .count(counts.min() ?? 0)
    },
    Joining(.attributesToRetrieve, \.attributesToRetrieve) { left, right in
      AttributeAccess(left).intersection(AttributeAccess(right))?.list
    },
    Joining(.facets, \.facets) { left, right in
      if left.contains("*") { return right }
      return right.contains("*") ? left : common(left, right)
    },
    Joining(.restrictSearchableAttributes, \.restrictSearchableAttributes) { left, right in
      // An empty list means all attributes, so it cannot express an empty intersection.
      if left.isEmpty || right.isEmpty { return left + right }
      let common = common(left, right)
      return common.isEmpty ? nil : common
    },
    Joining(.insideBoundingBox, \.insideBoundingBox) { left, right in
      guard let left = left.optional, let right = right.optional,
        let common = left.intersection(right), common != .boxes([])
      else { return nil }
      return .value(common)
    },
    Joining(.aroundRadius, \.aroundRadius) { left, right in
      switch (left, right) {
      case (.meters(let left), .meters(let right)): .meters(min(left, right))
      case (.all, _): right
      case (_, .all): left
      }
    },
  ]
}

/// The names that two lists have in common, compared by their bytes.
private func common(_ left: [String], _ right: [String]) -> [String] {
  let names = Set(right.map { Array($0.utf8) })
  return left.filter { names.contains(Array($0.utf8)) }
}

/// The form of a search's area. The contract uses the first one and ignores the others.
enum SearchArea: Int, Comparable {
  case boxes, polygons, around

  static func < (left: SearchArea, right: SearchArea) -> Bool { left.rawValue < right.rawValue }

  /// The parameter with the area.
  var parameter: SearchParameter {
    switch self {
    case .boxes: .insideBoundingBox
    case .polygons: .insidePolygon
    case .around: .aroundLatLng
    }
  }
}

extension SearchQuery {
  /// Whether the query has a text, which may be empty.
  var hasText: Bool { query != nil || similarQuery != nil }

  /// The form of the query's area; `nil` if it has none. A point without a radius isn't an area:
  /// the radius then depends on the nearest records that match everything else.
  var area: SearchArea? {
    if let boxes = insideBoundingBox?.optional, boxes.rectangles != [] { return .boxes }
    if insidePolygon?.isEmpty == false { return .polygons }
    guard aroundLatLng != nil, case .meters = aroundRadius else { return nil }
    return .around
  }

  /// Whether the areas of two queries are boxes without a common point.
  func isApart(from other: SearchQuery) -> Bool {
    guard let own = insideBoundingBox?.optional, let others = other.insideBoundingBox?.optional
    else { return false }
    return area == .boxes && other.area == .boxes && own.intersection(others) == .boxes([])
  }
}

extension SearchParameter {
  /// The parameters of an area.
  static let ofAreas: [SearchParameter] = [
    .insideBoundingBox, .insidePolygon, .aroundLatLng, .aroundLatLngViaIP, .aroundRadius,
    .minimumAroundRadius,
  ]

  /// The parameters that affect the matches of a text. Fewer attributes also find fewer excluded
  /// words.
  static let ofMatching: [SearchParameter] = [
    .query, .similarQuery, .optionalWords, .removeWordsIfNoResults, .queryType, .typoTolerance,
    .minWordSizefor1Typo, .minWordSizefor2Typos, .allowTyposOnNumericTokens,
    .disableTypoToleranceOnAttributes, .advancedSyntax, .advancedSyntaxFeatures, .ignorePlurals,
    .removeStopWords, .restrictSearchableAttributes, .queryLanguages, .naturalLanguages,
    .decompoundQuery, .synonyms, .enableRules, .ruleContexts, .mode, .semanticSearch,
  ]
}
