import AsyncInstantSearch
import InstantSearchJSON
import Testing

struct RenderingContentTests {
  static let text =
    #"{"facetOrdering":{"facets":{"order":["brand","size"]},"values":{"brand":{"hide":["C"],"order":["B","A"],"sortRemainingBy":"alpha"},"size":{"later":1}}},"new":[1],"redirect":{"url":"https://example.com"},"widgets":{"banners":[{"image":{"title":"t","urls":[{"url":"u"}]},"link":{"target":"_blank","url":"l"}}]}}"#

  @Test(arguments: ModelCoder.allCases)
  func everyMemberIsReadAndWritten(coder: ModelCoder) throws {
    let content = try coder.decode(RenderingContent.self, Self.text)
    #expect(content.facetOrdering?.facets?.order == ["brand", "size"])
    #expect(
      content.facetOrdering?.values["brand"]
        == FacetValuesOrder(order: ["B", "A"], sortRemainingBy: .alphabetical, hide: ["C"]))
    #expect(content.facetOrdering?.values["size"]?.additionalMembers == ["later": 1])
    #expect(content.redirect?.url == "https://example.com")
    let banner = try #require(content.widgets?.banners.first)
    #expect(banner.imageURLs == ["u"])
    #expect(banner.title == "t")
    #expect(banner.linkURL == "l")
    #expect(content.additionalMembers == ["new": [1]])
    #expect(try coder.encode(content) == Self.text)
  }

  @Test(arguments: ModelCoder.allCases)
  func memberOfAnotherTypeIsKept(coder: ModelCoder) throws {
    let text = #"{"facetOrdering":{"facets":{"order":"brand"}},"redirect":"https://example.com"}"#
    let content = try coder.decode(RenderingContent.self, text)
    #expect(content.redirect == nil)
    #expect(content.additionalMembers == ["redirect": "https://example.com"])
    #expect(content.facetOrdering?.facets?.order == [])
    #expect(try coder.encode(content) == text)
  }

  @Test(arguments: ModelCoder.allCases)
  func everyMemberIsOptional(coder: ModelCoder) throws {
    #expect(try coder.decode(RenderingContent.self, "{}") == RenderingContent())
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
    #expect(try coder.decode(RenderingContent.self, coder.encode(content)) == content)
  }
}
