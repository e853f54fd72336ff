/// Parses the nested arrays of `facetFilters`, `optionalFilters`, `numericFilters` and
/// `tagFilters`.
///
/// The outermost array is an AND, arrays inside it are ORs, and deeper levels alternate.
struct NestedFilterParser {
  /// The content of a parameter's strings.
  enum Content: Sendable, Hashable {
    case facet, numeric, tag
  }

  /// The name of the parameter, for messages.
  let parameter: String
  /// The content of its strings.
  let content: Content

  /// The maximum nesting of arrays.
  static let maximumDepth = 16

  /// Returns the filters of the outermost level, all of which are required. Empty text is skipped.
  func parse(_ filters: NestedFilters, _ cancellation: CancellationCheck) throws -> [FilterTree] {
    switch filters {
    case .filter:
      try [expression(filters, joinedByAnd: true, depth: 0, cancellation)].compactMap(\.self)
    case .group(let elements):
      try expressions(elements, joinedByAnd: false, depth: 1, cancellation)
    }
  }

  private func expressions(
    _ elements: [NestedFilters], joinedByAnd: Bool, depth: Int, _ cancellation: CancellationCheck
  ) throws -> [FilterTree] {
    var result: [FilterTree] = []
    for element in elements {
      if let part = try expression(element, joinedByAnd: joinedByAnd, depth: depth, cancellation) {
        result.append(part)
      }
    }
    return result
  }

  /// Returns one element, or `nil` for empty text and for an array without content.
  private func expression(
    _ filter: NestedFilters, joinedByAnd: Bool, depth: Int, _ cancellation: CancellationCheck
  ) throws -> FilterTree? {
    switch filter {
    case .filter(let text):
      try cancellation.count(4 + text.utf8.count &>> 2)
      return text.isEmpty ? nil : .literal(try literal(text))
    case .group(let elements):
      try cancellation.count()
      guard depth < Self.maximumDepth else {
        throw APIError("\(parameter): more than \(Self.maximumDepth) nested arrays")
      }
      let parts = try expressions(
        elements, joinedByAnd: !joinedByAnd, depth: depth + 1, cancellation)
      if parts.isEmpty { return nil }
      return joinedByAnd ? .all(parts) : .any(parts)
    }
  }

  /// Parses one string of the parameter.
  func literal(_ text: String) throws(APIError) -> FilterLiteral {
    switch content {
    case .facet: try facet(text)
    case .numeric: FilterLiteral(predicate: try numeric(text))
    case .tag: tag(text)
    }
  }

  /// Parses `attribute:value`. `attribute:-value` negates it, and `attribute:\-value` is a minus
  /// sign.
  ///
  /// The signs are found among Unicode scalars, as in JSON, because a sign may form one character
  /// with the next scalar.
  private func facet(_ text: String) throws(APIError) -> FilterLiteral {
    let scalars = text.unicodeScalars
    guard let colon = scalars.firstIndex(of: ":") else {
      let sign = scalars.firstIndex(of: "=")
      let hint = sign.map {
        "; write \(String(scalars[..<$0]).trimmingSpaces()):"
          + String(scalars[scalars.index(after: $0)...]).trimmingSpaces()
      }
      throw problem(
        "end of filter", expected: "':'", at: scalars.count, of: text,
        hint: hint ?? "; write attribute:value")
    }
    guard colon != scalars.startIndex else {
      throw problem("':'", expected: "attribute", at: 0, of: text)
    }
    var value = scalars[scalars.index(after: colon)...]
    var score: Int?
    if value.last == ">", let opening = value.range(ofLast: "<score=") {
      let digits = String(value[opening.upperBound...].dropLast())
      score = FilterScore.parse(digits)
      guard score != nil else {
        let column = scalars.distance(from: scalars.startIndex, to: opening.upperBound)
        throw problem(
          "string(\(digits))", expected: "score from 0 to 65535", at: column, of: text)
      }
      value = value[..<opening.lowerBound]
    }
    let isNegated = value.removeSign()
    let attribute = String(Substring(scalars[..<colon]))
    var literal = FilterLiteral(
      predicate: .value(String(Substring(value)), of: attribute), isNegated: isNegated)
    if let score { literal.score = score }
    return literal
  }

