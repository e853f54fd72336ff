import InstantSearchJSON

/// Figures about the numeric values of a facet among the hits.
public struct FacetStats: Sendable, Hashable, Codable {
  /// The smallest value.
  public var min: Double
  /// The largest value.
  public var max: Double
  /// The mean, where the server tells it.
  public var avg: Double?
  /// The sum, where the server tells it.
  public var sum: Double?

  /// Creates figures.
  public init(min: Double, max: Double, avg: Double? = nil, sum: Double? = nil) {
    self.min = min
    self.max = max
    self.avg = avg
    self.sum = sum
  }
}

extension FacetStats {
  /// Reads the figures; `nil` without a smallest and a largest value.
  init?(_ json: JSON) {
    guard let min = json["min"]?.doubleValue, let max = json["max"]?.doubleValue else {
      return nil
    }
    self.init(min: min, max: max, avg: json["avg"]?.doubleValue, sum: json["sum"]?.doubleValue)
  }

  private enum Member: Int { case min, max, avg, sum }

  private static let keys = JSONKeys([
    Member.min: "min", .max: "max", .avg: "avg", .sum: "sum",
  ])

  /// Reads the figures from a tape; `nil` without a smallest and a largest value.
  init?(at index: Int, of document: JSONDocument) {
    let members = document.members(Self.keys, ofObjectAt: index)
    guard let min = members[Member.min].flatMap(document.double(at:)),
      let max = members[Member.max].flatMap(document.double(at:))
    else { return nil }
    self.init(
      min: min, max: max, avg: members[Member.avg].flatMap(document.double(at:)),
      sum: members[Member.sum].flatMap(document.double(at:)))
  }

  /// The figures as a JSON object.
  var json: JSON {
    var members: [String: JSON] = ["min": .double(min), "max": .double(max)]
    if let avg { members["avg"] = .double(avg) }
    if let sum { members["sum"] = .double(sum) }
    return .object(members)
  }
}
