package import InstantSearchJSON

/// What the index, or a rule, wants to be shown along with the hits.
///
/// The engine only passes it on; applying it is the reader's business. Members this library does
/// not know, or whose type is not the documented one, are kept in ``additionalMembers``.
public struct RenderingContent: Sendable, Hashable, JSONObjectCodable {
  /// In which order facets and their values are to be shown.
  public var facetOrdering: FacetOrdering?
  /// Where to go instead of showing the hits.
  public var redirect: Redirect?
  /// Widgets to be shown.
  public var widgets: Widgets?
  /// All other members.
  public var additionalMembers: [String: JSON]

  /// Creates a content; everything is absent by default.
  public init(
    facetOrdering: FacetOrdering? = nil,
    redirect: Redirect? = nil,
    widgets: Widgets? = nil,
    additionalMembers: [String: JSON] = [:]
  ) {
    self.facetOrdering = facetOrdering
    self.redirect = redirect
    self.widgets = widgets
    self.additionalMembers = additionalMembers
  }

  package init(reading members: inout JSONMembersReader) {
    facetOrdering = members.take("facetOrdering", as: FacetOrdering.self)
    redirect = members.take("redirect", as: Redirect.self)
    widgets = members.take("widgets", as: Widgets.self)
    additionalMembers = members.rest
  }

  package var members: [String: JSON] {
    var members = additionalMembers
    if let facetOrdering { members["facetOrdering"] = facetOrdering.json }
    if let redirect { members["redirect"] = redirect.json }
    if let widgets { members["widgets"] = widgets.json }
    return members
  }

  /// Where to go instead of showing the hits.
  public struct Redirect: Sendable, Hashable, JSONObjectCodable {
    /// The address to go to.
    public var url: String?
    /// All other members.
    public var additionalMembers: [String: JSON]

    /// Creates a redirect.
    public init(url: String?, additionalMembers: [String: JSON] = [:]) {
      self.url = url
      self.additionalMembers = additionalMembers
    }

    package init(reading members: inout JSONMembersReader) {
      url = members.take("url", \.stringValue)
      additionalMembers = members.rest
    }

    package var members: [String: JSON] {
      var members = additionalMembers
      if let url { members["url"] = .string(url) }
      return members
    }
  }

  /// Widgets to be shown.
  public struct Widgets: Sendable, Hashable, JSONObjectCodable {
    /// Pictures that lead somewhere.
    public var banners: [Banner]
    /// All other members.
    public var additionalMembers: [String: JSON]

    /// Creates widgets.
    public init(banners: [Banner] = [], additionalMembers: [String: JSON] = [:]) {
      self.banners = banners
      self.additionalMembers = additionalMembers
    }

    package init(reading members: inout JSONMembersReader) {
      banners = members.take("banners") { $0.values(Banner.init) } ?? []
      additionalMembers = members.rest
    }

    package var members: [String: JSON] {
      var members = additionalMembers
      if !banners.isEmpty { members["banners"] = .array(banners.map(\.json)) }
      return members
    }
  }

  /// A picture that leads somewhere.
  public struct Banner: Sendable, Hashable, JSONObjectCodable {
    /// The banner as it is on the wire.
    package var members: [String: JSON]

    /// Creates a banner.
    ///
    /// - Parameters:
    ///   - imageURLs: The addresses of the picture, one per size.
    ///   - title: The text that stands for the picture.
    ///   - linkURL: Where the banner leads.
    public init(imageURLs: [String], title: String? = nil, linkURL: String? = nil) {
      var image: [String: JSON] = ["urls": .array(imageURLs.map { ["url": .string($0)] })]
      if let title { image["title"] = .string(title) }
      members = ["image": .object(image)]
      if let linkURL { members["link"] = ["url": .string(linkURL)] }
    }

    package init(reading members: inout JSONMembersReader) { self.members = members.rest }

    /// The addresses of the picture, one per size.
    public var imageURLs: [String] {
      members["image"]?["urls"]?.arrayValue?.compactMap { $0["url"]?.stringValue } ?? []
    }

    /// The text that stands for the picture.
    public var title: String? { members["image"]?["title"]?.stringValue }

    /// Where the banner leads.
    public var linkURL: String? { members["link"]?["url"]?.stringValue }
  }
}

extension RenderingContent: JSONNodeDecodable, JSONWritable {}
extension RenderingContent.Redirect: JSONNodeDecodable, JSONWritable {}
extension RenderingContent.Widgets: JSONNodeDecodable, JSONWritable {}
extension RenderingContent.Banner: JSONNodeDecodable, JSONWritable {}

extension RenderingContent: SearchParameterValue {
  package static var expectation: String { "object" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    do {
      try self.init(node: node, options: JSONDecodingOptions())
    } catch {
      throw Self.mismatch(node)
    }
  }

  package func writeParameter(to writer: inout JSONWriter) { write(to: &writer) }
}

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
