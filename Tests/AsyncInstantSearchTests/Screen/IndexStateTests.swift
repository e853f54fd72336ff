import AsyncInstantSearch
import Foundation
import TestSupport
import Testing

@Suite struct IndexStateTests {
  private var state: IndexState {
    var state = IndexState("products", query: SearchQuery("phone").with { $0.page = 2 })
    state.filters[or: "brand"].add("brand" == "Apple", !("brand" == "3"))
    state.filters[and: "price"].add("price" >= 1.5)
    state.filters[and: "price"].add(Filter.Numeric("year", 1960...1969))
    state.filters[and: "free"].add("free" == true)
    state.filters[and: "_tags"].add(Filter.Tag("new"))
    state.filters[or: "sizes", Filter.Numeric.self].add("size" == 3, "size" < 1)
    state.setPath("Audio > Speakers", of: HierarchicalFacet(attributes: ["lvl0", "lvl1"]))
    return state
  }

  @Test func stateIsWrittenAndReadAgain() throws {
    let data = try JSONEncoder().encode(state)
    try expectEqual(JSONDecoder().decode(IndexState.self, from: data), state)
    let empty = IndexState("products")
    let written = try JSONEncoder().encode(empty)
    try expectEqual(JSONDecoder().decode(IndexState.self, from: written), empty)
  }

  @Test(arguments: [
    #"[{}]"#, #"[{"or":"a"}]"#, #"[{"and":"a","filters":[{}]}]"#, #"{"and":"a"}"#,
    #"[{"and":"a","filters":[{"facet":"a"}]}]"#,
    #"[{"and":"a","filters":[{"numeric":"a","from":2,"to":1}]}]"#,
    #"[{"and":"a","filters":[{"numeric":"a","operator":"~","value":1}]}]"#,
    #"[{"or":"a","filters":[{"tag":"x"},{"facet":"a","value":"b"}]}]"#,
    #"[{"hierarchical":"a","attributes":["a"],"path":[{"tag":"x"}]}]"#,
  ])
  func brokenFiltersAreErrors(_ text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(FilterGroups.self, from: Data(text.utf8))
    }
  }

  @Test func namesAreOrderedByCodeUnits() {
    let texts = [
      "", "a", "ab", "b", "é", "\u{D7FF}", "\u{E000}", "\u{FFFD}", "\u{10000}", "\u{10FFFF}",
      "a\u{E000}", "a\u{1F600}", "a\u{FFFF}b", "a\u{1F600}b",
    ]
    let items = texts.map { FacetItem(value: $0, count: 1) }
    let ordered = items.ordered(by: [.name(.ascending)], nil, isOverriding: true).map(\.value)
    let expected = texts.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }
    expectEqual(ordered.map { Array($0.utf16) }, expected.map { Array($0.utf16) })
  }
}
