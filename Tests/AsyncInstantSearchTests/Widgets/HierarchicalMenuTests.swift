import AsyncInstantSearch
import TestSupport
import Testing

/// Names that contain the separator of a hierarchy.
@Suite struct HierarchicalMenuTests {
  /// The last level has the rest of a path, so such a value is displayed and can be chosen.
  @Test func nameOfTheLastLevelCanContainTheSeparator() throws {
    let hierarchy = HierarchicalFacet(attributes: ["lvl0", "lvl1"])
    let (menu, breadcrumb) = (HierarchicalMenu(hierarchy), Breadcrumb(hierarchy))
    var test = try TestScreen(menu, breadcrumb)
    let facets: JSON = [
      "facets": [
        "lvl0": ["Garden": 5], "lvl1": ["Garden > Hoses": 2, "Garden > Seats > Outdoor": 3],
      ]
    ]
    try test.apply(menu.toggle("Garden"))
    try test.receive(facets)
    let children = try #require(test.view(menu).items.first?.children)
    expectEqual(children.map(\.name), ["Hoses", "Seats > Outdoor"])
    expectEqual(children.map(\.count), [2, 3])

    try test.apply(menu.toggle(children[1].value))
    try expectEqual(test.hitsQuery["facetFilters"], [["lvl1:Garden > Seats > Outdoor"]])
    try test.receive(facets)
    let item = try #require(test.view(menu).items.first)
    #expect(item.isRefined)
    expectEqual(item.children?.filter(\.isRefined).map(\.name), ["Seats > Outdoor"])
    expectEqual(test.view(breadcrumb).items.map(\.label), ["Garden", "Seats > Outdoor"])
    let state = test.uiState
    expectEqual(state.hierarchicalMenu["lvl0"], ["Garden", "Seats > Outdoor"])

    try test.apply(menu.toggle(children[1].value))
    expectEqual(test.state.path(of: hierarchy), "Garden")
  }

  /// Above the last level it is displayed, with all that follows the value above it.
  @Test func nameOfAnotherLevelWithTheSeparatorIsDisplayed() throws {
    let hierarchy = HierarchicalFacet(attributes: ["lvl0", "lvl1", "lvl2"])
    let menu = HierarchicalMenu(hierarchy)
    var test = try TestScreen(menu)
    try test.apply(menu.toggle("Garden"))
    try test.receive([
      "facets": [
        "lvl0": ["Garden": 5, "Home > Office": 1], "lvl1": ["Garden > Seats > Outdoor": 3],
      ]
    ])
    let items = test.view(menu).items
    expectEqual(items.map(\.name), ["Garden", "Home > Office"])
    expectEqual(items[0].children?.map(\.name), ["Seats > Outdoor"])
  }
}
