/// A rule of an index: conditions on a search, and the changes if they hold.
///
/// ```swift
/// Rule(
///   "sale", conditions: [.init(pattern: "sale", anchoring: .contains)],
///   consequence: .init(parameters: ["filters": "on_sale:true"]))
/// ```
///
/// The hosted service applies rules. `LocalSearch` stores and returns them, and does not apply them
/// yet. Members that this library does not know are in the `additionalMembers` of their object.
public struct Rule: Sendable, Hashable, JSONObjectCodable {
  /// The ID, which must not be empty. The hosted service accepts letters, digits, `-` and `_`.
  public var objectID: String
  /// The conditions, one of which must hold, at most 25. Without any, the rule always applies.
  public var conditions: [Condition]
  /// The changes.
  public var consequence: Consequence
  /// The times in which the rule applies; always, if empty.
  public var validity: [Validity]
  /// Whether the rule applies; `nil` is the service's default, `true`.
  public var enabled: Bool?
  /// A human-readable description.
  public var description: String?
  /// All other members.
  public var additionalMembers: [String: JSON]

  /// Creates a rule. Everything except the ID and the consequence is absent by default.
  public init(
    _ objectID: String, conditions: [Condition] = [], consequence: Consequence,
    validity: [Validity] = [], enabled: Bool? = nil, description: String? = nil,
    additionalMembers: [String: JSON] = [:]
  ) {
    self.objectID = objectID
    self.conditions = conditions
    self.consequence = consequence
    self.validity = validity
    self.enabled = enabled
    self.description = description
    self.additionalMembers = additionalMembers
  }

  package init(reading members: inout JSONMembersReader) {
    objectID = members.take("objectID", \.stringValue) ?? ""
    conditions =
      members.take("conditions") { $0.values(Condition.init) }
      // Old rules have one condition, which the service still returns.
      ?? members.take("condition") { Condition($0).map { [$0] } } ?? []
    consequence = members.take("consequence", Consequence.init) ?? Consequence()
    validity = members.take("validity") { $0.values(Validity.init) } ?? []
    enabled = members.take("enabled", \.boolValue)
    description = members.take("description", \.stringValue)
    additionalMembers = members.rest
  }

  package var members: [String: JSON] {
    var members = additionalMembers
    members["objectID"] = .string(objectID)
    if !conditions.isEmpty { members["conditions"] = .array(conditions.map(\.json)) }
    members["consequence"] = consequence.json
    if !validity.isEmpty { members["validity"] = .array(validity.map(\.json)) }
    members.set("enabled", enabled)
    if let description { members["description"] = .string(description) }
    return members
  }
}

extension Rule {
  /// The required position of a pattern in the text of the query.
  public enum Anchoring: String, Sendable, Hashable, Codable, CaseIterable {
    case `is`, startsWith, endsWith, contains
  }

  /// A condition on a search. Its parts must hold together.
  public struct Condition: Sendable, Hashable, JSONObjectCodable {
    /// The words of the query, or a facet as `{facet:genres}`. An empty pattern needs the anchoring
    /// `is`.
    public var pattern: String?
    /// The required position of the pattern.
    public var anchoring: Anchoring?
    /// Whether typos, plurals and synonyms of the pattern count; `nil` is the service's `false`.
    public var alternatives: Bool?
    /// One of the search's `ruleContexts`.
    public var context: String?
    /// Facet filters of the search, as `brand:apple`, joined by `AND`.
    public var filters: String?
    /// All other members.
    public var additionalMembers: [String: JSON]

    /// Creates a condition. Everything is absent by default.
    public init(
      pattern: String? = nil, anchoring: Anchoring? = nil, alternatives: Bool? = nil,
      context: String? = nil, filters: String? = nil, additionalMembers: [String: JSON] = [:]
    ) {
      self.pattern = pattern
      self.anchoring = anchoring
      self.alternatives = alternatives
      self.context = context
      self.filters = filters
      self.additionalMembers = additionalMembers
    }

    package init(reading members: inout JSONMembersReader) {
      pattern = members.take("pattern", \.stringValue)
      anchoring = members.take("anchoring") { $0.stringValue.flatMap(Anchoring.init) }
      alternatives = members.take("alternatives", \.boolValue)
      context = members.take("context", \.stringValue)
      filters = members.take("filters", \.stringValue)
      additionalMembers = members.rest
    }

