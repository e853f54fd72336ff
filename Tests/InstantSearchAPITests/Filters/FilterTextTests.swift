import InstantSearchAPI
import TestSupport
import Testing

@Suite struct FilterTextTests {
  @Test(
    arguments: [
      (.facet("brand" == "Apple"), #""brand":"Apple""#),
      (.facet("brand" != "Apple"), #"NOT "brand":"Apple""#),
      (.facet("size" == #"45"-50"  tv's"#), #""size":"45\"-50\"  tv's""#),
      (.facet("path" == #"C:\temp\"#), #""path":"C:\\temp\\""#),
      (.facet(#"my "attr"# == "x"), #""my \"attr":"x""#),
      (.facet("word" == "NOT"), #""word":"NOT""#),
      (.facet("dash" == "-12"), #""dash":"-12""#),
      (.facet("new" == true), #""new":true"#),
      (.facet(Filter.Facet(attribute: "n", floatValue: 42)), #""n":42"#),
      (.facet(Filter.Facet(attribute: "n", floatValue: 4.25)), #""n":4.25"#),
      (.facet(("brand" == "x").scored(3)), #""brand":"x"<score=3>"#),
      (.facet(("brand" == "x").scored(70_000)), #""brand":"x"<score=65535>"#),
      (.numeric("price" > 10), #""price" > 10"#),
      (.numeric(!("price" > 10)), #"NOT "price" > 10"#),
      (.numeric("price" != 10.5), #""price" != 10.5"#),
      (.numeric("big" >= 1e16), #""big" >= 10000000000000000"#),
      (.numeric("small" < -1e-7), #""small" < -0.0000001"#),
      (.numeric("zero" > -0.0), #""zero" > 0"#),
      (.facet(Filter.Facet(attribute: "zero", floatValue: -0.0)), #""zero":0"#),
      (.numeric(Attribute("price").isIn(5...10)), #""price":5 TO 10"#),
      (.tag("on sale"), #""_tags":"on sale""#),
      (.tag(!"on sale"), #"NOT "_tags":"on sale""#),
    ] as [(Filter, String)])
  func filterIsWrittenAsInTheContract(filter: Filter, text: String) {
    expectEqual(filter.description, text)
  }

  @Test func orderOfGroupsDoesNotDependOnTheirFilters() {
    var groups = FilterGroups()
    #expect(groups.text == nil)
    groups[and: "a"].add("price" < 20, "price" > 10)
    groups[or: "category"].add("category" == "table", "category" == "chair")
    groups[or: "category", Filter.Tag.self].add("Tom")
    expectEqual(
      groups.text,
      #"""
      "price" < 20 AND "price" > 10 AND ("category":"chair" OR "category":"table") AND "_tags":"Tom"
      """#)
    var again = FilterGroups()
    again[or: "category", Filter.Tag.self].add("Tom")
    again[or: "category"].add("category" == "chair", "category" == "table")
    again[and: "a"].add("price" > 10, "price" < 20)
    expectEqual(again, groups)
    expectEqual(again.text, groups.text)
  }

  @Test func expressionsKeepTheirOrder() {
    let brand: Attribute = "brand"
    let brands = brand == "Apple" || brand == "Sony" || brand != "LG"
    let expression = brands && Attribute("price") < 500 && !Filter.Tag("used")
    expectEqual(
      expression.text,
      #"""
      ("brand":"Apple" OR "brand":"Sony" OR NOT "brand":"LG") AND "price" < 500 AND NOT "_tags":"used"
      """#)
  }

  @Test func hierarchyFiltersByItsDeepestLevel() {
    var groups = FilterGroups()
    groups[hierarchical: "menu"].attributes = ["cat.lvl0", "cat.lvl1"]
    #expect(groups.isEmpty)
    groups[hierarchical: "menu"].path = ["cat.lvl0" == "A", "cat.lvl1" == "A > B"]
    expectEqual(groups.text, #""cat.lvl1":"A > B""#)
    let isRemoved = groups.remove("cat.lvl1" == "A > B")
    #expect(isRemoved)
    expectEqual(groups.text, #""cat.lvl0":"A""#)
    groups.removeAll()
    expectEqual(groups[hierarchical: "menu"].attributes, ["cat.lvl0", "cat.lvl1"])
    #expect(groups.text == nil)
  }

  // MARK: Lists

  @Test func listsHaveTheFiltersOfTheText() throws {
    var groups = FilterGroups()
    groups[and: "type"].add(("type" == "equipment").scored(3))
    groups[and: "type"].add("n" != "-12")
    groups[or: "category"].add(
      ("category" == "chair").scored(10), ("category" == "a:b <c>").scored(5))
    groups[or: "price", Filter.Numeric.self].add("price" > 100, Attribute("price").isIn(5...10))
    groups[and: "range"].add("size" != 7)
    groups[and: "range"].add("word" == "x<score=3>")
    groups[and: "range"].add(Filter.Tag("-x"))
    let lists = try groups.lists()
    expectEqual(
      lists.facetFilters,
      [
        ["category:a:b <c><score=5>", "category:chair<score=10>"], "word:x<score=3><score=1>",
        "type:equipment<score=3>", #"n:-\-12"#,
      ])
    expectEqual(lists.numericFilters, [["price > 100", "price:5 TO 10"], "size != 7"])
    expectEqual(lists.tagFilters, [#"\-x"#])
  }

  @Test(
    arguments: [
      .facet("a:b" == "x"), .facet("" == "x"), .facet("a" == #"\-x"#), .facet("a" != #"\-x"#),
      .numeric("a>b" > 1), .numeric(" a" > 1), .numeric("a\t" > 1), .numeric("" > 1),
      .numeric(!("a" > 1)),
      .numeric(!Attribute("a").isIn(1...2)), .tag(#"\-x"#), .tag(""),
      .numeric("a" > .infinity), .numeric("a" != .nan),
      .numeric(Attribute("a").isIn(1 ... .infinity)),
      .numeric(Attribute("a").isIn(-.infinity...1)),
      .facet(Filter.Facet(attribute: "a", floatValue: .nan)),
      .facet(Filter.Facet(attribute: "a", floatValue: -.infinity)),
    ] as [Filter])
  func filtersThatListsCannotExpressAreRejected(filter: Filter) {
    var groups = FilterGroups()
    groups[and: "a"].add(filter)
    let error = #expect(throws: SearchError.self) { try groups.lists() }
    expectEqual(error?.code, .invalidRequest)
    let isAdvised = ["FilterGroups.text", "Remove the tag", "use a finite number"].contains {
      error?.message.contains($0) == true
    }
    #expect(isAdvised, "\(error?.message ?? "")")
  }

  @Test func groupsOfOneNameAreOrderedByKind() {
    var groups = FilterGroups()
    groups[hierarchical: "a"].path = ["lvl0" == "A"]
    groups[and: "a"].add("brand" == "Apple")
    groups[or: "a", Filter.Tag.self].add("new")
    groups[or: "a", Filter.Numeric.self].add("price" > 1)
    groups[or: "a"].add("size" == "L")
    expectEqual(
      groups.text,
      #""size":"L" AND "price" > 1 AND "_tags":"new" AND "brand":"Apple" AND "lvl0":"A""#)
  }

  @Test func emptyDisjunctionIsEmptyText() {
    let none = FilterDisjunction<Filter.Facet>([])
    expectEqual(none.text, "")
    expectEqual((none && Filter.Tag("new")).text, #""_tags":"new""#)
  }
}
