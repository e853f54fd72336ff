@testable import AsyncInstantSearch
@testable import InstantSearchClient
import TestSupport
import Testing

/// What widgets of facets do where InstantSearch.js has a known defect. Each test has the name of
/// the defect.
@Suite struct FacetQuirkTests {
  // MARK: Searches for values

  private static let brands: JSON = [
    "nbHits": 9, "facets": ["brand": ["Apple": 4, "Bosch": 3, "acme": 2]],
  ]

  private static func response(
    to request: WidgetRequest, _ values: String...
  ) -> WidgetResponse {
    WidgetResponse(
      request,
      .success(
        .facetValues(
          FacetValuesPage(facetHits: values.map { FacetHit(value: $0, count: 1) }))))
  }

  private static func request(_ list: FacetList, in test: TestScreen) -> WidgetRequest? {
    test.screen.request(of: list)
  }

  /// Each text is a request of its own, so that only the response to the newest one is taken.
  @Test func facetSearchRace() throws {
    let list = FacetList(attribute: "brand")
    var test = try TestScreen(list)
    try test.receive(Self.brands)
    try test.apply(list.search("a"))
    let first = try #require(Self.request(list, in: test))
    try test.apply(list.search("ap"))
    let second = try #require(Self.request(list, in: test))
    let arriving = [
      Self.response(to: second, "Apple"), Self.response(to: first, "Apple", "acme"),
    ]
    for response in arriving { test.receive(response) }
    expectEqual(test.view(list).items.map(\.value), ["Apple"])
    expectEqual(test.view(list).searchText, "ap")
  }

