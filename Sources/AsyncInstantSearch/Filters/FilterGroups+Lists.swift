extension FilterGroups {
  /// The groups as the parameters `facetFilters`, `numericFilters` and `tagFilters`.
  public struct Lists: Sendable, Hashable {
    /// The filters on facets; `nil` when there are none.
    public var facetFilters: NestedFilters?
    /// The filters on numbers; `nil` when there are none.
    public var numericFilters: NestedFilters?
    /// The filters on tags; `nil` when there are none.
    public var tagFilters: NestedFilters?
  }

  /// The groups as nested lists: the outer list joins with AND, the lists in it join with OR.
  ///
  /// The order is that of ``text``.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` for a filter that these lists cannot say; the
  ///   parameter `filters` can say every filter.
  public func lists() throws(SearchError) -> Lists {
    var facets: [NestedFilters] = []
    var numbers: [NestedFilters] = []
    var tags: [NestedFilters] = []
    for group in groups {
      let isOr = if case .or = group.id { true } else { false }
      var alternatives: [NestedFilters] = []
      for filter in group.filters.sorted(by: { $0.description < $1.description }) {
        // One filter may be an OR of several strings: a number outside of a range.
        let strings = try filter.listStrings().map(NestedFilters.filter)
        if isOr {
          alternatives += strings
          continue
        }
        let element = strings.count == 1 ? strings[0] : .group(strings)
        switch filter.kind {
        case .facet: facets.append(element)
        case .numeric: numbers.append(element)
        case .tag: tags.append(element)
        }
      }
      guard isOr, let kind = group.filters.first?.kind else { continue }
      switch kind {
      case .facet: facets.append(.group(alternatives))
      case .numeric: numbers.append(.group(alternatives))
      case .tag: tags.append(.group(alternatives))
      }
    }
    return Lists(
      facetFilters: facets.isEmpty ? nil : .group(facets),
      numericFilters: numbers.isEmpty ? nil : .group(numbers),
      tagFilters: tags.isEmpty ? nil : .group(tags))
  }
}

extension Filter {
  /// The filter as strings of the parameters with nested lists, joined by OR.
  ///
  /// A facet is `attribute:value`, `attribute:-value` when it is negated; a minus sign that begins
  /// the value itself has a backslash before it. Nothing else can be escaped there.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` for what has no such form.
  func listStrings() throws(SearchError) -> [String] {
    switch self {
    case .facet(let filter): [try filter.listString()]
    case .numeric(let filter): try filter.listStrings()
    case .tag(let filter): [try signed(filter.value, isNegated: filter.isNegated)]
    }
  }
}

extension Filter.Facet {
  /// `attribute:value<score=N>`.
  func listString() throws(SearchError) -> String {
    guard !attribute.rawValue.isEmpty, !attribute.rawValue.contains(":") else {
      throw SearchError(
        .invalidRequest, "A list of filters cannot name the attribute \"\(attribute)\".")
    }
    let text = value.text
    guard score != nil || !text.endsLikeAScore else {
      throw SearchError(
        .invalidRequest,
        "In a list of filters the end of \"\(text)\" would be read as a score.")
    }
    return "\(attribute):\(try signed(text, isNegated: isNegated))\(scoreSuffix)"
  }
}

extension Filter.Numeric {
  fileprivate func listStrings() throws(SearchError) -> [String] {
    guard attribute.rawValue.unicodeScalars.allSatisfy({ !"<>=!:".unicodeScalars.contains($0) }),
      !attribute.rawValue.isEmpty
    else {
      throw SearchError(
        .invalidRequest, "A list of filters cannot name the attribute \"\(attribute)\".")
    }
    switch value {
    case .comparison(let comparison, let number):
      let comparison = isNegated ? comparison.opposite : comparison
      return ["\(attribute) \(comparison.rawValue) \(number.plainNumber)"]
    case .range(let range):
      let lower = range.lowerBound.plainNumber
      let upper = range.upperBound.plainNumber
      return isNegated
        ? ["\(attribute) < \(lower)", "\(attribute) > \(upper)"]
        : ["\(attribute):\(lower) TO \(upper)"]
    }
  }
}

extension Filter.Numeric.Operator {
  /// The comparison that holds for exactly the other numbers.
  var opposite: Self {
    switch self {
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .equal: .notEqual
    case .notEqual: .equal
    case .greaterOrEqual: .less
    case .greater: .lessOrEqual
    }
  }
}

/// The value, with a minus sign before it when it is negated; a sign of its own gets a backslash.
private func signed(_ value: String, isNegated: Bool) throws(SearchError) -> String {
  guard !value.hasPrefix("\\-") else {
    throw SearchError(
      .invalidRequest, "In a list of filters the backslash of \"\(value)\" would be lost.")
  }
  let escaped = value.hasPrefix("-") ? "\\" + value : value
  return isNegated ? "-" + escaped : escaped
}

extension String {
  /// Whether the text ends with what a score looks like: `<score=12>`.
  fileprivate var endsLikeAScore: Bool {
    guard hasSuffix(">"), let opening = range(ofLast: "<score=") else { return false }
    return self[opening.upperBound...].dropLast().allSatisfy(\.isNumber)
  }

  private func range(ofLast text: String) -> Range<Index>? {
    var ranges = self.ranges(of: text)
    return ranges.popLast()
  }
}
