/// Which figures of a result are exact rather than estimated.
///
/// A property is `nil` when the question does not arise or the server does not answer it.
public struct Exhaustive: Sendable, Hashable, Codable {
  /// Whether the number of hits is exact.
  public var nbHits: Bool?
  /// Whether every typo was considered.
  public var typo: Bool?
  /// Whether the facet counts are exact.
  public var facetsCount: Bool?
  /// Whether every facet value was considered.
  public var facetValues: Bool?
  /// Whether every rule was considered.
  public var rulesMatch: Bool?

  /// Creates an answer; everything is absent by default.
  public init(
    nbHits: Bool? = nil,
    typo: Bool? = nil,
    facetsCount: Bool? = nil,
    facetValues: Bool? = nil,
    rulesMatch: Bool? = nil
  ) {
    self.nbHits = nbHits
    self.typo = typo
    self.facetsCount = facetsCount
    self.facetValues = facetValues
    self.rulesMatch = rulesMatch
  }
}

extension Exhaustive {
  /// Reads the members that are booleans; what is missing is taken from another answer.
  init(_ json: JSON, otherwise other: Exhaustive) {
    nbHits = json["nbHits"]?.boolValue ?? other.nbHits
    typo = json["typo"]?.boolValue ?? other.typo
    facetsCount = json["facetsCount"]?.boolValue ?? other.facetsCount
    facetValues = json["facetValues"]?.boolValue ?? other.facetValues
    rulesMatch = json["rulesMatch"]?.boolValue ?? other.rulesMatch
  }

  /// The known answers as a JSON object; `nil` when there is none.
  var json: JSON? {
    var members: [String: JSON] = [:]
    if let nbHits { members["nbHits"] = .bool(nbHits) }
    if let typo { members["typo"] = .bool(typo) }
    if let facetsCount { members["facetsCount"] = .bool(facetsCount) }
    if let facetValues { members["facetValues"] = .bool(facetValues) }
    if let rulesMatch { members["rulesMatch"] = .bool(rulesMatch) }
    return members.isEmpty ? nil : .object(members)
  }
}
