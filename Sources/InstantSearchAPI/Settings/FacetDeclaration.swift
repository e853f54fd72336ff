/// One entry of the setting `attributesForFaceting`, such as `afterDistinct(searchable(brand))`.
package struct FacetDeclaration: Sendable, Hashable {
  /// The attribute, with dots for nested ones.
  package var attribute: String
  /// Whether the attribute can be filtered by, but is not counted.
  package var isFilterOnly = false
  /// Whether the values of the attribute can be searched.
  package var isSearchable = false
  /// Whether the attribute is counted after grouping.
  package var isAfterDistinct = false

  /// Reads one entry. Modifiers can have any order, and unknown text is part of the name.
  package init(_ text: String) {
    var rest = Substring(text.trimmingSpaces())
    while let inner = rest.argument(of: ["filterOnly", "searchable", "afterDistinct"]) {
      switch inner.function {
      case "filterOnly": isFilterOnly = true
      case "searchable": isSearchable = true
      default: isAfterDistinct = true
      }
      rest = Substring(String(inner.argument).trimmingSpaces())
    }
    attribute = String(rest)
  }

  /// The declarations of an index in the order of the setting. The last one of an attribute counts.
  package static func all(in settings: IndexSettings) -> [FacetDeclaration] {
    var result: [FacetDeclaration] = []
    var indices: [String: Int] = [:]
    for declaration in settings.attributesForFaceting.map(FacetDeclaration.init) {
      if let index = indices[declaration.attribute] {
        result[index] = declaration
      } else {
        indices[declaration.attribute] = result.count
        result.append(declaration)
      }
    }
    return result
  }
}

/// One entry of the setting `numericAttributesForFiltering`, such as `equalOnly(quantity)`.
package struct NumericDeclaration: Sendable, Hashable {
  /// Whether only `=` and `!=` are allowed.
  package var isEqualOnly: Bool

  /// The declarations by attribute, or `nil` if all numbers can be filtered by.
  package static func all(in settings: IndexSettings) -> [String: NumericDeclaration]? {
    guard let texts = settings.numericAttributesForFiltering, !texts.isEmpty else { return nil }
    var result: [String: NumericDeclaration] = [:]
    for text in texts {
      let name = text.trimmingSpaces()
      if let part = Substring(name).argument(of: ["equalOnly"]) {
        result[String(part.argument).trimmingSpaces()] = NumericDeclaration(isEqualOnly: true)
      } else {
        result[name] = NumericDeclaration(isEqualOnly: false)
      }
    }
    return result
  }
}
