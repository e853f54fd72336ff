import InstantSearchAPI
import TestSupport
import Testing

@Suite struct PageNumberTests {
  private func page(_ number: Int, of count: Int) -> HitsPage<JSON> {
    HitsPage(page: number, nbPages: count)
  }

  @Test func pagesAroundOne() {
    #expect(page(0, of: 3).previousPage == nil && page(0, of: 3).nextPage == 1)
    #expect(page(1, of: 3).previousPage == 0 && page(1, of: 3).nextPage == 2)
    #expect(page(2, of: 3).previousPage == 1 && page(2, of: 3).nextPage == nil)
    #expect(page(0, of: 0).previousPage == nil && page(0, of: 0).nextPage == nil)
  }

  /// A page echoes the requested number, which can come from a URL.
  @Test(arguments: [Int.min, -1, 0, 2, 3, 1000, Int.max], [Int.min, -1, 0, 3, Int.max])
  func neighborsOfAnyNumberAreExistingPages(number: Int, count: Int) {
    let page = page(number, of: count)
    let around = [page.previousPage, page.nextPage].compactMap(\.self)
    #expect(around.allSatisfy { (0..<max(count, 0)).contains($0) && $0 != number })
    expectEqual(page.previousPage != nil, number > 0 && count > 0)
  }
}