  /// Displaying more values during a search for values searches for more.
  @Test func showMoreInFacetSearch() throws {
    let list = FacetList(attribute: "brand", limit: 2, showMoreLimit: 20)
    var test = try TestScreen(list)
    try test.receive(Self.brands)
    try test.apply(list.search("a"))
    test.receive(
      Self.response(to: try #require(Self.request(list, in: test)), "Apple", "acme"))
    try test.apply(list.toggleShowMore())
    #expect(test.view(list).isFromSearch)
    expectEqual(test.view(list).items.map(\.value), ["Apple", "acme"])
    guard case .facetValues(let search)? = Self.request(list, in: test) else {
      Issue.record("no request")
      return
    }
    expectEqual(search.limit, 20)
  }

  /// Values that stay displayed have the place that the order gives them.
  @Test func keptValuesAreSortedLikeTheOthers() throws {
    func shown(_ list: FacetList) throws -> [String] {
      var test = try TestScreen(list)
      try test.receive(Self.brands)
      for value in ["Bose", "acme"] { try test.apply(list.toggle(value)) }
      return test.view(list).items.map { "\($0.value) \($0.count ?? 0)" }
    }
    let kept = FacetList(attribute: "brand", limit: 2, keepsSelected: true)
    try expectEqual(shown(kept), ["acme 2", "Bose 0"])
    let names = FacetList(
      attribute: "brand", limit: 2, sortBy: [.name(.ascending)], keepsSelected: true)
    try expectEqual(shown(names), ["Apple 4", "Bosch 3", "Bose 0", "acme 2"])
    try expectEqual(shown(FacetList(attribute: "brand", limit: 2)), ["acme 2", "Apple 4"])
    // A value that no hit has is not one that is missing in the list.
    var test = try TestScreen(kept)
    try test.receive(["nbHits": 4, "facets": ["brand": ["Apple": 4]]])
    for value in ["Bose", "acme"] { try test.apply(kept.toggle(value)) }
    expectEqual(test.view(kept).items.count, 2)
    #expect(test.view(kept).hasExhaustiveItems)
    // An order of the server that hides values does not hide the chosen ones that no hit has.
    try test.receive([
      "nbHits": 4, "facets": ["brand": ["Apple": 4]],
      "renderingContent": [
        "facetOrdering": [
          "facets": ["order": ["brand"]],
          "values": ["brand": ["order": ["Apple"], "sortRemainingBy": "hidden"]],
        ]
      ],
    ])
    expectEqual(test.view(kept).items.map(\.value), ["Apple", "Bose", "acme"])
  }

  // MARK: Menus

  private static let shelves: JSON = [
    "nbHits": 9, "facets": ["shelf": ["A": 4, "B > 2": 2]],
  ]

  /// A value of a menu is one segment.
  @Test func menuSeparator() throws {
    let menu = FacetMenu(attribute: "shelf")
    var test = try TestScreen(menu)
    try test.receive(Self.shelves)
    try test.apply(menu.select("B > 2"))
    try expectEqual(test.hitsQuery["facetFilters"], [["shelf:B > 2"]])
    try test.receive(["nbHits": 2, "facets": ["shelf": ["B > 2": 2]]], Self.shelves)
    let items = test.view(menu).items
    expectEqual(items.map(\.value), ["B > 2", "A"])
    expectEqual(items.map(\.count), [2, 4])
    expectEqual(items.map(\.isRefined), [true, false])
    try expectEqual(TestScreen(menu, uiState: test.uiState.throughURL()).state, test.state)
  }

  /// Clearing a menu without a choice changes nothing.
  @Test func menuEmptyWhenUnrefined() throws {
    let menu = FacetMenu(attribute: "shelf")
    var test = try TestScreen(menu)
    try test.receive(Self.shelves)
    let before = test.state
    try test.apply(menu.select(nil))
    expectEqual(test.state, before)
    expectEqual(test.view(menu).items.count, 2)
  }

  // MARK: Hierarchies

  private static let attributes = ["lvl0", "lvl1"]
  private static let tree: JSON = [
    "nbHits": 9,
    "facets": [
      "lvl0": ["Audio": 4, "Phones": 5],
      "lvl1": ["Audio > Radio": 1, "Audio > Speakers": 3],
    ],
  ]

  /// A menu keeps its options, before and after a breadcrumb of the same hierarchy.
  @Test(arguments: [true, false]) func breadcrumbOverridesHierarchy(isFirst: Bool) throws {
    let menu = HierarchicalMenu(
      HierarchicalFacet(attributes: Self.attributes, showsParentLevel: false))
    let crumbs = Breadcrumb(HierarchicalFacet(attributes: Self.attributes))
    var test = try isFirst ? TestScreen(crumbs, menu) : TestScreen(menu, crumbs)
    try test.apply(menu.toggle("Audio > Radio"))
    try test.receive(Self.tree)
    let audio = try #require(test.view(menu).items.first { $0.name == "Audio" })
    expectEqual(audio.children?.map(\.name), ["Radio"])
    expectEqual(test.view(crumbs).items.map(\.label), ["Audio", "Radio"])
  }

  /// The server's order has no effect on a breadcrumb, and neither has a search without hits.
  @Test func breadcrumbHiddenValue() throws {
    let crumbs = Breadcrumb(HierarchicalFacet(attributes: Self.attributes))
    var uiState = IndexUIState()
    uiState.hierarchicalMenu["lvl0"] = ["Audio", "Radio"]
    let menu = HierarchicalMenu(HierarchicalFacet(attributes: Self.attributes))
    var test = try TestScreen(crumbs, menu, uiState: uiState)
    expectEqual(test.view(crumbs).items.map(\.label), ["Audio", "Radio"])
    var answer = Self.tree.objectValue ?? [:]
    answer["renderingContent"] = ["facetOrdering": ["values": ["lvl0": ["hide": ["Audio"]]]]]
    try test.receive(.object(answer))
    expectEqual(test.view(menu).items.map(\.name), ["Phones"])
    expectEqual(test.view(crumbs).items.map(\.path), ["Audio", "Audio > Radio"])
    try test.receive(["nbHits": 0])
    expectEqual(test.view(crumbs).items.map(\.label), ["Audio", "Radio"])
  }

  /// The server's order of a level is that of its attribute, also below a root path.
  @Test func facetOrderWithRootPath() throws {
    let menu = HierarchicalMenu(
      HierarchicalFacet(attributes: Self.attributes, rootPath: "Audio"))
    var test = try TestScreen(menu)
    var answer = Self.tree.objectValue ?? [:]
    answer["renderingContent"] = [
      "facetOrdering": [
        "values": ["lvl0": ["order": ["Phones"]], "lvl1": ["sortRemainingBy": "count"]]
      ]
    ]
    try test.receive(.object(answer))
    expectEqual(test.view(menu).items.map(\.name), ["Speakers", "Radio"])
  }

  /// A menu that dynamic facets activate starts at its root path.
  @Test func rootPathNotApplied() throws {
    let menu = HierarchicalMenu(
      HierarchicalFacet(attributes: Self.attributes, rootPath: "Audio"))
    let dynamic = DynamicFacets(managing: ["lvl0"])
    var test = try TestScreen(dynamic, menu)
    #expect(try test.hitsQuery["facetFilters"] == nil)
    var answer = Self.tree.objectValue ?? [:]
    answer["renderingContent"] = ["facetOrdering": ["facets": ["order": ["lvl0"]]]]
    try test.receive(.object(answer))
    try expectEqual(test.hitsQuery["facetFilters"], [["lvl0:Audio"]])
    expectEqual(test.uiState.hierarchicalMenu["lvl0"], ["Audio"])
  }

  // MARK: Toggles

  /// Values that the server hides count for a toggle.
  @Test func toggleHiddenValue() throws {
    let toggle = FilterToggle(attribute: "free")
    var test = try TestScreen(toggle)
    try test.receive([
      "nbHits": 9, "facets": ["free": ["true": 4, "false": 5]],
      "renderingContent": ["facetOrdering": ["values": ["free": ["hide": ["true"]]]]],
    ])
    expectEqual(test.view(toggle).count, 4)
    expectEqual(test.view(toggle).offCount, 9)
    #expect(test.view(toggle).canRefine)
  }

  /// The values of the off state are applied again after they were cleared.
  @Test func toggleOffCleared() throws {
    let toggle = FilterToggle(attribute: "free", off: ["false"])
    let clear = FilterClear()
    var test = try TestScreen(toggle, clear)
    try test.apply(toggle.set(true))
    try test.apply(clear.clear())
    #expect(!test.view(toggle).isOn)
    try expectEqual(test.hitsQuery["facetFilters"], [["free:false"]])
  }

  // MARK: Counts

  /// A refined value that no answer has is there, also with a leading minus.
  @Test func escapedRefinedValueDropped() throws {
    let list = FacetList(attribute: "brand")
    var test = try TestScreen(list)
    try test.apply(list.toggle("-neg"))
    try test.receive(["nbHits": 0, "facets": [:]], Self.brands)
    let items = test.view(list).items
    expectEqual(items.first?.value, "-neg")
    #expect(items.first?.isRefined == true)
    expectEqual(items.first?.count, 0)
  }

  /// An excluded value keeps its count.
  @Test func excludedValueCountForcedTo0() throws {
    let list = FacetList(attribute: "brand", operator: .and)
    var test = try TestScreen(list)
    test.state.filters[and: "brand"].add(!Filter.Facet(attribute: "brand", stringValue: "acme"))
    test.state.filters[and: "brand"].add(!Filter.Facet(attribute: "brand", stringValue: "none"))
    try test.receive(Self.brands)
    let excluded = test.view(list).items.filter(\.isExcluded)
    expectEqual(excluded.map(\.value), ["acme", "none"])
    expectEqual(excluded.map(\.count), [2, 0])
  }

  // MARK: Dynamic facets

  /// A facet that is no longer listed does not limit the hits invisibly.
  @Test func unlistedFacetsAreCleared() throws {
    let brand = FacetList(attribute: "brand")
    let dynamic = DynamicFacets(managing: ["brand"])
    func answer(_ listed: JSON...) -> JSON {
      [
        "nbHits": 9, "facets": ["brand": ["Apple": 4]],
        "renderingContent": ["facetOrdering": ["facets": ["order": .array(listed)]]],
      ]
    }
    var uiState = IndexUIState()
    uiState.refinementList["brand"] = ["Apple"]
    var test = try TestScreen(dynamic, brand, uiState: uiState)
    // Until the next change, what was read is written again.
    #expect(!test.screen.isActive(brand))
    expectEqual(test.uiState, uiState)
    #expect(test.state.filters.isEmpty)
    try test.receive(answer("brand"))
    #expect(test.screen.isActive(brand))
    try expectEqual(test.hitsQuery["facetFilters"], [["brand:Apple"]])
    try test.receive(answer("color"))
    #expect(!test.screen.isActive(brand))
    #expect(test.state.filters.isEmpty)
    expectEqual(test.view(dynamic).attributes, ["color"])
  }
}
