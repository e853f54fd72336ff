import InstantSearchAPI
import InstantSearchJSON
import TestSupport
import Testing

struct TreeModelTests {
  static let text = """
    {"name":{"value":"<em>a</em>","matchLevel":"full","matchedWords":["a"],"fullyHighlighted":true},
     "tags":[{"value":"x","matchLevel":"none","matchedWords":[]},
             {"value":"<em>y</em>","matchLevel":"partial","matchedWords":["y"]},
             {"value":"<em>y</em> <em>z</em>","matchLevel":"full","matchedWords":["y","z"]},
             {"value":"<em>z</em> <em>y</em>","matchLevel":"full","matchedWords":["z","y"]}],
     "deep":{"k":{"value":"b","matchLevel":"none"}},
     "cast":[{"role":{"value":"r0","matchLevel":"none"}},{"role":{"value":"r1","matchLevel":"none"}}],
     "value":{"value":"v","matchLevel":"none"},
     "odd":{"value":{"value":"w","matchLevel":"none"},"matchLevel":{"value":"m","matchLevel":"none"}},
     "dotted.name":{"value":"d","matchLevel":"none"},
     "empty":{},"none":[]}
    """

  private func tree(_ coder: ModelCoder) throws -> TreeModel<HighlightResult> {
    try coder.decode(TreeModel<HighlightResult>.self, Self.text)
  }

  @Test(arguments: ModelCoder.allCases)
  func leavesBranchesAndListsAreDistinguished(coder: ModelCoder) throws {
    let tree = try tree(coder)
    expectEqual(
      tree["name"]?.value,
      HighlightResult(
        value: "<em>a</em>", matchLevel: .full, matchedWords: ["a"], fullyHighlighted: true))
    expectEqual(tree["tags"]?.array?.count, 4)
    expectEqual(tree["tags"]?[1]?.value?.value.text, "y")
    expectEqual(tree["deep"]?["k"]?.value?.matchedWords, [])
    expectEqual(tree["value"]?.value?.value.raw, "v")
    expectEqual(tree["odd"]?["value"]?.value?.value.raw, "w")
    expectEqual(tree["odd"]?["matchLevel"]?.value?.value.raw, "m")
    expectEqual(tree["empty"], .dictionary([:]))
    expectEqual(tree["none"], .array([]))
  }

  @Test func rawValuesCanBeChanged() {
    var level = MatchLevel.full
    level.rawValue = "later"
    var rule = FacetValuesOrder.SortRule.count
    rule.rawValue = "later"
    #expect(level == "later" && rule == "later")
  }

  @Test func subscriptsNeverTrap() throws {
    let tree = try tree(.own)
    #expect(tree["tags"]?[4] == nil)
    #expect(tree["tags"]?[-1] == nil)
    #expect(tree["name"]?[0] == nil)
    #expect(tree[0] == nil)
    #expect(tree["tags"]?["x"] == nil)
  }

  @Test(arguments: [
    ("name", "a"), ("deep.k", "b"), ("tags.1", "y"), ("cast.1.role", "r1"),
    ("dotted.name", "d"), ("odd.value", "w"),
  ])
  func pathsLeadThroughAttributesAndIndices(path: String, text: String) throws {
    try expectEqual(tree(.own)[path: path]?.value?.value.text, text)
  }

  @Test(arguments: ["nothing", "name.x", "tags.4", "tags.-1", "deep.k.x", "deep.", ".", "cast.x"])
  func pathsThatLeadNowhereAreNil(path: String) throws {
    #expect(try tree(.own)[path: path] == nil)
  }

  @Test func attributeOfAListIsReadFromEachElement() throws {
    try expectEqual(tree(.own)[path: "cast.role"]?.leaves.map(\.value.raw), ["r0", "r1"])
  }

  @Test func bestLeafIsTheFirstWithTheMostMatchedWords() throws {
    let tree = try tree(.own)
    expectEqual(tree["tags"]?.best?.value.raw, "<em>y</em> <em>z</em>")
    expectEqual(tree["cast"]?.best?.value.raw, "r0")
    #expect(tree["none"]?.best == nil)
  }

  @Test(arguments: ModelCoder.allCases)
  func treeIsReadBack(coder: ModelCoder) throws {
    let tree = try tree(coder)
    let again = try coder.decode(TreeModel<HighlightResult>.self, coder.encode(tree))
    expectEqual(again, tree)
  }

  @Test(arguments: ModelCoder.allCases)
  func nullIsNotATree(coder: ModelCoder) {
    #expect(throws: DecodingError.self) {
      try coder.decode(TreeModel<HighlightResult>.self, #"{"a":null}"#)
    }
  }

  @Test(arguments: ModelCoder.allCases)
  func scalarsAreLeavesOfATreeOfScalars(coder: ModelCoder) throws {
    let tree = try coder.decode(TreeModel<Int>.self, #"{"a":1,"b":[2,{"c":3}]}"#)
    expectEqual(
      tree,
      .dictionary(["a": .value(1), "b": .array([.value(2), .dictionary(["c": .value(3)])])]))
    expectEqual(tree.mapValues { $0 * 2 }.leaves, [2, 4, 6])
    try expectEqual(coder.encode(tree), #"{"a":1,"b":[2,{"c":3}]}"#)
  }

  @Test(arguments: ModelCoder.allCases)
  func snippetHasAValueAndALevel(coder: ModelCoder) throws {
    let text = #"{"body":{"matchLevel":"full","value":"…<em>a</em>…"}}"#
    let tree = try coder.decode(TreeModel<SnippetResult>.self, text)
    expectEqual(tree["body"]?.value, SnippetResult(value: "…<em>a</em>…", matchLevel: .full))
    try expectEqual(coder.encode(tree), text)
  }
}
