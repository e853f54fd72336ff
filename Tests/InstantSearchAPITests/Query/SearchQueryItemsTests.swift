import InstantSearchAPI
import TestSupport
import Testing

/// The parameters as URL query items.
@Suite struct SearchQueryItemsTests {
  @Test(arguments: SearchQueryCase.all)
  func aParameterIsReadBackFromItsItem(_ it: SearchQueryCase) throws {
    let item = try #require(it.query.queryItems.first)
    expectEqual(it.query.queryItems.count, 1)
    expectEqual(item.name, it.name)
    let encoded = "\(item.name)=\(PercentEncoding.encode(item.value))"
    let read = try SearchQuery(urlEncoded: encoded)
    // A list of optional words means the same as one text.
    if it.name != "optionalWords" { expectEqual(read, it.query) }
  }

  @Test(arguments: [
    (["a", "b"], "a,b"), (["a b"], "a b"), ([], ""), (["a,b"], #"["a,b"]"#),
    ([""], #"[""]"#), ([" a"], #"[" a"]"#), (["a "], #"["a "]"#), (["[a"], #"["[a"]"#),
  ])
  func listsUseCommasIfReadBackEqual(list: [String], text: String) {
    let query = SearchQuery().setting(\.facets, to: list)
    expectEqual(query.queryItems.map(\.value), [text])
  }
}
