/// Parses the text of the `filters` parameter.
///
/// Without parentheses, OR binds tighter than AND: `a AND b OR c` is `a AND (b OR c)`. ANDs in
/// parentheses are accepted if the whole is an AND of ORs.
package struct FilterParser {
  private let parameter: String
  private let counting: (_ steps: Int) throws -> Void
  /// The lexer of the tokens after ``token``.
  private var lexer: FilterLexer
  /// The token that is parsed, the one before it, and the first one.
  private var token: FilterToken
  private var previous: FilterToken?
  private let first: FilterToken
  /// Whether reading tokens failed.
  private var isStopped = false
  private var depth = 0
  /// The number of filters so far.
  private var count = 0
  /// The attribute and the value that were read last.
  private var last: (name: String, value: String?) = ("", nil)

  /// The maximum nesting of parentheses.
  static let maximumDepth = 100

  private init(
    _ text: String, parameter: String, counting: @escaping (_ steps: Int) throws -> Void
  ) throws {
    self.parameter = parameter
    self.counting = counting
    lexer = FilterLexer(text, parameter: parameter)
    first = try lexer.next(counting)
    token = first
  }

  /// The number of filters in all parameters of a query.
  package static let maximumCount = 10_000

  /// Parses a whole filter. Returns `nil` for blank text.
  ///
  /// - Parameters:
  ///   - text: The filter.
  ///   - parameter: The name of the parameter, for messages.
  ///   - count: Called with the number of steps of the work. Its error ends the parsing.
  /// - Throws: `SearchError` with code `invalidRequest` and the column, or the error of `count`.
  package static func parse(
    _ text: String, parameter: String = "filters",
    counting count: @escaping (_ steps: Int) throws -> Void = { _ in }
  ) throws -> FilterTree? {
    var parser = try FilterParser(text, parameter: parameter, counting: count)
    if parser.token.kind == .end { return nil }
    do {
      return try parser.whole().simplified
    } catch {
      // An unclosed quote is reported before any other error.
      if !parser.isStopped { while parser.token.kind != .end { try parser.advance() } }
      throw error
    }
  }

  private mutating func whole() throws -> Conjunction {
    let expression = try conjunction()
    guard token.kind == .end else { throw unexpected("end of filter", hint: hintForRest()) }
    return expression
  }

  /// Goes to the next token.
  private mutating func advance() throws {
    previous = token
    do {
      token = try lexer.next(counting)
    } catch {
      isStopped = true
      throw error
    }
  }

  /// Returns some of the tokens after the current one. The last of all is `end`.
  private func upcoming(_ count: Int) -> [FilterToken] {
    var rest = lexer
    var tokens = [token]
    while tokens.count <= count, tokens.last?.kind != .end, let next = try? rest.next() {
      tokens.append(next)
    }
    return Array(tokens.dropFirst())
  }

  /// One part of the filter: groups combined by AND, each an OR.
  private struct Conjunction {
    var groups: [[FilterLiteral]]

    var simplified: FilterTree {
      let parts = groups.map { group -> FilterTree in
        group.count == 1 ? .literal(group[0]) : .any(group.map { .literal($0) })
      }
      return .all(parts)
    }
  }

  private mutating func conjunction() throws -> Conjunction {
    var result = try disjunction()
    while token.kind == .and {
      try advance()
      result.groups += try disjunction().groups
    }
    return result
  }

  private mutating func disjunction() throws -> Conjunction {
    let start = token.column
    let first = try operand()
    guard token.kind == .or else { return first }
    guard first.groups.count == 1 else { throw conjunctionInsideOr(start) }
    var group = first.groups[0]
    while token.kind == .or {
      try advance()
      let column = token.column
      let next = try operand()
      guard next.groups.count == 1 else { throw conjunctionInsideOr(column) }
      if let expected = group.first?.predicate.kind,
        let found = next.groups[0].first?.predicate.kind,
        expected != found
      {
        throw SearchError(
          .invalidRequest,
          "\(parameter): Unexpected \(found.rawValue) filter expected \(expected.rawValue) filter"
            + " (filters joined by OR must be of one type) at col \(column)")
      }
      group += next.groups[0]
    }
    return Conjunction(groups: [group])
  }

  private func conjunctionInsideOr(_ column: Int) -> SearchError {
    SearchError(
      .invalidRequest,
      "\(parameter): filter (X AND Y) OR Z is not allowed, only (X OR Y) AND Z is allowed"
        + " at col \(column)")
  }

  private mutating func operand() throws -> Conjunction {
    if token.kind == .openParenthesis {
      guard depth < Self.maximumDepth else {
        throw SearchError(
          .invalidRequest,
          "\(parameter): more than \(Self.maximumDepth) nested parentheses at col \(token.column)")
      }
      let column = token.column
      try advance()
      depth += 1
      let inner = try conjunction()
      guard token.kind == .closeParenthesis else {
        throw unexpected(
          "')'",
          hint: token.kind == .end
            ? "close the parenthesis opened at col \(column)" : hintForRest())
      }
      try advance()
      depth -= 1
      return inner
    }
    var isNegated = false
    if token.kind == .not {
      isNegated = true
      try advance()
      if token.kind == .openParenthesis {
        throw unexpected(
          "filter",
          hint: "write NOT before each filter: NOT a AND NOT b instead of NOT (a OR b)")
      }
    }
    var literal = FilterLiteral(predicate: try predicate(), isNegated: isNegated)
    count += 1
    guard count <= Self.maximumCount else {
      throw SearchError(
        .invalidRequest,
        "Too many filters: expected at most \(Self.maximumCount) in all parameters of a query"
          + " together")
    }
    if case .score(let score) = token.kind {
      literal.score = score
      try advance()
    }
    return Conjunction(groups: [[literal]])
  }

  private mutating func predicate() throws -> FilterPredicate {
    let name = try text(expected: "filter")
    last = (name, nil)
    switch token.kind {
    case .comparison(let comparison):
      try advance()
      return .numeric(attribute: name, comparison: comparison, operand: try number())
    case .colon:
      try advance()
      let valueToken = token
      let value = try text(expected: "value")
      last = (name, value)
      guard token.kind == .to else { return .value(value, of: name) }
      guard let lower = valueToken.number else { throw unexpectedNumber(valueToken) }
      try advance()
      return .range(attribute: name, lower: lower, upper: try number())
    default:
      return .tag(name)
    }
  }

  private mutating func text(expected: String) throws -> String {
    guard case .text(let text, _) = token.kind else { throw unexpected(expected) }
    try advance()
    return text
  }

  private mutating func number() throws -> Double {
    guard let number = token.number else { throw unexpectedNumber(token) }
    try advance()
    return number
  }

  private func unexpected(_ expected: String, hint: String? = nil) -> SearchError {
    SearchError(
      .invalidRequest,
      "\(parameter): Unexpected token \(token.description) expected \(expected)"
        + " at col \(token.column)" + (hint.map { "; \($0)" } ?? ""))
  }

  /// Returns advice for text after the end of a filter.
  private func hintForRest() -> String? {
    if case .text(let text, isQuoted: false) = first.kind, "{[".contains(text.prefix(1)) {
      return "a filter is not JSON; write attribute:value"
    }
    switch token.kind {
    case .text(let text, isQuoted: false):
      switch isWordOfValue ? "" : text.lowercased() {
      case "and", "&&", "&": return "write AND between filters"
      case "or", "||", "|": return "write OR between filters"
      case "not", "!": return "write AND NOT between filters"
      case "to": return "write TO between the bounds of a range"
      default: break
      }
      if let hint = hintAfterTag(text) { return hint }
      switch upcoming(1).first?.kind {
      case .colon, .comparison: return "write AND or OR between filters"
      default: break
      }
      guard let value = last.value else {
        return "write \(last.name):\(text) for a filter by an attribute"
      }
      if value.utf8.count > 200 { return "put quotes around a value with spaces" }
      var words = [value]
      for token in [token] + upcoming(10) {
        guard case .text(let text, isQuoted: false) = token.kind else { break }
        if words.count == 10 { return "put quotes around a value with spaces" }
        // Other query languages escape a space with a backslash.
        if words[words.count - 1].hasSuffix("\\") { words[words.count - 1].removeLast() }
        words.append(text)
      }
      return "put quotes around a value with spaces: "
        + "\(last.name):\"\(words.joined(separator: " "))\""
    case .text: return "write AND or OR between filters"
    case .comparison(let comparison) where last.value != nil:
      return "put quotes around a value with \(comparison.rawValue)"
    case .colon where last.value != nil: return "put quotes around a value with ':'"
    case .not, .openParenthesis: return "write AND or OR between filters"
    case .closeParenthesis: return "no parenthesis is open"
    default: return nil
    }
  }

  /// Returns advice for words after a tag that have a meaning in other query languages.
  private func hintAfterTag(_ text: String) -> String? {
    guard last.value == nil else { return nil }
    if ["not", "!"].contains(last.name.lowercased()) { return "write NOT in capitals" }
    switch text.lowercased() {
    case "between": return "write \(last.name):10 TO 20 for a range"
    case "in", "like", "contains", "is", "equals", "has":
      return "write \(last.name):value, and OR between several such filters"
    default: break
    }
    let next = upcoming(2)
    guard next.count == 2, token.number != nil, next[1].number != nil,
      case .text(let upper, _) = next[1].kind
    else { return nil }
    switch next[0].kind {
    case .to: break
    case .text(let word, isQuoted: false) where word.lowercased() == "to": break
    default: return nil
    }
    return "write \(last.name):\(text) TO \(upper) for a range"
  }

  /// Whether the rest continues the last value: no other filter starts after the next word.
  private var isWordOfValue: Bool {
    let next = upcoming(2)
    guard last.value != nil, case .text(_, isQuoted: false) = next.first?.kind else {
      return false
    }
    guard next.count == 2 else { return true }
    switch next[1].kind {
    case .colon, .comparison: return false
    default: return true
    }
  }

  private func unexpectedNumber(_ token: FilterToken) -> SearchError {
    let found = if case .text = token.kind { "string" } else { token.description }
    return SearchError(
      .invalidRequest,
      "\(parameter): Unexpected token \(found) expected numeric at col \(token.column)"
        + hintForNumber(token))
  }

  /// Returns advice for a missing number.
  private func hintForNumber(_ token: FilterToken) -> String {
    if case .text(let text, isQuoted: false) = token.kind, let hint = Self.hint(forNumber: text) {
      return hint
    }
    guard case .comparison(let comparison) = previous?.kind else {
      return ""
    }
    switch token.kind {
    case .comparison(let second):
      let hints: [String: String] = [
        "==": "; write = once", "=<": "; write <=", "=>": "; write >=", "<>": "; write !=",
      ]
      return hints[comparison.rawValue + second.rawValue] ?? ""
    case .text(let text, let isQuoted) where comparison == .equal || comparison == .notEqual:
      let value = isQuoted || text.contains(" ") ? "\"\(text)\"" : text
      let negation = comparison == .notEqual ? "NOT " : ""
      return "; \(comparison.rawValue) compares numbers, write \(negation)\(last.name):\(value)"
    case .text: return "; \(comparison.rawValue) compares numbers"
    default: return ""
    }
  }

  /// Returns advice for text that was meant as a number or as an absent value.
  private static func hint(forNumber text: String) -> String? {
    switch text.lowercased() {
    case "nan", "inf", "infinity", "-nan", "-inf", "-infinity":
      return "; the number must be finite"
    case "null", "nil", "none":
      return "; a filter cannot ask for absent values"
    default: break
    }
    if "[{".contains(text.prefix(1)), Double(text.dropFirst()) != nil {
      return "; write the bounds of a range without brackets"
    }
    let decimal = text.split(separator: ",", omittingEmptySubsequences: false)
    if decimal.count == 2, let number = Double(decimal.joined(separator: ".")), number.isFinite {
      return "; write \(decimal.joined(separator: "."))"
    }
    return nil
  }
}

extension FilterLexer {
  /// Reads the next token, and counts the steps.
  fileprivate mutating func next(_ counting: (_ steps: Int) throws -> Void) throws -> FilterToken {
    let start = position
    let token = try next()
    try counting(1 + (position - start) &>> 4)
    return token
  }
}
