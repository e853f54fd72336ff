import InstantSearchAPI
import InstantSearchJSON
import TestSupport
import Testing

@testable import class InstantSearchService.ResponseSizes

/// What a response probably takes cannot be hidden by another way to ask for it.
struct ResponseSizesTests {
  @Test(arguments: [
    (#"{"hitsPerPage":1000}"#, 1_000), (#"{"length":1,"hitsPerPage":1000}"#, 1_000),
    (#"{"type":"facet","hitsPerPage":1000}"#, 1_000), (#"{"params":"hitsPerPage=1000"}"#, 1_000),
    (#"{"length":1,"params":"hitsPerPage=1000"}"#, 1_000), (#"{"length":500,"offset":9}"#, 500),
    (#"{"hitsPerPage":99999999999}"#, 1_000), (#"{"hitsPerPage":-5}"#, 1), ("{}", 20),
  ])
  func hitsAreCountedAtMost(body: String, count: Int) throws {
    let root = try JSONDocument(Array(body.utf8)).root
    expectEqual(ResponseSizes.hits(of: .search(index: "films"), root), ["films": count])
  }

  /// Facets, small pages and other indices teach nothing.
  @Test func onlyManyHitsOfOneIndexAreLearnt() {
    let sizes = ResponseSizes()
    let usual = sizes.expected(for: ["films": 10])
    sizes.note(1_000_000, of: ["films": 1])
    sizes.note(90_000_000, of: ["films": 100, "other": 100])
    sizes.note(90_000_000, of: ["films": 100], queryCount: 50)
    expectEqual(sizes.expected(for: ["films": 10]), usual)
    sizes.note(1_000_000, of: ["films": 100])
    expectEqual(sizes.expected(for: ["films": 10]), 100_000)
    expectEqual(sizes.expected(for: ["other": 10]), usual)
    // One query does not keep the others of its index out.
    sizes.note(90_000_000, of: ["films": 100])
    expectEqual(sizes.expected(for: ["films": 10]), 327_680)
  }
}
