import AsyncInstantSearch
import AsyncInstantSearchTesting
import InstantSearchJSON
import TestSupport
import Testing

/// States of a search screen and their URLs.
@Suite struct UIStateTests {
  // MARK: - Laws

  @Test(arguments: Seed.all(300))
  func readingWhatWasWrittenGivesTheState(seed: Seed) throws {
    var random = RandomUIState(seed: seed.value)
    let state = random.state()
    let single = state.indexIDs.first ?? "products"
    for mapping in [UIState.Mapping.simple, .singleIndex(single)] {
      var expected = state
      if mapping != .simple {
        expected = UIState()
        expected[single] = state[single]
      }
      let query = state.query(mapping: mapping)
      let text = UIState.read(query: query, mapping: mapping, maximumParameters: 1_000_000)
      expectEqual(text.state, expected)
      #expect(text.problems.isEmpty)
      expectEqual(text.state.query(mapping: mapping), query)
      expectEqual(read(state.queryItems(mapping: mapping), mapping), expected)
    }
    for coder in ModelCoder.allCases { try expectEqual(coder.roundTrip(state), state) }
  }

  @Test(arguments: Seed.all(300))
  func absentKeyClears(seed: Seed) {
    var random = RandomUIState(seed: seed.value)
    var state = random.state()
    // Names that are indices are escaped unless other names show that they are not.
    for id in state.indexIDs {
      state[id].additional = state[id].additional.filter { Int($0.key) == nil }
    }
    let items = state.queryItems()
    for id in state.indexIDs {
      for (name, _) in state[id].route {
        let others = items.filter { item in
          let one = UIState.read(queryItems: [item]).state
          return one.indexIDs != [id] || one[id].route.map(\.name) != [name]
        }
        #expect(others.count < items.count)
        expectEqual(read(others)[id], state[id].clearing(name))
      }
    }
  }

  @Test(arguments: Seed.all(300))
  func unknownKeysAreKept(seed: Seed) {
    var random = RandomUIState(seed: seed.value)
    var state = UIState()
    state["products"].additional = [
      "places": ["query": .text(random.text()), "position": "48.8,2.3"],
      random.text() + "!": random.value(depth: 4),
      "0": random.value(depth: 4),
    ]
    state["products"].query = "x"
    let (read, problems) = UIState.read(query: state.query(), maximumParameters: 1_000_000)
    expectEqual(read, state)
    #expect(problems.isEmpty)
    state["products"].query = "y"
    var changed = read
    changed["products"].query = "y"
    expectEqual(changed.query(), state.query())
  }

  private func read(_ items: [QueryItem], _ mapping: UIState.Mapping = .simple) -> UIState {
    let (state, problems) = UIState.read(
      queryItems: items, mapping: mapping, maximumParameters: 1_000_000)
    #expect(problems.isEmpty)
    return state
  }

  @Test func writtenQueryHasTheFormOfTheWebLibrary() {
    var state = UIState()
    state["products"].page = 2
    state["products"].query = "a b"
    state["products"].refinementList = ["brand": ["Apple", "Samsung"]]
    state["products"].configure.hitsPerPage = 3
    expectEqual(
      state.query(),
      "products%5Bquery%5D=a%20b&products%5Bpage%5D=2"
        + "&products%5BrefinementList%5D%5Bbrand%5D%5B0%5D=Apple"
        + "&products%5BrefinementList%5D%5Bbrand%5D%5B1%5D=Samsung")
    expectEqual(
      state.queryItems(mapping: .singleIndex("products")).map(\.name),
      [
        "query", "page", "refinementList[brand][0]", "refinementList[brand][1]",
      ])
    expectEqual(UIState.read(query: "?products[page]=2").state["products"].page, 2)
  }

  // MARK: - Values

  @Test func indexWithNothingSetEqualsAnAbsentOne() throws {
    var state = UIState()
    state["products"].query = "x"
    state["products"].query = ""
    state["products"].page = 0
    state["products"].sortBy = ""
    state["products"].refinementList["brand"] = []
    state["products"].menu["type"] = ""
    state["products"].hierarchicalMenu["lvl0"] = []
    state["products"].range["price"] = NumberBounds(lower: .nan, upper: .infinity)
    state["products"].numericMenu["price"] = .exactly(.infinity)
    state["products"].ratingMenu["rating"] = .nan
    state["products"].toggle["free"] = false
    state["products"].additional = ["page": "2", "empty": [["a": []]]]
    expectEqual(state, UIState())
    #expect(state.isEmpty)
    #expect(state.indexIDs.isEmpty)
    expectEqual(state.query(), "")
    try expectEqual(JSONValueDecoder().decode(UIState.self, from: Array(#"{"a": {}}"#.utf8)), state)
  }

  @Test func jsonHasTheFormOfTheWebLibrary() throws {
    let json = #"""
      {"products":{"configure":{"hitsPerPage":3},"geoSearch":{"boundingBox":"1.5,2,-3,-4"},\#
      "hierarchicalMenu":{"lvl0":["A","B"]},"hitsPerPage":16,"menu":{"type":"x"},\#
      "numericMenu":{"pop":"5","year":"1:"},"page":2,"places":{"query":"Paris"},"query":"q",\#
      "range":{"price":":20.5"},"ratingMenu":{"rating":4},"refinementList":{"brand":["\\-neg"]},\#
      "relevantSort":0,"sortBy":"p","toggle":{"free":true}}}
      """#
    for coder in ModelCoder.plain {
      let state = try coder.decode(UIState.self, json)
      try expectEqual(coder.encode(state), json)
      expectEqual(state["products"].configure.hitsPerPage, 3)
      expectEqual(
        state["products"].numericMenu,
        [
          "pop": .exactly(5), "year": .within(NumberBounds(lower: 1)),
        ])
      expectEqual(state["products"].relevantSort, 0)
    }
  }

  @Test(arguments: [
    #"{"a": {"page": "x"}}"#, #"{"a": {"page": 1.5}}"#, #"{"a": {"range": {"price": 5}}}"#,
    #"{"a": {"refinementList": {"brand": [["x"]]}}}"#, #"{"a": 5}"#, #"{"a": {"menu": "x"}}"#,
    #"{"a": {"x": [[[[["deep"]]]]]}}"#, #"{"a": {"configure": {"hitsPerPage": []}}}"#,
  ])
  func wrongJSONIsADecodingError(json: String) {
    for coder in ModelCoder.plain {
      #expect(throws: DecodingError.self) { try coder.decode(UIState.self, json) }
    }
  }

  @Test func absentAndNullMembersAreDefaults() throws {
    let json = #"{"a": {"page": null, "configure": null, "menu": {"x": null}, "toggle": {}}}"#
    for coder in ModelCoder.plain { try expectEqual(coder.decode(UIState.self, json), UIState()) }
  }
}

extension IndexUIState {
  /// All keys except one.
  fileprivate func clearing(_ name: String) -> IndexUIState {
    var problems: [UIState.Problem] = []
    let members = route.filter { $0.name != name }.map { ($0.name, $0.value) }
    let tree = RouteValue.object(Dictionary(members, uniquingKeysWith: { first, _ in first }))
    return UIState(route: tree, mapping: .singleIndex("x"), problems: &problems)["x"]
  }
}
