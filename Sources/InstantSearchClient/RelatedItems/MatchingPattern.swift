/// An attribute by which records are related, with its weight.
///
/// ```swift
/// let patterns: [MatchingPattern<Product>] = [
///   MatchingPattern(attribute: "brand", score: 1, filterPath: \.brand),
///   MatchingPattern(attribute: "categories", score: 2, filterPath: \.categories),
/// ]
/// ```
///
/// A related record gets the score once for each value that it shares with the reference. `nil`
/// and an empty list contribute nothing.
public struct MatchingPattern<T>: Sendable {
  /// The attribute of the index, which must be declared in `attributesForFaceting`.
  public var attribute: Attribute
  /// The score that each shared value adds, 0 to 65,535. Other numbers are limited to this range.
  public var score: Int

  private let values: @Sendable (T) -> MatchableValues

  /// Creates a pattern.
  ///
  /// - Parameters:
  ///   - attribute: The attribute of the index.
  ///   - score: The score that each shared value adds, 0 to 65,535.
  ///   - filterPath: The key path of the attribute in a record: text, a number, a Boolean, an
  ///     optional or an array of them, or a custom ``MatchableValue``.
  public init<Value: MatchableValue>(
    attribute: Attribute, score: Int, filterPath: any KeyPath<T, Value> & Sendable
  ) {
    self.attribute = attribute
    self.score = score
    values = { $0[keyPath: filterPath].matchableValues }
  }

  /// Returns the element of `optionalFilters` for a record: a string for one value, a list for
  /// several; `nil` without values.
  ///
  /// - Throws: `SearchError` of code `invalidRequest` for a value that such a string cannot
  ///   express.
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

/// A value that a ``MatchingPattern`` can match: text, numbers, Booleans, their optionals and
/// arrays.
///
/// A custom type with such a raw value only needs to declare the conformance:
///
/// ```swift
/// enum Genre: String, Codable, MatchableValue { case drama, comedy }
/// ```
public protocol MatchableValue: Sendable {
  /// The facet values that related records share.
  var matchableValues: MatchableValues { get }
}

/// The facet values of one attribute of a record.
public enum MatchableValues: Sendable, Hashable {
  /// One value.
  case single(Filter.Facet.Value)
  /// Several values, any of which related records can share.
  case list([Filter.Facet.Value])
  /// No value.
  case none
}

extension String: MatchableValue {
  /// The text.
  public var matchableValues: MatchableValues { .single(.string(self)) }
}

extension MatchableValue where Self: BinaryInteger {
  /// The integer with all of its digits, as in facet filters.
  public var matchableValues: MatchableValues { .single(.string(String(self))) }
}

extension Int: MatchableValue {}
extension Int8: MatchableValue {}
extension Int16: MatchableValue {}
extension Int32: MatchableValue {}
extension Int64: MatchableValue {}
extension UInt: MatchableValue {}
extension UInt8: MatchableValue {}
extension UInt16: MatchableValue {}
extension UInt32: MatchableValue {}
extension UInt64: MatchableValue {}

extension Double: MatchableValue {
  /// The number; no value if it is infinite or NaN, which no record contains.
  public var matchableValues: MatchableValues { isFinite ? .single(.number(self)) : .none }
}

extension Float: MatchableValue {
  /// The number with the shortest decimal text that represents it, as in a record: 0.1 rather than
  /// 0.10000000149011612. No value if it is infinite or NaN.
  public var matchableValues: MatchableValues {
    Double(description)?.matchableValues ?? .none
  }
}

extension Bool: MatchableValue {
  /// The boolean.
  public var matchableValues: MatchableValues { .single(.bool(self)) }
}

extension Optional: MatchableValue where Wrapped: MatchableValue {
  /// The values of the wrapped value; no values for `nil`.
  public var matchableValues: MatchableValues { self?.matchableValues ?? .none }
}

extension Array: MatchableValue where Element: MatchableValue {
  /// The values of the elements, in order, without duplicates, which would count twice.
  public var matchableValues: MatchableValues {
    var known: Set<Filter.Facet.Value> = []
    let values = flatMap(\.matchableValues.all).filter { known.insert($0).inserted }
    return values.isEmpty ? .none : .list(values)
  }
}

extension RawRepresentable where Self: MatchableValue, RawValue: MatchableValue {
  /// The values of the raw value.
  public var matchableValues: MatchableValues { rawValue.matchableValues }
}

extension MatchableValues {
  /// All values, in order.
  fileprivate var all: [Filter.Facet.Value] {
    switch self {
    case .single(let value): [value]
    case .list(let values): values
    case .none: []
    }
  }
}
