import InstantSearchAPI
import InstantSearchJSON
import TestSupport
import Testing

struct RenderingContentTests {
  static let text =
    #"{"facetOrdering":{"facets":{"order":["brand","size"]},"values":{"brand":{"hide":["C"],"order":["B","A"],"sortRemainingBy":"alpha"},"size":{"later":1}}},"new":[1],"redirect":{"url":"https://example.com"},"widgets":{"banners":[{"image":{"title":"t","urls":[{"url":"u"}]},"link":{"target":"_blank","url":"l"}}]}}"#

  @Test(arguments: ModelCoder.allCases)
  func everyMemberIsReadAndWritten(coder: ModelCoder) throws {
    let content = try coder.decode(RenderingContent.self, Self.text)
    expectEqual(content.facetOrdering?.facets?.order, ["brand", "size"])
    expectEqual(
      content.facetOrdering?.values["brand"],
      FacetValuesOrder(order: ["B", "A"], sortRemainingBy: .alphabetical, hide: ["C"]))
    expectEqual(content.facetOrdering?.values["size"]?.additionalMembers, ["later": 1])
    expectEqual(content.redirect?.url, "https://example.com")
    let banner = try #require(content.widgets?.banners.first)
    expectEqual(banner.imageURLs, ["u"])
    expectEqual(banner.title, "t")
    expectEqual(banner.linkURL, "l")
    expectEqual(content.additionalMembers, ["new": [1]])
    try expectEqual(coder.encode(content), Self.text)
  }

  @Test(arguments: ModelCoder.allCases)
  func memberOfAnotherTypeIsKept(coder: ModelCoder) throws {
    let text = #"{"facetOrdering":{"facets":{"order":"brand"}},"redirect":"https://example.com"}"#
    let content = try coder.decode(RenderingContent.self, text)
    #expect(content.redirect == nil)
    expectEqual(content.additionalMembers, ["redirect": "https://example.com"])
    expectEqual(content.facetOrdering?.facets?.order, [])
    try expectEqual(coder.encode(content), text)
  }

  @Test(arguments: ModelCoder.allCases)
  func everyMemberIsOptional(coder: ModelCoder) throws {
    try expectEqual(coder.decode(RenderingContent.self, "{}"), RenderingContent())
    #expect(throws: DecodingError.self) { try coder.decode(RenderingContent.self, "[]") }
  }

  @Test(arguments: ModelCoder.allCases)
  func contentCanBeCreatedInCode(coder: ModelCoder) throws {
    let content = RenderingContent(
      facetOrdering: FacetOrdering(
        facets: FacetsOrder(order: ["a"]), values: ["a": FacetValuesOrder(sortRemainingBy: .hidden)]
      ),
      widgets: RenderingContent.Widgets(banners: [
        RenderingContent.Banner(imageURLs: ["u"], title: "t", linkURL: "l")
      ]))
    try expectEqual(coder.decode(RenderingContent.self, coder.encode(content)), content)
  }
}
