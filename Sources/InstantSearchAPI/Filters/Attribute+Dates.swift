#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Dates are numbers in filters: seconds since 1 January 1970, UTC. Records must have them in that
// form; see ``RecordDecoding/Dates/secondsSince1970``.

extension Attribute {
  /// Matches records whose date, in seconds since 1970, is before another one.
  public static func < (attribute: Attribute, date: Date) -> Filter.Numeric {
    Filter.Numeric(attribute, .less, date.timeIntervalSince1970)
  }

  /// Matches records whose date, in seconds since 1970, is at or before another one.
  public static func <= (attribute: Attribute, date: Date) -> Filter.Numeric {
    Filter.Numeric(attribute, .lessOrEqual, date.timeIntervalSince1970)
  }

  /// Matches records whose date, in seconds since 1970, is after another one.
  public static func > (attribute: Attribute, date: Date) -> Filter.Numeric {
    Filter.Numeric(attribute, .greater, date.timeIntervalSince1970)
  }

  /// Matches records whose date, in seconds since 1970, is at or after another one.
  public static func >= (attribute: Attribute, date: Date) -> Filter.Numeric {
    Filter.Numeric(attribute, .greaterOrEqual, date.timeIntervalSince1970)
  }

  /// Matches records whose date, in seconds since 1970, is before another one.
  @_disfavoredOverload
  public static func < (attribute: Attribute, date: Date) -> Filter {
    .numeric(Filter.Numeric(attribute, .less, date.timeIntervalSince1970))
  }

  /// Matches records whose date, in seconds since 1970, is at or before another one.
  @_disfavoredOverload
  public static func <= (attribute: Attribute, date: Date) -> Filter {
    .numeric(Filter.Numeric(attribute, .lessOrEqual, date.timeIntervalSince1970))
  }

  /// Matches records whose date, in seconds since 1970, is after another one.
  @_disfavoredOverload
  public static func > (attribute: Attribute, date: Date) -> Filter {
    .numeric(Filter.Numeric(attribute, .greater, date.timeIntervalSince1970))
  }

  /// Matches records whose date, in seconds since 1970, is at or after another one.
  @_disfavoredOverload
  public static func >= (attribute: Attribute, date: Date) -> Filter {
    .numeric(Filter.Numeric(attribute, .greaterOrEqual, date.timeIntervalSince1970))
  }
}
