import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

@testable import TypesenseTransport

struct QueryTests {
  @Test("Pages of the server cover each range of hits exactly", arguments: Seed.all(200))
  func pages(seed: Seed) {
    var dice = SplitMix64(seed: seed.value)
    for _ in 0..<50 {
      let start = Int.random(in: 0...3000, using: &dice)
      let window = start..<start + Int.random(in: 0...1000, using: &dice)
      let parts = PlannedSearch.parts(of: window)
      let hits = parts.flatMap { part in
        let page = (part.page * part.length..<(part.page + 1) * part.length)
        return page.dropFirst(part.wanted.lowerBound).prefix(part.wanted.count)
      }
      expectEqual(hits, Array(window))
      #expect(parts.allSatisfy { (1...250).contains($0.length) })
      // No more requests than the number of hits needs, and one for a window between pages.
      #expect(parts.count <= window.count / 250 + 2)
    }
    expectEqual(PlannedSearch.parts(of: 40..<60).count, 1)
    expectEqual(PlannedSearch.parts(of: 0..<1000).count, 4)
  }

  private func words(
    _ text: String, _ change: (inout SearchQuery) -> Void = { _ in }
  ) throws -> Words {
    var query = SearchQuery(text)
    change(&query)
    let search = try ForeignSearch(
      query, indexName: "i", settings: IndexSettings(), CancellationCheck())
    return Words(search.plan)
  }

  @Test("Words are the ones of the engine")
  func words() throws {
    expectEqual(try words("").text, "*")
    expectEqual(try words("!!!").text, "*")
    expectEqual(try words("Wi-Fi Über").text, "wi fi uber")
    expectEqual(
      try words("foo \"bar baz\" -qux") { $0.advancedSyntax = true }.text, "foo \"bar baz\" -qux")
    expectEqual(try words("-qux") { $0.advancedSyntax = true }.text, "* -qux")
    // Nothing of a text is an operator, unless the query says so.
    expectEqual(try words("foo \"bar baz\" -qux").text, "foo bar baz qux")
  }

  @Test("A last word that another one begins with is left out")
  func impliedWord() throws {
    let implied = try words("wild wi")
    expectEqual(implied.text, "wild")
    #expect(!implied.allowsPrefix)
    let other = try words("wild wo")
    expectEqual(other.text, "wild wo")
    #expect(other.allowsPrefix)
    expectEqual(try words("wild wi") { $0.queryType = .prefixNone }.text, "wild wi")
  }

  private func order(
    _ ranking: [String], _ custom: [String] = [], hasWords: Bool = true, isGrouped: Bool = false,
    point: Point? = nil, filter: String? = nil, keys: [OrderKey] = [], texts: Set<String> = []
  ) throws -> String? {
    try SortOrder(
      ranking: ranking, customRanking: custom, hasWords: hasWords, isGrouped: isGrouped,
      point: point, filter: filter, keys: keys, textRankings: texts
    ).text
  }

