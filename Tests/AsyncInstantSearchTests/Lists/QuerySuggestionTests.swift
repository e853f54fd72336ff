import AsyncInstantSearch
import TestSupport
import Testing

@Suite struct QuerySuggestionTests {
  @Test(arguments: [
    ("je", "an reno"), ("JEAN", " reno"), ("", "jean reno"), ("jean reno", ""),
    ("jeans", nil), ("jean reno!", nil), ("reno", nil),
  ])
  func completionIsTheRestOfTheText(typed: String, rest: String?) {
    expectEqual(QuerySuggestion(query: "jean reno").completion(of: typed), rest)
  }

  @Test func textThatIsNotTypedIsHighlightedByInversion() throws {
    let record = """
      {"objectID": "1", "query": "jean reno",
       "_highlightResult": {"query": {"value": "<em>jean</em> reno", "matchLevel": "full"}}}
      """
    let hit = try JSON(parsing: Array(record.utf8)).decode(Hit<QuerySuggestion>.self)
    expectEqual(hit.highlighted.inverted.raw, "jean<em> reno</em>")
  }
}
