extension Filter: CustomStringConvertible {
  /// The filter in the syntax of the `filters` parameter.
  ///
  /// Attributes and text are always in double quotes, with a backslash before quotes and
  /// backslashes, so nothing in them is parsed as part of the expression. Numbers are plain
  /// decimals, integers without a fraction: `"price" > 10`, `"price":5 TO 10`,
  /// `NOT "brand":"Apple"`, `"_tags":"new"`.
  public var description: String {
    let condition =
      switch self {
      case .facet(let filter): filter.condition
      case .numeric(let filter): filter.condition
      case .tag(let filter): "\("_tags".quoted):\(filter.value.quoted)"
      }
    return isNegated ? "NOT " + condition : condition
  }
}

extension Filter.Facet {
  fileprivate var condition: String {
    let value = if case .string(let text) = value { text.quoted } else { value.text }
    return "\(attribute.rawValue.quoted):\(value)\(scoreSuffix)"
  }

  /// The suffix for ``score``, limited to the contract's range of 0 to 65,535.
  var scoreSuffix: String { score.map { "<score=\(min(max($0, 0), 65_535))>" } ?? "" }
}

extension Filter.Numeric {
  fileprivate var condition: String {
    switch value {
    case .comparison(let comparison, let number):
      "\(attribute.rawValue.quoted) \(comparison.rawValue) \(number.plainNumber)"
    case .range(let range):
      "\(attribute.rawValue.quoted):\(range.lowerBound.plainNumber) TO \(range.upperBound.plainNumber)"
    }
  }
}

extension String {
  /// The text in double quotes, with a backslash before quotes and backslashes.
  package var quoted: String {
    var result = "\""
    for scalar in unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result.unicodeScalars.append("\\") }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }
}

extension Filter {
  /// Returns the filter as an element of the parameters with nested lists.
  ///
  /// A facet is `attribute:value`, or `attribute:-value` if it is negated. If the value begins
  /// with a minus sign, it has a backslash before it. No other character can be escaped there.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` if the filter has no such form.
  package func listString() throws(SearchError) -> String {
    switch self {
    case .facet(let filter): try filter.listString()
    case .numeric(let filter): try filter.listString()
    case .tag(let filter): try filter.listString()
    }
  }
}

extension Filter.Facet {
  /// Returns `attribute:value<score=N>`.
  ///
  /// A value that ends like a score always gets a score after it, so that only the last one is
  /// parsed as a score. 1 is the score of a filter without one.
  package func listString() throws(SearchError) -> String {
    guard !attribute.rawValue.isEmpty, !attribute.rawValue.unicodeScalars.contains(":") else {
      throw attribute.unsupportedNameError
    }
    if case .number(let number) = value { try attribute.check(number) }
    let text = value.text
    let suffix = score == nil && text.hasScoreSuffix ? scored(1).scoreSuffix : scoreSuffix
    return "\(attribute):\(try text.signed(isNegated: isNegated))\(suffix)"
  }
}

extension Filter.Numeric {
  /// Returns `attribute < number` or `attribute:number TO number`.
  ///
  /// A negated comparison cannot be replaced by the opposite operator: `NOT price > 10` matches
  /// records without a price, and `price <= 10` does not.
  fileprivate func listString() throws(SearchError) -> String {
    let name = attribute.rawValue.unicodeScalars
    guard let first = name.first, !first.properties.isWhitespace,
      let last = name.last, !last.properties.isWhitespace,
      !name.contains(where: { "<>=!:".unicodeScalars.contains($0) })
    else { throw attribute.unsupportedNameError }
    guard !isNegated else {
      throw SearchError(
        .invalidRequest,
        """
        numericFilters cannot negate the condition on "\(attribute)". Use the opposite comparison, or \
        send FilterGroups.text as the parameter filters.
        """)
    }
    switch value {
    case .comparison(let comparison, let number):
      try attribute.check(number)
      return "\(attribute) \(comparison.rawValue) \(number.plainNumber)"
    case .range(let range):
      try attribute.check(range.lowerBound)
      try attribute.check(range.upperBound)
      return "\(attribute):\(range.lowerBound.plainNumber) TO \(range.upperBound.plainNumber)"
    }
  }
}

extension Filter.Tag {
  /// Returns `tag` or `-tag`. An empty string has no effect there.
  fileprivate func listString() throws(SearchError) -> String {
    guard !value.isEmpty else {
      throw SearchError(
        .invalidRequest,
        "tagFilters cannot contain an empty tag. Remove the tag, or give it a name.")
    }
    return try value.signed(isNegated: isNegated)
  }
}

