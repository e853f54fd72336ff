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

/// What a ``MatchingPattern`` can match by: text, numbers, booleans, their optionals and arrays.
///
/// A type of your own with such a raw value needs no more than to say so:
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
  /// The values of a list, any of which related records may share.
  case list([Filter.Facet.Value])
  /// None: the record has no value.
  case none
}

extension String: MatchableValue {
  /// The text.
  public var matchableValues: MatchableValues { .single(.string(self)) }
}

extension MatchableValue where Self: BinaryInteger {
  /// The number with all its digits, as records are filtered by it.
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
  /// The number; none when it is infinite or not a number, which no record contains.
  public var matchableValues: MatchableValues { isFinite ? .single(.number(self)) : .none }
}

extension Float: MatchableValue {
  /// The number that its own shortest decimals say, as a record has it: 0.1 and not
  /// 0.10000000149011612. None when it is infinite or not a number.
  public var matchableValues: MatchableValues {
    Double(description)?.matchableValues ?? .none
  }
}

extension Bool: MatchableValue {
  /// The boolean.
  public var matchableValues: MatchableValues { .single(.bool(self)) }
}

extension Optional: MatchableValue where Wrapped: MatchableValue {
  /// The values of what is wrapped; none for `nil`.
  public var matchableValues: MatchableValues { self?.matchableValues ?? .none }
}

extension Array: MatchableValue where Element: MatchableValue {
  /// The values of the elements, in their order; a value that comes again is left out, as it would
  /// count twice.
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
  /// The values, whether one or many.
  fileprivate var all: [Filter.Facet.Value] {
    switch self {
    case .single(let value): [value]
    case .list(let values): values
    case .none: []
    }
  }
}
