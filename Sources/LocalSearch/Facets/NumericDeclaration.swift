/// One entry of the setting `numericAttributesForFiltering`, such as `equalOnly(quantity)`.
struct NumericDeclaration: Sendable, Hashable {
  /// Whether only `=` and `!=` may be asked for.
  var isEqualOnly: Bool

  /// The declarations by attribute; `nil` when every number may be filtered by.
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