    package var members: [String: JSON] {
      var members = additionalMembers
      if let pattern { members["pattern"] = .string(pattern) }
      if let anchoring { members["anchoring"] = .string(anchoring.rawValue) }
      members.set("alternatives", alternatives)
      if let context { members["context"] = .string(context) }
      if let filters { members["filters"] = .string(filters) }
      return members
    }
  }

  /// The changes of a rule. At least one part is required.
  public struct Consequence: Sendable, Hashable, JSONObjectCodable {
    /// Search parameters, by name. `query` is a text that replaces the query, or an object with
    /// `remove` or `edits`; `automaticFacetFilters` and `renderingContent` belong here as well.
    public var parameters: [String: JSON]
    /// Records at fixed positions.
    public var promote: [Promotion]
    /// Whether only promoted records that match the filters are shown; `nil` is the service's
    /// `false`.
    public var filterPromotes: Bool?
    /// The IDs of records that are not shown, at most 50.
    public var hide: [String]
    /// Any JSON that responses carry, at most 1 kB.
    public var userData: JSON?
    /// All other members.
    public var additionalMembers: [String: JSON]

    /// Creates a consequence. Everything is absent by default.
    public init(
      parameters: [String: JSON] = [:], promote: [Promotion] = [], filterPromotes: Bool? = nil,
      hide: [String] = [], userData: JSON? = nil, additionalMembers: [String: JSON] = [:]
    ) {
      self.parameters = parameters
      self.promote = promote
      self.filterPromotes = filterPromotes
      self.hide = hide
      self.userData = userData
      self.additionalMembers = additionalMembers
    }

    package init(reading members: inout JSONMembersReader) {
      parameters = members.take("params", \.objectValue) ?? [:]
      promote = members.take("promote") { $0.values(Promotion.init) } ?? []
      filterPromotes = members.take("filterPromotes", \.boolValue)
      hide = members.take("hide") { $0.values { $0["objectID"]?.stringValue } } ?? []
      userData = members.take("userData") { $0 }
      additionalMembers = members.rest
    }

    package var members: [String: JSON] {
      var members = additionalMembers
      if !parameters.isEmpty { members["params"] = .object(parameters) }
      if !promote.isEmpty { members["promote"] = .array(promote.map(\.json)) }
      members.set("filterPromotes", filterPromotes)
      if !hide.isEmpty { members["hide"] = .array(hide.map { ["objectID": .string($0)] }) }
      if let userData { members["userData"] = userData }
      return members
    }
  }

  /// Records at fixed positions.
  public struct Promotion: Sendable, Hashable, JSONObjectCodable {
    /// The IDs of the records, at most 100.
    public var objectIDs: [String]
    /// The position of the first one, from 0.
    public var position: Int
    /// All other members.
    public var additionalMembers: [String: JSON]

    /// Creates a promotion.
    public init(_ objectIDs: [String], at position: Int, additionalMembers: [String: JSON] = [:]) {
      self.objectIDs = objectIDs
      self.position = position
      self.additionalMembers = additionalMembers
    }

    package init(reading members: inout JSONMembersReader) {
      objectIDs =
        members.take("objectIDs", \.stringsValue)
        ?? members.take("objectID") { $0.stringValue.map { [$0] } } ?? []
      position = members.take("position", \.intValue) ?? 0
      additionalMembers = members.rest
    }

    package var members: [String: JSON] {
      var members = additionalMembers
      if objectIDs.count == 1 {
        members["objectID"] = .string(objectIDs[0])
      } else {
        members["objectIDs"] = .array(objectIDs.map(JSON.string))
      }
      members.set("position", position)
      return members
    }
  }

  /// A time in which a rule applies, in seconds since 1970. An absent end is open.
  public struct Validity: Sendable, Hashable, JSONObjectCodable {
    /// The first second.
    public var from: Int?
    /// The last second.
    public var until: Int?
    /// All other members.
    public var additionalMembers: [String: JSON]

    /// Creates a time.
    public init(from: Int? = nil, until: Int? = nil, additionalMembers: [String: JSON] = [:]) {
      self.from = from
      self.until = until
      self.additionalMembers = additionalMembers
    }

    package init(reading members: inout JSONMembersReader) {
      from = members.take("from", \.intValue)
      until = members.take("until", \.intValue)
      additionalMembers = members.rest
    }

    package var members: [String: JSON] {
      var members = additionalMembers
      members.set("from", from)
      members.set("until", until)
      return members
    }
  }
}
