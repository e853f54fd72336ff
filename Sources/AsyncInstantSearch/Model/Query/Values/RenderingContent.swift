package import SearchJSON

/// Hints for the user interface that an index or a rule adds to a response.
///
/// Nothing here changes what is found or counted; ``FacetOrdering`` tells how to show facets.
public struct RenderingContent: Sendable, Hashable, Codable {
  /// How facets and their values are ordered.
  public var facetOrdering: FacetOrdering?
  /// Where to send the user instead of showing hits.
  public var redirect: Redirect?
  /// What else to show.
  public var widgets: Widgets?
  /// Members that this library does not know.
  public var additionalMembers: [String: JSON]

  /// Creates hints; everything is absent by default.
  public init(
    facetOrdering: FacetOrdering? = nil, redirect: Redirect? = nil, widgets: Widgets? = nil,
    additionalMembers: [String: JSON] = [:]
  ) {
    self.facetOrdering = facetOrdering
    self.redirect = redirect
    self.widgets = widgets
    self.additionalMembers = additionalMembers
  }

  /// Where to send the user.
  public struct Redirect: Sendable, Hashable, Codable {
    /// The address.
    public var url: String?

    /// Creates a redirect.
    public init(url: String? = nil) { self.url = url }
  }

  /// Reads the hints, with any decoder.
  public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

  /// Writes the hints as the contract has them, with any encoder.
  public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
}

extension RenderingContent: SearchParameterValue, JSONNodeDecodable, JSONWritable {
  package static var expectation: String { "object" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    self.init()
    let object = try ObjectReader(node)
    facetOrdering = try object.read("facetOrdering", FacetOrdering.init(object:))
    redirect = try object.read("redirect") { (object) throws(SearchParameterMismatch) in
      Redirect(url: try object.value("url"))
    }
    widgets = try object.read("widgets", Widgets.init(object:))
    for member in node.members {
      switch member.key {
      case "facetOrdering", "redirect", "widgets": break
      default: additionalMembers[member.key] = try? JSON(node: member.value)
      }
    }
  }

  package func writeParameter(to writer: inout JSONWriter) {
    writer.beginObject()
    if let facetOrdering {
      writer.key("facetOrdering")
      facetOrdering.write(to: &writer)
    }
    if let redirect {
      writer.key("redirect")
      writer.beginObject()
      writer.member("url", redirect.url)
      writer.endObject()
    }
    if let widgets {
      writer.key("widgets")
      widgets.write(to: &writer)
    }
    for (key, value) in additionalMembers.sorted(by: { $0.key < $1.key }) {
      writer.key(key)
      value.write(to: &writer)
    }
    writer.endObject()
  }
}
