/// Finds the documents of one segment that match filters, from the columns.
struct FilterEvaluator {
  /// The segment.
  let segment: Segment
  /// The declared numeric attributes, some of which allow only equality. See
  /// `numericAttributesForFiltering`.
  let numericDeclarations: [String: NumericDeclaration]?
  let cancellation: CancellationCheck

  /// Returns the documents that match filters, possibly including deleted ones.
  func documents(_ expression: FilterTree) throws -> Bitmap {
    try cancellation.count()
    switch expression {
    case .literal(let literal):
      return try documents(literal)
    case .all(let parts):
      var result = Bitmap(count: segment.count, filledWith: true)
      for part in parts {
        result.formIntersection(try documents(part))
        if result.isEmpty { break }
      }
      return result
    case .any(let parts): return try documents(anyOf: parts)
    }
  }

  /// Returns the documents that match one of several parts.
  ///
  /// Values and ranges of numbers are added to one set. So each document is visited once for an
  /// attribute of numbers and once for each of its values.
  private func documents(anyOf parts: [FilterTree]) throws -> Bitmap {
    var result = Bitmap(count: segment.count)
    var ranges: [String: [Range<Int>]] = [:]
    for part in parts {
      try cancellation.count()
      guard let literal = part.literal, !literal.isNegated else {
        result.formUnion(try documents(part))
        continue
      }
      switch literal.predicate {
      case .facet("objectID", let value):
        if let document = segment.records.document(withObjectID: value) { result[document] = true }
      case .facet(let attribute, let value):
        try cancellation.count(stepsPerFilter)
        guard let column = segment.attributes.facet(attribute) else { continue }
        try insert(value, of: column, isCaseSensitive: false, into: &result)
      case .tag(let tag):
        try cancellation.count(stepsPerFilter)
        try insert(tag, of: segment.attributes.tags, isCaseSensitive: true, into: &result)
      case .range(let attribute, let lower, let upper):
        guard let column = segment.attributes.numeric(attribute), !isEqualOnly(attribute) else {
          continue
        }
        ranges[attribute, default: []].append(column.indices(from: lower, to: upper))
      case .numeric(let attribute, let comparison, let operand) where comparison != .notEqual:
        guard let column = segment.attributes.numeric(attribute),
          comparison == .equal || !isEqualOnly(attribute),
          let range = column.indices(comparison, operand)
        else { continue }
        ranges[attribute, default: []].append(range)
      case .numeric: result.formUnion(try documents(literal))
      }
    }
    for (attribute, ranges) in ranges {
      try segment.attributes.numeric(attribute)?
        .insertDocuments(at: ranges, into: &result, cancellation)
    }
    return result
  }

  /// The number of steps of a filter. A bitmap is a word for 64 documents, and few blocks of a
  /// column are read.
  private var stepsPerFilter: Int { 4 + segment.count &>> 8 }

  /// Adds the documents with a value. The text of a number also matches other forms of the number.
  private func insert(
    _ text: String, of column: FacetColumn, isCaseSensitive: Bool, into result: inout Bitmap
  ) throws {
    for value in try values(of: column, text, isCaseSensitive: isCaseSensitive) {
      column.add(documentsOf: value, to: &result)
    }
  }

  /// The condition of a filter in this segment. Filters with equal keys match the same documents.
  enum Key: Hashable {
    /// The numbers of the facet values that count as the filter's value.
    case values(attribute: String, [Int], isNegated: Bool)
    /// Any other filter.
    case filter(FilterPredicate, isNegated: Bool)
  }

  /// Returns the key of a filter.
  func key(of literal: FilterLiteral) throws -> Key {
    if case .facet(let attribute, let value) = literal.predicate, attribute != "objectID",
      let column = segment.attributes.facet(attribute)
    {
      return .values(
        attribute: attribute,
        try values(of: column, value, isCaseSensitive: false),
        isNegated: literal.isNegated)
    }
    return .filter(literal.predicate, isNegated: literal.isNegated)
  }

  /// Returns the documents that match one filter.
  func documents(_ literal: FilterLiteral) throws -> Bitmap {
    try cancellation.count(stepsPerFilter)
    var result = try documents(literal.predicate)
    if literal.isNegated { result.invert() }
    return result
  }

  private func documents(_ predicate: FilterPredicate) throws -> Bitmap {
    let count = segment.count
    switch predicate {
    case .tag(let tag):
      return try documents(segment.attributes.tags, tag, isCaseSensitive: true)
    case .facet("objectID", let value):
      var result = Bitmap(count: count)
      if let document = segment.records.document(withObjectID: value) { result[document] = true }
      return result
    case .facet(let attribute, let value):
      guard let column = segment.attributes.facet(attribute) else { return Bitmap(count: count) }
      return try documents(column, value, isCaseSensitive: false)
    case .numeric(let attribute, let comparison, let operand):
      if comparison != .equal, comparison != .notEqual, isEqualOnly(attribute) {
        return Bitmap(count: count)
      }
      return segment.attributes.numeric(attribute)?.documents(comparison, operand, count: count)
        ?? Bitmap(count: count)
    case .range(let attribute, let lower, let upper):
      if isEqualOnly(attribute) { return Bitmap(count: count) }
      return segment.attributes.numeric(attribute)?
        .documents(from: lower, to: upper, count: count) ?? Bitmap(count: count)
    }
  }

  private func isEqualOnly(_ attribute: String) -> Bool {
    numericDeclarations?[attribute]?.isEqualOnly == true
  }

  private func documents(
    _ column: FacetColumn, _ text: String, isCaseSensitive: Bool
  ) throws -> Bitmap {
    var result = Bitmap(count: segment.count)
    try insert(text, of: column, isCaseSensitive: isCaseSensitive, into: &result)
    return result
  }

  private func values(
    of column: FacetColumn, _ text: String, isCaseSensitive: Bool
  ) throws -> [Int] {
    var values = try column.values(matching: text, isCaseSensitive: isCaseSensitive, cancellation)
    if !isCaseSensitive, let number = FacetColumn.Value.text(ofNumberSpelled: text), number != text
    {
      values += try column.values(matching: number, isCaseSensitive: true, cancellation)
        .filter { column.values[$0].number != nil }
    }
    return values
  }
}
