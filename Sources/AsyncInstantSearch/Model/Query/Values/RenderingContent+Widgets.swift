package import SearchJSON

extension RenderingContent {
  /// What else to show.
  public struct Widgets: Sendable, Hashable, Codable {
    /// The banners, in order.
    public var banners: [Banner]?

    /// Creates widgets.
    public init(banners: [Banner]? = nil) { self.banners = banners }
  }

  /// A picture, often with a link.
  public struct Banner: Sendable, Hashable, Codable {
    /// The addresses of the picture.
    public var imageURLs: [String]?
    /// The text that stands for the picture.
    public var title: String?
    /// Where the picture leads.
    public var link: String?

    /// Creates a banner.
    public init(imageURLs: [String]? = nil, title: String? = nil, link: String? = nil) {
      self.imageURLs = imageURLs
      self.title = title
      self.link = link
    }

    /// Reads a banner, with any decoder.
    public init(from decoder: any Decoder) throws { try self.init(readingFrom: decoder) }

    /// Writes the banner as the contract has it, with any encoder.
    public func encode(to encoder: any Encoder) throws { try write(into: encoder) }
  }
}

extension RenderingContent.Widgets {
  init(object: ObjectReader) throws(SearchParameterMismatch) {
    banners = try object.value("banners")
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("banners", banners)
    writer.endObject()
  }
}

extension RenderingContent.Banner: SearchParameterValue, SearchParameterElement {
  package static var expectation: String { "object" }

  package static var listExpectation: String { "array of objects" }

  package init(parameter node: JSONNode) throws(SearchParameterMismatch) {
    let object = try ObjectReader(node)
    self.init()
    try object.read("image") { (image) throws(SearchParameterMismatch) in
      title = try image.value("title")
      let urls: [Address]? = try image.value("urls")
      imageURLs = urls?.map(\.url)
    }
    try object.read("link") { (target) throws(SearchParameterMismatch) in
      link = try target.value("url")
    }
  }

  package static func list(_ node: JSONNode) -> [Self]? {
    guard node.kind == .array else { return nil }
    let banners = node.elements.compactMap { try? Self(parameter: $0) }
    return banners.count == node.count ? banners : nil
  }

  package func writeElement(to writer: inout JSONWriter) { writeParameter(to: &writer) }

  package func writeParameter(to writer: inout JSONWriter) {
    writer.beginObject()
    if imageURLs != nil || title != nil {
      writer.key("image")
      writer.beginObject()
      writer.member("urls", imageURLs?.map(Address.init(url:)))
      writer.member("title", title)
      writer.endObject()
    }
    if let link {
      writer.key("link")
      writer.beginObject()
      writer.member("url", link)
      writer.endObject()
    }
    writer.endObject()
  }

  /// An address as the contract wraps it: `{"url": …}`.
  private struct Address: SearchParameterElement {
    var url: String

    static var listExpectation: String { "array of objects" }

    static func list(_ node: JSONNode) -> [Self]? {
      guard node.kind == .array else { return nil }
      let addresses = node.elements.compactMap { $0["url"]?.string.map(Self.init(url:)) }
      return addresses.count == node.count ? addresses : nil
    }

    func writeElement(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("url", url)
      writer.endObject()
    }
  }
}
