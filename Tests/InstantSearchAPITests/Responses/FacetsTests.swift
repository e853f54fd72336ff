import InstantSearchAPI
import InstantSearchJSON
import TestSupport
import Testing

struct FacetsTests {
  static let text = #"{"genre":{"Drama":3,"War":12,"10":1},"colour":{},"brand":{"b":1,"a":1}}"#

  @Test func orderOfTheTextIsKept() throws {
    let facets = try ModelCoder.own.decode(Facets.self, Self.text)
    expectEqual(facets.attributes, ["genre", "colour", "brand"])
    expectEqual(facets["genre"]?.values.map(\.value), ["Drama", "War", "10"])
    expectEqual(facets["genre"]?["War"], 12)
    #expect(facets["genre"]?["Comedy"] == nil)
    #expect(facets["size"] == nil)
    expectEqual(facets.count, 3)
    expectEqual(facets["brand"]?.counts, ["a": 1, "b": 1])
  }

  @Test func decoderWithoutOrderSortsByDescendingCount() throws {
    let facets = try ModelCoder.foundation.decode(Facets.self, Self.text)
    expectEqual(
      facets,
      [
        "brand": ["a": 1, "b": 1], "colour": [:], "genre": ["War": 12, "Drama": 3, "10": 1],
      ])
  }

  @Test func theOrderIsWritten() throws {
    let facets = try ModelCoder.own.decode(Facets.self, Self.text)
    expectEqual(String(decoding: try JSONValueEncoder().encode(facets), as: UTF8.self), Self.text)
    try expectEqual(
      ModelCoder.foundation.decode(JSON.self, ModelCoder.foundation.encode(facets)),
      JSON(parsing: Self.text))
  }

  @Test func lastOfRepeatedAttributesWins() throws {
    let facets = try ModelCoder.own.decode(Facets.self, #"{"a":{"x":1},"b":{},"a":{"x":2}}"#)
    expectEqual(facets, ["b": [:], "a": ["x": 2]])
    let values = try ModelCoder.own.decode(Facets.self, #"{"a":{"x":"1","y":2,"x":3}}"#)
    expectEqual(values, ["a": ["y": 2, "x": 3]])
  }

  @Test func theDescriptionIsShort() {
    expectEqual("\(Facets())", "Facets()")
    expectEqual(
      "\(["genre": ["Drama": 12, "War": 3], "none": [:]] as Facets)",
      "Facets(genre: Drama 12, War 3; none: )")
    let values = (0..<1_000).map { FacetValue(value: "v\($0)", count: 1) }
    expectEqual(
      "\(Facets([Facet(attribute: "a", values: values)]))",
      "Facets(a: v0 1, v1 1, v2 1, v3 1, v4 1, 995 more)")
  }

  @Test func facetsAreReplacedAppendedAndRemoved() {
    var facets: Facets = ["a": ["x": 1], "b": [:], "c": ["z": 3]]
    facets["b"] = Facet(attribute: "b", values: [FacetValue(value: "y", count: 2)])
    facets["d"] = Facet(attribute: "d")
    facets["a"] = nil
    facets["none"] = nil
    expectEqual(facets, ["b": ["y": 2], "c": ["z": 3], "d": [:]])
    expectEqual(facets["c"]?["z"], 3)
    expectEqual(facets["d"]?.values, [])
  }

  @Test func facetAssignedUnderAnotherNameTakesThatName() {
    var facets = Facets()
    facets["a"] = Facet(attribute: "b")
    expectEqual(facets.attributes, ["a"])
  }

  @Test(arguments: [#"{"a":1}"#, #"{"a":{"x":"1"}}"#, "[]"])
  func otherValuesAreRejected(text: String) {
    for coder in ModelCoder.allCases {
      #expect(throws: DecodingError.self, "\(coder)") { try coder.decode(Facets.self, text) }
    }
  }
}

struct FacetValuesPageTests {
  static let text =
    #"{"exhaustiveFacetsCount":false,"facetHits":[{"count":4,"highlighted":"<em>It</em>aly","value":"Italy"}],"processingTimeMS":2}"#

  @Test(arguments: ModelCoder.allCases)
  func pageIsEqualAfterSaving(coder: ModelCoder) throws {
    let page = try coder.decode(FacetValuesPage.self, Self.text)
    try expectEqual(coder.roundTrip(page), page)
    expectEqual(page.processingTimeMS, 2)
  }

  @Test(arguments: ModelCoder.verbatim)
  func valuesAreReadAndWritten(coder: ModelCoder) throws {
    let page = try coder.decode(FacetValuesPage.self, Self.text)
    expectEqual(page.facetHits, [FacetHit(value: "Italy", highlighted: "<em>It</em>aly", count: 4)])
    #expect(!page.exhaustiveFacetsCount)
    expectEqual(page.processingTimeMS, 2)
    try expectEqual(coder.encode(page), Self.text)
  }

  @Test func tagsComeFromTheQuery() throws {
    let document = try JSONDocument(
      Array(#"{"facetHits":[{"value":"ab","highlighted":"[a]b","count":1}]}"#.utf8))
    let page = try FacetValuesPage(
      node: document.root, options: JSONDecodingOptions(), tags: .init(pre: "[", post: "]"))
    expectEqual(
      page.facetHits.first?.highlighted.segments.first, .init(text: "a", isHighlighted: true))
  }

  @Test(arguments: ModelCoder.allCases)
  func withoutAHighlightNothingIsMarked(coder: ModelCoder) throws {
    let page = try coder.decode(FacetValuesPage.self, #"{"facetHits":[{"value":"ab","count":1}]}"#)
    expectEqual(page.facetHits, [FacetHit(value: "ab", count: 1)])
    #expect(throws: DecodingError.self) { try coder.decode(FacetValuesPage.self, "{}") }
  }
}
