import InstantSearchJSON

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
