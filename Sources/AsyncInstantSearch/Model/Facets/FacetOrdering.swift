import InstantSearchJSON

/// In which order facets, and the values of each, are to be shown.
public struct FacetOrdering: Sendable, Hashable, JSONObjectCodable {
  /// The order of the facets; `nil` when none is given.
  public var facets: FacetsOrder?
  /// The order of the values, by attribute.
  public var values: [String: FacetValuesOrder]
  /// All other members.
  public var additionalMembers: [String: JSON]

  /// Creates an ordering.
  public init(
    facets: FacetsOrder? = nil,
    values: [String: FacetValuesOrder] = [:],
    additionalMembers: [String: JSON] = [:]
  ) {
    self.facets = facets
    self.values = values
    self.additionalMembers = additionalMembers
  }

  package init(reading members: inout JSONMembersReader) {
    facets = members.take("facets", as: FacetsOrder.self)
    values = members.take("values") { $0.memberValues(FacetValuesOrder.init) } ?? [:]
    additionalMembers = members.rest
  }

  package var members: [String: JSON] {
    var members = additionalMembers
    if let facets { members["facets"] = facets.json }
    if !values.isEmpty { members["values"] = .object(values.mapValues(\.json)) }
    return members
  }
}

/// The order of the facets themselves.
public struct FacetsOrder: Sendable, Hashable, JSONObjectCodable {
  /// The attributes to be shown, in order.
  public var order: [String]
  /// All other members.
  public var additionalMembers: [String: JSON]

  /// Creates an order.
  public init(order: [String] = [], additionalMembers: [String: JSON] = [:]) {
    self.order = order
    self.additionalMembers = additionalMembers
  }

  package init(reading members: inout JSONMembersReader) {
    order = members.take("order", \.stringsValue) ?? []
    additionalMembers = members.rest
  }

  package var members: [String: JSON] {
    var members = additionalMembers
    if !order.isEmpty { members["order"] = .array(order.map(JSON.string)) }
    return members
  }
}

/// The order of the values of one facet.
///
/// The values of ``order`` come first, the remaining ones follow by ``sortRemainingBy``, and those
/// of ``hide`` are not shown.
public struct FacetValuesOrder: Sendable, Hashable, JSONObjectCodable {
  /// What becomes of the values that have no place of their own.
  public struct SortRule: RawRepresentable, Sendable, Hashable, Codable {
    /// The word on the wire.
    public var rawValue: String

    /// Creates a rule from the word on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The most frequent value first.
    public static let count = SortRule(rawValue: "count")
    /// By the alphabet.
    public static let alphabetical = SortRule(rawValue: "alpha")
    /// They are not shown.
    public static let hidden = SortRule(rawValue: "hidden")
  }

  /// The values to be shown first, in order.
  public var order: [String]
  /// What becomes of the remaining values; `nil` when nothing is said.
  public var sortRemainingBy: SortRule?
  /// The values not to be shown.
  public var hide: [String]
  /// All other members.
  public var additionalMembers: [String: JSON]

  /// Creates an order.
  public init(
    order: [String] = [],
    sortRemainingBy: SortRule? = nil,
    hide: [String] = [],
    additionalMembers: [String: JSON] = [:]
  ) {
    self.order = order
    self.sortRemainingBy = sortRemainingBy
    self.hide = hide
    self.additionalMembers = additionalMembers
  }

  package init(reading members: inout JSONMembersReader) {
    order = members.take("order", \.stringsValue) ?? []
    sortRemainingBy = members.take("sortRemainingBy") {
      $0.stringValue.map(SortRule.init(rawValue:))
    }
    hide = members.take("hide", \.stringsValue) ?? []
    additionalMembers = members.rest
  }

  package var members: [String: JSON] {
    var members = additionalMembers
    if !order.isEmpty { members["order"] = .array(order.map(JSON.string)) }
    if let sortRemainingBy { members["sortRemainingBy"] = .string(sortRemainingBy.rawValue) }
    if !hide.isEmpty { members["hide"] = .array(hide.map(JSON.string)) }
    return members
  }
}

extension FacetValuesOrder.SortRule: ExpressibleByStringLiteral {
  /// Creates a rule from the word on the wire.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension FacetOrdering: JSONNodeDecodable, JSONWritable {}
extension FacetsOrder: JSONNodeDecodable, JSONWritable {}
extension FacetValuesOrder: JSONNodeDecodable, JSONWritable {}
