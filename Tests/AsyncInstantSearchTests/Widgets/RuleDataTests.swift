import AsyncInstantSearch
import TestSupport
import Testing

/// Data, redirects and banners of rules.
@Suite struct RuleDataTests {
  private struct Promotion: Decodable, Equatable {
    var title: String
  }

  @Test func dataIsTheFirstObjectOfTheType() throws {
    let data = RuleData(of: Promotion.self)
    var test = try TestScreen(data)
    #expect(test.view(data).value == nil)
    try test.receive([
      "userData": [["other": 1], ["title": 5], ["title": "Sale"], ["title": "Later"]]
    ])
    expectEqual(test.view(data).value, Promotion(title: "Sale"))
    try test.receive(["userData": ["title": "not a list"]])
    #expect(test.view(data).value == nil)
  }

  @Test func redirectsAndBannersFollowTheResults() throws {
    let redirect = RuleRedirect()
    let banners = RuleBanners()
    let hits = InfiniteHits(of: JSON.self)
    var test = try TestScreen(redirect, banners, hits)
    #expect(test.view(redirect).url == nil)
    expectEqual(test.view(banners).banners, [])
    let banner = RenderingContent.Banner(
      imageURLs: ["https://example.com/a.png"], title: "A", linkURL: "https://example.com")
    let content = RenderingContent(
      redirect: RenderingContent.Redirect(url: "https://example.com/sale"),
      widgets: RenderingContent.Widgets(banners: [banner]))
    try test.receive(["renderingContent": try JSON(encoding: content)])
    expectEqual(test.view(redirect).url, "https://example.com/sale")
    expectEqual(test.view(banners).banners, [banner])
    expectEqual(test.view(hits).banner, banner)
    try test.receive([:])
    #expect(test.view(redirect).url == nil)
    #expect(test.view(hits).banner == nil)
  }
}
