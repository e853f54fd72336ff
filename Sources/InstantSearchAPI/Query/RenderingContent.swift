package import InstantSearchJSON

/// Instructions of the index or of a rule for displaying the results.
///
/// The engine only returns them; the application applies them. Members that this library does not
/// know, or whose type is not the documented one, are in ``additionalMembers``.
public struct RenderingContent: Sendable, Hashable, JSONObjectCodable {
  /// The display order of facets and their values.
  public var facetOrdering: FacetOrdering?
  /// The redirect to follow instead of showing the hits.
  public var redirect: Redirect?
  /// The widgets to display.
  public var widgets: Widgets?
  /// All other members.
  public var additionalMembers: [String: JSON]

  /// Creates a content. Everything is absent by default.
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

  /// A redirect to follow instead of showing the hits.
  public struct Redirect: Sendable, Hashable, JSONObjectCodable {
    /// The target address.
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

  /// Widgets to display.
  public struct Widgets: Sendable, Hashable, JSONObjectCodable {
    /// Images with a link.
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

  /// An image with a link.
  public struct Banner: Sendable, Hashable, JSONObjectCodable {
    /// The banner's members as received.
    package var members: [String: JSON]

    /// Creates a banner.
    ///
    /// - Parameters:
    ///   - imageURLs: The addresses of the image, one per size.
    ///   - title: The alternative text for the image. Defaults to none.
    ///   - linkURL: The target of the link. Defaults to none.
    public init(imageURLs: [String], title: String? = nil, linkURL: String? = nil) {
      var image: [String: JSON] = ["urls": .array(imageURLs.map { ["url": .string($0)] })]
      if let title { image["title"] = .string(title) }
      members = ["image": .object(image)]
      if let linkURL { members["link"] = ["url": .string(linkURL)] }
    }

    package init(reading members: inout JSONMembersReader) { self.members = members.rest }

    /// The addresses of the image, one per size.
    public var imageURLs: [String] {
      members["image"]?["urls"]?.arrayValue?.compactMap { $0["url"]?.stringValue } ?? []
    }

    /// The alternative text for the image.
    public var title: String? { members["image"]?["title"]?.stringValue }

    /// The target of the link.
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

/// The display order of facets and of their values.
public struct FacetOrdering: Sendable, Hashable, JSONObjectCodable {
  /// The order of the facets; `nil` if unspecified.
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

/// The order of the facets.
public struct FacetsOrder: Sendable, Hashable, JSONObjectCodable {
  /// The attributes to display, in order.
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
/// The values of ``order`` come first, the remaining ones follow according to ``sortRemainingBy``,
/// and the values of ``hide`` are not displayed.
public struct FacetValuesOrder: Sendable, Hashable, JSONObjectCodable {
  /// The rule for values without an explicit position.
  public struct SortRule: RawRepresentable, Sendable, Hashable, Codable {
    /// The rule's name on the wire.
    public var rawValue: String

    /// Creates a rule from its name on the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Sorts by count, most frequent first.
    public static let count = SortRule(rawValue: "count")
    /// Sorts alphabetically.
    public static let alphabetical = SortRule(rawValue: "alpha")
    /// Hides the values.
    public static let hidden = SortRule(rawValue: "hidden")
  }

  /// The values to display first, in order.
  public var order: [String]
  /// The rule for the remaining values; `nil` if unspecified.
  public var sortRemainingBy: SortRule?
  /// The values to hide.
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
  /// Creates a rule from its name on the wire.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension FacetOrdering: JSONNodeDecodable, JSONWritable {}
extension FacetsOrder: JSONNodeDecodable, JSONWritable {}
extension FacetValuesOrder: JSONNodeDecodable, JSONWritable {}