  @Test("Criteria have the order of the ranking")
  func orders() throws {
    let standard = IndexSettings().ranking
    expectEqual(try order(standard), "_text_match:desc")
    expectEqual(try order(standard, hasWords: false), nil)
    expectEqual(try order(standard, hasWords: false, isGrouped: true), "_text_match:desc")
    expectEqual(
      try order(standard, ["desc(a)", "asc(b)"]),
      "_text_match:desc,r_61:desc,r_62:asc")
    expectEqual(try order(["asc(a)"] + standard), "r_61:asc,_text_match:desc")
    expectEqual(
      try order(["asc(a)"] + standard, texts: ["a"]), "r_61:asc,rs_61:asc,_text_match:desc")
    expectEqual(
      try order(["asc(a)"] + standard, point: Point(latitude: 1, longitude: 2)),
      "r_61:asc,_geo(1.0000000000, 2.0000000000):asc,_text_match:desc")
    expectEqual(try order(standard, filter: "_f:=x"), "_eval(_f:=x):desc,_text_match:desc")
    #expect(throws: APIError.self) { try order(standard, ["desc(a)", "asc(b)", "asc(c)"]) }
    let custom = ["desc(a)", "asc(b)", "asc(c)"]
    var settings = IndexSettings()
    settings.customRanking = custom
    let keys = try OrderKey.all(in: settings)
    expectEqual(keys.count, 1)
    expectEqual(
      try order(standard, custom, filter: "_f:=x", keys: keys),
      "_eval(_f:=x):desc,_text_match:desc,\(keys[0].field):asc")
    expectEqual(
      try order(["asc(y)"] + standard, custom, keys: keys),
      "r_79:asc,_text_match:desc,\(keys[0].field):asc")
    #expect(throws: APIError.self) {
      try order(["asc(y)"] + standard, custom, filter: "_f:=x", keys: keys)
    }
    #expect(throws: APIError.self) { try order(["words", "typo"]) }
    #expect(throws: APIError.self) { try order(["typo", "custom", "geo", "words"]) }
  }

  @Test("Shapes that the server would read in another way are refused")
  func shapes() throws {
    func text(_ query: SearchQuery) throws -> String? {
      let search = try ForeignSearch(
        query, indexName: "i", settings: IndexSettings(), CancellationCheck())
      return try GeoFilter.expression(
        #require(search.geo), polygons: query.insidePolygon ?? []
      ).text()
    }
    var query = SearchQuery()
    for polygon: [Double] in [
      [0, 0, 10, 10, 10, 0, 0, 10], [0, 0, 1e30, 0, 0, 1], [0, -100, 10, 0, 0, 100],
      [0, 0, 0, 1, 0, 2], [0, 0, 0, 0, 1, 1],
    ] {
      query.insidePolygon = [polygon]
      #expect(throws: APIError.self, "\(polygon)") { try text(query) }
    }
    query.insidePolygon = [[45, 0, 55, 0, 55, 10, 45, 10]]
    let square = try text(query)
    query.insidePolygon = [[45, 0, 55, 0, 55, 0, 55, 10, 45, 10, 45, 0]]
    expectEqual(try text(query), square)
    query = SearchQuery()
    query.insideBoundingBox = "-90,-180,90,180"
    expectEqual(try text(query), "_f:=\(ValueCode.point.text)")
  }

  @Test("Numbers in filters have no exponent")
  func numbers() {
    expectEqual(GeoFilter.text(0), "0.0000000000")
    expectEqual(GeoFilter.text(-0.00000000005), "-0.0000000001")
    expectEqual(GeoFilter.text(48.85), "48.8500000000")
    expectEqual(GeoFilter.text(-179.999999999), "-179.9999999990")
  }

  @Test("A form covers what it has, and nothing else")
  func forms() throws {
    func form(_ change: (inout IndexSettings) -> Void) throws -> CollectionForm {
      try CollectionForm([IndexSettings(change)])
    }
    let form0 = try form {
      $0.searchableAttributes = ["a", "b"]
      $0.attributesForFaceting = ["c"]
      $0.numericAttributesForFiltering = ["n"]
    }
    #expect(form0.covers(form0))
    #expect(
      form0.covers(
        try form {
          $0.searchableAttributes = ["b"]
          $0.numericAttributesForFiltering = ["n"]
        }))
    for other in try [
      form { $0.attributesForFaceting = ["c"] },
      form {
        $0.searchableAttributes = ["a"]
        $0.attributesForFaceting = ["d"]
        $0.numericAttributesForFiltering = ["n"]
      },
      form { $0.searchableAttributes = ["a"] },
      form {
        $0.searchableAttributes = ["a"]
        $0.numericAttributesForFiltering = ["n"]
        $0.customRanking = ["desc(x)"]
      },
    ] { #expect(!form0.covers(other)) }
  }
}
