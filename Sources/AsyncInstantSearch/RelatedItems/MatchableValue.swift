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