  /// Parses `tag`. `-tag` negates it, and `\-tag` is a minus sign.
  private func tag(_ text: String) -> FilterLiteral {
    var value = text.unicodeScalars[...]
    let isNegated = value.removeSign()
    return FilterLiteral(predicate: .tag(String(Substring(value))), isNegated: isNegated)
  }

  /// Parses `attribute > 12`, with or without spaces, or `attribute:1 TO 2`.
  private func numeric(_ text: String) throws(APIError) -> FilterPredicate {
    let scalars = Array(text.unicodeScalars)
    guard let sign = scalars.firstIndex(where: { "<>=:".unicodeScalars.contains($0) }) else {
      throw problem("end of filter", expected: "operator", at: scalars.count, of: text)
    }
    var nameEnd = sign
    var valueStart = sign + 1
    var comparison: NumericComparison?
    let isFollowedByEqual = valueStart < scalars.count && scalars[valueStart] == "="
    switch scalars[sign] {
    case "<": comparison = isFollowedByEqual ? .lessOrEqual : .less
    case ">": comparison = isFollowedByEqual ? .greaterOrEqual : .greater
    case "=" where sign > 0 && scalars[sign - 1] == "!":
      comparison = .notEqual
      nameEnd -= 1
    case "=": comparison = .equal
    default: comparison = nil
    }
    if comparison == .lessOrEqual || comparison == .greaterOrEqual { valueStart += 1 }
    let name = trimmed(scalars[..<nameEnd])
    guard !name.text.isEmpty else {
      throw problem(String(scalars[sign]), expected: "attribute", at: nameEnd, of: text)
    }
    if let comparison {
      let operand = try number(scalars[valueStart...], of: text)
      return .numeric(attribute: name.text, comparison: comparison, operand: operand)
    }
    let rest = scalars[valueStart...]
    let separator = Array(" TO ".unicodeScalars)
    let bounds = rest.indices.lazy.map { $0..<min($0 + separator.count, rest.endIndex) }
    guard let to = bounds.first(where: { rest[$0].elementsEqual(separator) }) else {
      throw problem(
        "end of filter", expected: "TO", at: scalars.count, of: text,
        hint: "; write \(name.text)=1 for one number, \(name.text):1 TO 2 for a range")
    }
    return .range(
      attribute: name.text, lower: try number(rest[..<to.lowerBound], of: text),
      upper: try number(rest[to.upperBound...], of: text))
  }

  private func number(
    _ scalars: ArraySlice<Unicode.Scalar>, of text: String
  ) throws(APIError) -> Double {
    let word = trimmed(scalars)
    guard let number = FilterNumber.parse(word.text) else {
      throw problem(
        word.text.isEmpty ? "end of filter" : "string", expected: "numeric", at: word.start,
        of: text)
    }
    return number
  }

  private func trimmed(_ scalars: ArraySlice<Unicode.Scalar>) -> (text: String, start: Int) {
    var rest = scalars
    while let first = rest.first, first.properties.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.properties.isWhitespace { rest.removeLast() }
    return (String(String.UnicodeScalarView(rest)), rest.startIndex)
  }

  private func problem(
    _ found: String, expected: String, at column: Int, of text: String, hint: String = ""
  ) -> APIError {
    APIError(
      "\(parameter): Unexpected token \(found) expected \(expected) at col \(column)"
        + " of \"\(text)\"" + hint)
  }
}

extension Substring.UnicodeScalarView {
  /// Removes the minus sign of a negation, or the backslash before a literal minus sign. Returns
  /// whether the value is negated.
  fileprivate mutating func removeSign() -> Bool {
    let isNegated = first == "-"
    if isNegated { removeFirst() }
    if first == "\\", dropFirst().first == "-" { removeFirst() }
    return isNegated
  }

  /// Returns the range of the last occurrence of a text.
  fileprivate func range(ofLast text: String) -> Range<Index>? {
    var start = endIndex
    while start > startIndex {
      start = index(before: start)
      if self[start...].starts(with: text.unicodeScalars) {
        return start..<index(start, offsetBy: text.unicodeScalars.count)
      }
    }
    return nil
  }
}
