/// Splits the text of a filter into tokens.
struct FilterLexer {
  /// The parameter of the text, for messages.
  let parameter: String
  private let scalars: [Unicode.Scalar]
  /// The number of scalars that were read.
  private(set) var position = 0

  /// Creates a lexer for the text of one parameter.
  init(_ text: String, parameter: String) {
    self.parameter = parameter
    scalars = Array(text.unicodeScalars)
  }

  /// Reads the next token, which is `end` after the last one.
  mutating func next() throws(SearchError) -> FilterToken {
    while let scalar = peek(), scalar.isWhitespace { position += 1 }
    let start = position
    guard let scalar = peek() else { return FilterToken(kind: .end, column: start) }
    switch scalar {
    case "(": return take(.openParenthesis, 1)
    case ")": return take(.closeParenthesis, 1)
    case ":": return take(.colon, 1)
    case "=": return take(.comparison(.equal), 1)
    case "!" where peek(1) == "=": return take(.comparison(.notEqual), 2)
    case "<":
      if let score = try score() { return FilterToken(kind: .score(score), column: start) }
      return peek(1) == "=" ? take(.comparison(.lessOrEqual), 2) : take(.comparison(.less), 1)
    case ">":
      return peek(1) == "="
        ? take(.comparison(.greaterOrEqual), 2) : take(.comparison(.greater), 1)
    case "\"", "'": return try quoted(by: scalar)
    default: return word()
    }
  }

  private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    position + offset < scalars.count ? scalars[position + offset] : nil
  }

  private mutating func take(_ kind: FilterToken.Kind, _ count: Int) -> FilterToken {
    defer { position += count }
    return FilterToken(kind: kind, column: position)
  }

  /// Reads an unquoted word: everything up to a space or a sign of the grammar.
  private mutating func word() -> FilterToken {
    let start = position
    var text = String.UnicodeScalarView()
    while let scalar = peek(), !endsWord(scalar) {
      text.append(scalar)
      position += 1
    }
    let kind: FilterToken.Kind =
      switch String(text) {
      case "AND": .and
      case "OR": .or
      case "NOT": .not
      case "TO": .to
      case let word: .text(word, isQuoted: false)
      }
    return FilterToken(kind: kind, column: start)
  }

  private func endsWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "(", ")", ":", "=", "<", ">", "\"", "'": true
    case "!": peek(1) == "="
    default: scalar.isWhitespace
    }
  }

  /// Reads text between quotes. A backslash escapes a quote or a backslash, and otherwise is
  /// literal.
  private mutating func quoted(by quote: Unicode.Scalar) throws(SearchError) -> FilterToken {
    let start = position
    position += 1
    var text = String.UnicodeScalarView()
    while let scalar = peek() {
      position += 1
      if scalar == quote {
        return FilterToken(kind: .text(String(text), isQuoted: true), column: start)
      }
      if scalar == "\\", let next = peek(), next == "\"" || next == "'" || next == "\\" {
        text.append(next)
        position += 1
      } else {
        text.append(scalar)
      }
    }
    throw SearchError(
      .invalidRequest,
      "\(parameter): Unexpected token end of filter expected closing \(quote) at col \(position)"
        + " (opened at col \(start))" + hint(forQuoteAt: start))
  }

  /// Returns advice for an apostrophe within a word that was read as a quote.
  private func hint(forQuoteAt start: Int) -> String {
    guard scalars[start] == "'", start > 0, !endsWord(scalars[start - 1]) else { return "" }
    return "; put double quotes around a value with '"
  }

  /// Reads the suffix `<score=N>`, or returns `nil` without reading anything.
  private mutating func score() throws(SearchError) -> Int? {
    let start = position
    let opening = Array("<score=".unicodeScalars)
    guard scalars[position...].starts(with: opening) else { return nil }
    position += opening.count
    var digits = ""
    while let scalar = peek(), scalar != ">" {
      digits.unicodeScalars.append(scalar)
      position += 1
    }
    guard peek() == ">", let score = FilterScore.parse(digits) else {
      throw SearchError(
        .invalidRequest,
        "\(parameter): Unexpected token string(\(digits)) expected score from 0 to 65535"
          + " at col \(start + opening.count)")
    }
    position += 1
    return score
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is white space. The properties of ASCII are slow to look up.
  fileprivate var isWhitespace: Bool {
    isASCII ? self == " " || "\t"..."\r" ~= self : properties.isWhitespace
  }
}

/// The scores of filters.
package enum FilterScore {
  /// Reads the digits of a score, 0 to 65,535.
  package static func parse(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return UInt16(text).map(Int.init)
  }
}

/// A word or sign of a filter, with its column.
struct FilterToken: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// A value or a name. Quoted text is never a number or a reserved word.
    case text(String, isQuoted: Bool)
    case and, or, not, to
    case openParenthesis, closeParenthesis, colon
    case comparison(NumericComparison)
    /// `<score=N>`
    case score(Int)
    case end
  }

  /// The kind of the token.
  var kind: Kind
  /// The start of the token, in Unicode scalars from 0.
  var column: Int

  /// The number of an unquoted word, if it is one.
  var number: Double? {
    if case .text(let text, isQuoted: false) = kind { FilterNumber.parse(text) } else { nil }
  }

  /// The token as it is named in messages.
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
