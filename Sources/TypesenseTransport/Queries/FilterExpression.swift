import InstantSearchAPI
import LocalSearch

/// A filter in the server's grammar: terms joined by `&&` and `||`.
///
/// Both operators bind equally, so every group is in parentheses. A term holds field names, codes
/// and numbers only.
indirect enum FilterExpression: Sendable, Hashable {
  case term(String)
  case all([FilterExpression])
  case any([FilterExpression])
  /// Every record matches.
  case always
  /// No record matches.
  case never

  /// The number of terms, operators and parentheses that the server accepts.
  static let maximumTokenCount = 100

  /// The text of `filter_by`, or `nil` if every record matches.
  ///
  /// - Throws: `APIError` if the server does not accept as many terms.
  func text() throws(APIError) -> String? {
    guard self != .always else { return nil }
    // A range of numbers counts a record once for each of its numbers, unless it is joined.
    let whole = hasComparison ? FilterExpression.all(of: [self, .term(Self.everything)]) : self
    let count = whole.tokenCount(isInner: false)
    guard count <= Self.maximumTokenCount else {
      throw APIError(
        "The filters have \(count) terms, operators and parentheses together, and the server accepts"
          + " \(Self.maximumTokenCount). Put values of one facet into one OR group, which counts as"
          + " one term, use a range in place of != and of several numbers, or use fewer filters")
    }
    return whole.written(isInner: false)
  }

  /// The documents that do not stand for deleted records.
  static let withoutMarks = FilterExpression.term("\(FieldName.codes):!=\(ValueCode.deletion)")

  private static let everything = "\(FieldName.codes):!=0"

  private var hasComparison: Bool {
    switch self {
    case .term(let text): text.hasPrefix(FieldName.numberPrefix)
    case .all(let parts), .any(let parts): parts.contains(where: \.hasComparison)
    case .always, .never: false
    }
  }

  private func written(isInner: Bool) -> String {
    switch self {
    case .term(let text): return text
    case .never: return "\(FieldName.codes):=0"
    case .always: return Self.everything
    case .all(let parts), .any(let parts):
      var sign = " && "
      if case .any = self { sign = " || " }
      let text = parts.map { $0.written(isInner: true) }.joined(separator: sign)
      return isInner ? "(\(text))" : text
    }
  }

  private func tokenCount(isInner: Bool) -> Int {
    switch self {
    case .term, .always, .never: 1
    case .all(let parts), .any(let parts):
      parts.reduce(parts.count - 1 + (isInner ? 2 : 0)) { $0 + $1.tokenCount(isInner: true) }
    }
  }

  /// Both expressions must match.
  static func all(of parts: [FilterExpression]) -> FilterExpression {
    var result: [FilterExpression] = []
    for part in parts {
      switch part {
      case .always: continue
      case .never: return .never
      case .all(let inner): result += inner
      default: result.append(part)
      }
    }
    return result.isEmpty ? .always : result.count == 1 ? result[0] : .all(result)
  }

  /// One of the expressions must match.
  static func any(of parts: [FilterExpression]) -> FilterExpression {
    var result: [FilterExpression] = []
    for part in parts {
      switch part {
      case .never: continue
      case .always: return .always
      case .any(let inner): result += inner
      default: result.append(part)
      }
    }
    return result.isEmpty ? .never : result.count == 1 ? result[0] : .any(result)
  }
}

/// Writes the filters of the contract as terms about the fields of a collection.
struct FilterCompiler {
  /// The attributes that can be compared only for equality.
  let equalOnlyNumbers: Set<String>
  /// The facets of the index, or `nil` if every attribute is one.
  let facets: Set<String>?
  /// The fields that the collection does not have, because no record has a value for them.
  let missingFields: Set<String>

  /// Returns the expression of a filter.
  func expression(_ tree: FilterTree) -> FilterExpression {
    switch tree {
    case .literal(let literal): expression(literal)
    case .all(let parts):
      join(parts, isNegated: true) { .all(of: $0) }
    case .any(let parts):
      join(parts, isNegated: false) { .any(of: $0) }
    }
  }

  /// Joins parts. The values of facets and tags among them become one term, whose list means OR for
  /// values, and NOR for negated ones.
  private func join(
    _ parts: [FilterTree], isNegated: Bool, _ join: ([FilterExpression]) -> FilterExpression
  ) -> FilterExpression {
    var codes: [ValueCode] = []
    var others: [FilterExpression] = []
    for part in parts {
      if let literal = part.literal, literal.isNegated == isNegated,
        let own = self.codes(of: literal.predicate)
      {
        codes += own
      } else {
        others.append(expression(part))
      }
    }
    if codes.isEmpty, others.count == parts.count { return join(others) }
    return join([Self.term(codes, isNegated: isNegated)] + others)
  }

