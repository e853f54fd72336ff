/// How the queries of one multi-query request are run.
public struct MultiQueryStrategy: RawRepresentable, Sendable, Hashable, Codable {
  /// The value on the wire.
  public var rawValue: String

  /// Creates a strategy from its value on the wire.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Runs every query; the default.
  public static let none = MultiQueryStrategy(rawValue: "none")

  /// Runs the queries in order and stops once one has at least `hitsPerPage` matches. The pages of
  /// the queries that were not run are empty and say `processed == false`.
  public static let stopIfEnoughMatches = MultiQueryStrategy(rawValue: "stopIfEnoughMatches")
}
