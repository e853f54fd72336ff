extension Filter: CustomStringConvertible {
  /// The filter as it stands in the parameter `filters`.
  ///
  /// Attributes and text are always in double quotes, with a backslash before quotes and
  /// backslashes, so nothing in them is read as a part of the expression. Numbers are plain
  /// decimals, integers without a fraction: `"price" > 10`, `"price":5 TO 10`,
  /// `NOT "brand":"Apple"`, `"_tags":"new"`.
  public var description: String {
    let condition =
      switch self {
      case .facet(let filter): filter.condition
      case .numeric(let filter): filter.condition
      case .tag(let filter): "\(quoted("_tags")):\(quoted(filter.value))"
      }
    return isNegated ? "NOT " + condition : condition
  }
}

extension Filter.Facet {
  fileprivate var condition: String {
    let value = if case .string(let text) = value { quoted(text) } else { value.text }
    return "\(quoted(attribute.rawValue)):\(value)\(scoreSuffix)"
  }

  /// ``score`` as it stands behind a value: within 0 to 65,535, which is what the contract takes.
  var scoreSuffix: String { score.map { "<score=\(min(max($0, 0), 65_535))>" } ?? "" }
}

extension Filter.Numeric {
  fileprivate var condition: String {
    switch value {
    case .comparison(let comparison, let number):
      "\(quoted(attribute.rawValue)) \(comparison.rawValue) \(number.plainNumber)"
    case .range(let range):
      "\(quoted(attribute.rawValue)):\(range.lowerBound.plainNumber) TO \(range.upperBound.plainNumber)"
    }
  }
}

/// Text in double quotes.
private func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    if scalar == "\"" || scalar == "\\" { result.unicodeScalars.append("\\") }
    result.unicodeScalars.append(scalar)
  }
  return result + "\""
}