  /// The codes of which a record has one if it matches, or `nil` for a comparison of numbers.
  private func codes(of predicate: FilterPredicate) -> [ValueCode]? {
    switch predicate {
    case .tag(let tag): return [.tag(tag)]
    case .facet("objectID", let value): return [.objectID(value)]
    case .facet(let attribute, let value):
      // As in the engine, an attribute that is no facet has no values.
      guard facets?.contains(attribute) ?? true else { return [] }
      let number = IndexedRecord.facetNumber(spelled: value).map {
        ValueCode.facetNumber(attribute, $0)
      }
      return [.facet(attribute, value)] + [number].compactMap(\.self)
    case .numeric, .range: return nil
    }
  }

  private static func term(_ codes: [ValueCode], isNegated: Bool) -> FilterExpression {
    if codes.isEmpty { return isNegated ? .always : .never }
    let texts = codes.map(\.text)
    let value = texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ","))]"
    return .term("\(FieldName.codes):\(isNegated ? "!=" : "=")\(value)")
  }

  private func expression(_ literal: FilterLiteral) -> FilterExpression {
    if let codes = codes(of: literal.predicate) {
      return Self.term(codes, isNegated: literal.isNegated)
    }
    switch literal.predicate {
    case .numeric(let attribute, let comparison, let operand):
      if comparison == .notEqual {
        // A record must have numbers, and this one not among them.
        let equal = condition(attribute, NumberKey(operand)...NumberKey(operand))
        return literal.isNegated
          ? .any(of: [Self.term([.hasNumber(attribute)], isNegated: true), equal.matching])
          : .all(of: [Self.term([.hasNumber(attribute)], isNegated: false), equal.notMatching])
      }
      if comparison != .equal, equalOnlyNumbers.contains(attribute) {
        return literal.isNegated ? .always : .never
      }
      return expression(
        attribute, Self.range(comparison, operand), isNegated: literal.isNegated)
    case .range(let attribute, let lower, let upper):
      if equalOnlyNumbers.contains(attribute) { return literal.isNegated ? .always : .never }
      return expression(
        attribute, lower <= upper ? NumberKey(lower)...NumberKey(upper) : nil,
        isNegated: literal.isNegated)
    case .facet, .tag: return .never
    }
  }

  private static func range(
    _ comparison: NumericComparison, _ operand: Double
  ) -> ClosedRange<NumberKey>? {
    let key = NumberKey(operand)
    return switch comparison {
    case .less: key > .smallest ? .smallest...key.previous : nil
    case .lessOrEqual: .smallest...key
    case .equal, .notEqual: key...key
    case .greaterOrEqual: key ... .largest
    case .greater: key < .largest ? key.next ... .largest : nil
    }
  }

  private func expression(
    _ attribute: String, _ range: ClosedRange<NumberKey>?, isNegated: Bool
  ) -> FilterExpression {
    guard let range else { return isNegated ? .always : .never }
    let condition = condition(attribute, range)
    return isNegated ? condition.notMatching : condition.matching
  }

  /// Returns the expressions of the records with a number in a range, and of the others.
  ///
  /// A record with one number is not in the range if its number is below or above. A record with
  /// several has codes for them, so that a list of codes excludes the range. The code of a record
  /// with one is in the list as well, which leaves records with several and without any.
  private func condition(
    _ attribute: String, _ range: ClosedRange<NumberKey>
  ) -> (matching: FilterExpression, notMatching: FilterExpression) {
    let field = FieldName.number(attribute)
    guard !missingFields.contains(field) else { return (.never, .always) }
    let (low, high) = (range.lowerBound, range.upperBound)
    let matching =
      switch (low > .smallest, high < .largest) {
      case _ where low == high: "\(field):=\(low.value)"
      case (true, true): "\(field):[\(low.value)..\(high.value)]"
      case (true, false): "\(field):>=\(low.value)"
      default: "\(field):<=\(high.value)"
      }
    var outside: [FilterExpression] = []
    if low > .smallest { outside.append(.term("\(field):<\(low.value)")) }
    if high < .largest { outside.append(.term("\(field):>\(high.value)")) }
    let one = ValueCode.hasOneNumber(attribute)
    let prefixes = ValueCode.Prefix.covering(range).map { ValueCode.number(attribute, prefix: $0) }
    let notMatching = FilterExpression.any(of: [
      Self.term([one] + prefixes, isNegated: true),
      .all(of: [Self.term([one], isNegated: false), .any(of: outside)]),
    ])
    return (.term(matching), notMatching)
  }
}

extension ForeignSearch {
  /// The fields of the numbers that the filters compare.
  var numberFields: Set<String> {
    var fields: Set<String> = []
    func add(_ tree: FilterTree) {
      switch tree {
      case .literal(let literal):
        switch literal.predicate {
        case .numeric(let attribute, _, _), .range(let attribute, _, _):
          fields.insert(FieldName.number(attribute))
        case .facet, .tag: break
        }
      case .all(let parts), .any(let parts): parts.forEach(add)
      }
    }
    (filters + optionalFilters).forEach(add)
    return fields
  }
}
