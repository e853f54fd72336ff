/// An attribute by which records are related, and how much it counts.
///
/// ```swift
/// let patterns: [MatchingPattern<Product>] = [
///   MatchingPattern(attribute: "brand", score: 1, filterPath: \.brand),
///   MatchingPattern(attribute: "categories", score: 2, filterPath: \.categories),
/// ]
/// ```
///
/// A related record gets the score once for each value that it shares with the reference. A `nil`
/// and an empty list contribute nothing.
public struct MatchingPattern<T>: Sendable {
  /// The attribute of the index; it must be declared in `attributesForFaceting`.
  public var attribute: Attribute
  /// What each shared value adds to a record's score: 0 to 65,535; numbers beyond count as the
  /// nearest of these.
  public var score: Int

  private let values: @Sendable (T) -> MatchableValues

  /// Creates a pattern.
  ///
  /// - Parameters:
  ///   - attribute: The attribute of the index.
  ///   - score: What each shared value adds to a record's score, 0 to 65,535.
  ///   - filterPath: Where a record has the attribute: a text, a number, a boolean, an optional or
  ///     an array of them, or a ``MatchableValue`` of your own.
  public init<Value: MatchableValue>(
    attribute: Attribute, score: Int, filterPath: any KeyPath<T, Value> & Sendable
  ) {
    self.attribute = attribute
    self.score = score
    values = { $0[keyPath: filterPath].matchableValues }
  }

  /// The element of `optionalFilters` for a record: a string for one value, a list for a list;
  /// `nil` when there is no value.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` for what such a string cannot say.
  func optionalFilter(for record: T) throws(SearchError) -> NestedFilters? {
    switch values(record) {
    case .none: return nil
    case .single(let value): return .filter(try string(for: value))
    case .list(let values):
      var strings: [NestedFilters] = []
      for value in values { strings.append(.filter(try string(for: value))) }
      return strings.isEmpty ? nil : .group(strings)
    }
  }

  private func string(for value: Filter.Facet.Value) throws(SearchError) -> String {
    try Filter.Facet(attribute, value, score: score).listString()
  }
}
