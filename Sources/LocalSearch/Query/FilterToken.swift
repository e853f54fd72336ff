/// A word or sign of a filter, with its place.
struct FilterToken: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// A value or a name; quoted text is never a number and never a reserved word.
    case text(String, isQuoted: Bool)
    case and, or, not, to
    case openParenthesis, closeParenthesis, colon
    case comparison(NumericComparison)
    /// `<score=N>`
    case score(Int)
    case end
  }

  /// What it is.
  var kind: Kind
  /// Where it begins, in Unicode scalars from 0.
  var column: Int

  /// The number that an unquoted word spells.
  var number: Double? {
    if case .text(let text, isQuoted: false) = kind { FilterNumber.parse(text) } else { nil }
  }

  /// How the token is named in messages.
  var description: String {
    switch kind {
    case .text(let text, _): "string(\(text.excerpt()))"
    case .and: "AND"
    case .or: "OR"
    case .not: "NOT"
    case .to: "TO"
    case .openParenthesis: "'('"
    case .closeParenthesis: "')'"
    case .colon: "':'"
    case .comparison(let comparison): comparison.rawValue
    case .score(let score): "<score=\(score)>"
    case .end: "end of filter"
    }
  }
}

/// The numbers that filters understand: an optional sign, digits, a fraction, an exponent.
enum FilterNumber {
  /// Reads a whole text as a finite number.
  static func parse(_ text: some StringProtocol) -> Double? {
    guard
      let first = text.utf8.first(where: { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }),
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) || first == UInt8(ascii: "."),
      !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }),
      let number = Double(String(text)), number.isFinite
    else { return nil }
    return number
  }
}
