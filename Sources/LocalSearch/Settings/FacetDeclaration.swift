/// One entry of the setting `attributesForFaceting`, such as `afterDistinct(searchable(brand))`.
struct FacetDeclaration: Sendable, Hashable {
  /// The attribute, with dots for nested ones.
  var attribute: String
  /// Whether the attribute can be filtered by, but is not counted.
  var isFilterOnly = false
  /// Whether the values of the attribute can be searched.
  var isSearchable = false
  /// Whether the attribute is counted after grouping.
  var isAfterDistinct = false

  /// Reads one entry. Modifiers can have any order, and unknown text is part of the name.
  init(_ text: String) {
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
  static func all(in settings: IndexSettings) -> [FacetDeclaration] {
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

extension String {
  /// Returns the text without spaces at its ends.
  func trimmingSpaces() -> String {
    // Most texts begin and end with a printed ASCII character, which is seen faster.
    func isPrinted(_ byte: UInt8?) -> Bool { byte.map { $0 > 0x20 && $0 < 0x7F } ?? false }
    if isPrinted(utf8.first), isPrinted(utf8.last) { return self }
    var rest = Substring(self)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}

extension Substring {
  /// Returns the parts of `function(argument)` if the function is one of those named.
  func argument(of functions: [String]) -> (function: String, argument: Substring)? {
    guard utf8.last == UInt8(ascii: ")"), let opening = firstIndex(of: "(") else { return nil }
    let function = String(self[..<opening])
    guard functions.contains(function) else { return nil }
    return (function, self[index(after: opening)...].dropLast())
  }
}

/// One entry of the setting `numericAttributesForFiltering`, such as `equalOnly(quantity)`.
struct NumericDeclaration: Sendable, Hashable {
  /// Whether only `=` and `!=` are allowed.
  var isEqualOnly: Bool

  /// The declarations by attribute, or `nil` if all numbers can be filtered by.
  static func all(in settings: IndexSettings) -> [String: NumericDeclaration]? {
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