extension Attribute {
  /// The error for an attribute name that would be parsed differently.
  fileprivate var unsupportedNameError: SearchError {
    SearchError(
      .invalidRequest,
      """
      A list of filters cannot contain the attribute "\(self)": the name is empty, or has a colon, a \
      comparison operator or surrounding spaces. Send FilterGroups.text as the parameter filters, \
      where names are quoted, or rename the attribute.
      """)
  }

  /// Throws for a number of this attribute that is not finite.
  fileprivate func check(_ number: Double) throws(SearchError) {
    guard number.isFinite else {
      throw SearchError(
        .invalidRequest,
        """
        \(number) is not a valid filter value for "\(self)": only finite numbers can be compared. \
        Remove the filter, or use a finite number.
        """)
    }
  }
}

// Signs are compared as Unicode scalars, because they can combine with the following scalars.
extension String {
  /// Returns the text, with a minus sign before it if it is negated. A leading minus sign of the
  /// text gets a backslash.
  fileprivate func signed(isNegated: Bool) throws(SearchError) -> String {
    guard !unicodeScalars.starts(with: #"\-"#.unicodeScalars) else {
      throw SearchError(
        .invalidRequest,
        """
        The filter value "\(self)" begins with a backslash and a minus sign, which a list of filters \
        cannot express. Send FilterGroups.text as the parameter filters, where values are quoted.
        """)
    }
    let escaped = unicodeScalars.first == "-" ? #"\"# + self : self
    return isNegated ? "-" + escaped : escaped
  }

  /// Whether the end of the text would be parsed as a score, valid or not.
  fileprivate var hasScoreSuffix: Bool {
    unicodeScalars.last == ">"
      && Array(unicodeScalars).contains(Array("<score=".unicodeScalars))
  }
}

extension FilterGroups: CustomStringConvertible {
  /// The groups as the `filters` parameter; `nil` if there are no filters.
  ///
  /// The groups and filters are sorted, regardless of the order of addition, so equal groups have
  /// equal texts: groups by name, OR before AND, and the filters of a group by their text. Only OR
  /// groups of more than one filter are in parentheses:
  /// `("brand":"Apple" OR "brand":"Sony") AND "price" < 500`.
  public var text: String? { Self.text(of: groups.map { ($0.id, $0.filters) }) }

  /// The groups as the `filters` parameter; empty if there are no filters.
  public var description: String { text ?? "" }

  /// Returns groups of filters as the `filters` parameter.
  static func text(of groups: [(id: ID, filters: [Filter])]) -> String? {
    let parts = groups.compactMap { group -> String? in
      let texts = group.filters.map(\.description).sorted()
      switch group.id {
      case .or where texts.count > 1: return "(" + texts.joined(separator: " OR ") + ")"
      default: return texts.isEmpty ? nil : texts.joined(separator: " AND ")
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: " AND ")
  }
}

extension FilterGroups {
  /// The groups as the parameters `facetFilters`, `numericFilters` and `tagFilters`.
  public struct Lists: Sendable, Hashable {
    /// The facet filters; `nil` without any.
    public var facetFilters: NestedFilters?
    /// The numeric filters; `nil` without any.
    public var numericFilters: NestedFilters?
    /// The tag filters; `nil` without any.
    public var tagFilters: NestedFilters?
  }

  /// Returns the groups as nested lists: the outer list is a conjunction (AND), and the inner
  /// lists are disjunctions (OR).
  ///
  /// The lists have the order of ``text`` and match the same records.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` for a filter that these parameters cannot
  ///   express, such as a negated numeric filter. The `filters` parameter can express every
  ///   filter.
  public func lists() throws(SearchError) -> Lists {
    var parts: [Filter.Kind: [NestedFilters]] = [:]
    for group in groups {
      let filters = group.filters.sorted { $0.description < $1.description }
      if case .or(_, let kind) = group.id {
        var alternatives: [NestedFilters] = []
        for filter in filters { alternatives.append(.filter(try filter.listString())) }
        parts[kind, default: []].append(.group(alternatives))
      } else {
        for filter in filters {
          parts[filter.kind, default: []].append(.filter(try filter.listString()))
        }
      }
    }
    return Lists(
      facetFilters: parts[.facet].map(NestedFilters.group),
      numericFilters: parts[.numeric].map(NestedFilters.group),
      tagFilters: parts[.tag].map(NestedFilters.group))
  }
}
