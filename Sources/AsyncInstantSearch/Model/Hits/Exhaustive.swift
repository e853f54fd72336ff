import InstantSearchJSON

/// Which figures of a result are exact rather than estimated.
///
/// A property is `nil` when the question does not arise or the server does not answer it.
public struct Exhaustive: Sendable, Hashable, JSONObjectCodable {
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
  /// All other members, and known ones of another type than documented.
  public var additionalMembers: [String: JSON]

  /// Creates an answer; everything is absent by default.
  public init(
    nbHits: Bool? = nil,
    typo: Bool? = nil,
    facetsCount: Bool? = nil,
    facetValues: Bool? = nil,
    rulesMatch: Bool? = nil,
    additionalMembers: [String: JSON] = [:]
  ) {
    self.nbHits = nbHits
    self.typo = typo
    self.facetsCount = facetsCount
    self.facetValues = facetValues
    self.rulesMatch = rulesMatch
    self.additionalMembers = additionalMembers
  }

  package init(reading members: inout JSONMembersReader) {
    nbHits = members.take("nbHits", \.boolValue)
    typo = members.take("typo", \.boolValue)
    facetsCount = members.take("facetsCount", \.boolValue)
    facetValues = members.take("facetValues", \.boolValue)
    rulesMatch = members.take("rulesMatch", \.boolValue)
    additionalMembers = members.rest
  }

  package var members: [String: JSON] {
    var members = additionalMembers
    members.set("nbHits", nbHits)
    members.set("typo", typo)
    members.set("facetsCount", facetsCount)
    members.set("facetValues", facetValues)
    members.set("rulesMatch", rulesMatch)
    return members
  }

  /// The same answer; what it does not say is taken from another one.
  func completed(by other: Exhaustive) -> Exhaustive {
    Exhaustive(
      nbHits: nbHits ?? other.nbHits, typo: typo ?? other.typo,
      facetsCount: facetsCount ?? other.facetsCount, facetValues: facetValues ?? other.facetValues,
      rulesMatch: rulesMatch ?? other.rulesMatch, additionalMembers: additionalMembers)
  }
}

extension Exhaustive: JSONNodeDecodable, JSONWritable {}
