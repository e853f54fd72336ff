import InstantSearchAPI
import InstantSearchJSON
import TestSupport
import Testing

/// Hits detached from their response, and attributes read separately.
@Suite struct DetachedHitTests {
  private struct Film: Codable, Sendable, Hashable {
    let title: String
  }

  private static let json = #"""
    {"hits":[{"objectID":"1","title":"Titanic",
      "_highlightResult":{
        "title":{"value":"<em>Titanic</em>","matchLevel":"full","matchedWords":["titanic"]},
        "a.b":{"value":"dotted","matchLevel":"none","matchedWords":[]},
        "year":null,
        "cast":[{"name":{"value":"<em>Kate</em>","matchLevel":"full","matchedWords":["kate"]}}]},
      "_snippetResult":{"title":{"value":"<em>Titanic</em> …","matchLevel":"full"}},
      "_rankingInfo":{"nbTypos":1,"promoted":true},
      "_geoloc":[{"lat":1,"lng":2},{"lat":3,"lng":4}],"_distinctSeqID":3,"_score":0.5}]}
    """#

  private static func hit(
    _ json: String = json
  ) throws -> (hit: Hit<Film>, document: JSONDocument) {
    let document = try JSONDocument(Array(json.utf8))
    let page = HitsPage<Hit<Film>>(
      node: document.root, options: JSONDecodingOptions(), query: SearchQuery())
    return (try #require(page.hits.first), document)
  }

  @Test func aDetachedHitIsTheSameHit() throws {
    let hit = try Self.hit().hit
    let detached = hit.detached()
    expectEqual(detached, hit)
    expectEqual(detached.highlightResult?[path: "cast.0.name"]?.value?.value.text, "Kate")
    expectEqual(detached.snippeted("title")?.text, "Titanic …")
    expectEqual(detached.rankingInfo?.nbTypos, 1)
    #expect(detached.rankingInfo?.promoted == true)
    expectEqual(detached.geolocation?.values.count, 2)
    expectEqual(detached.searchMetadata.distinctSeqID, 3)
    expectEqual(detached.searchMetadata.score, 0.5)
    expectEqual(detached.searchMetadata.position, hit.searchMetadata.position)
  }

  @Test func onlyDetachedHitsReleaseTheResponse() throws {
    weak var answer: JSONDocument?
    var hit: Hit<Film>?
    do {
      let (attached, document) = try Self.hit()
      answer = document
      hit = attached
    }
    #expect(answer != nil)
    hit = hit?.detached()
    #expect(answer == nil)
    expectEqual(hit?.highlighted("title")?.text, "Titanic")
  }

  @Test(arguments: ["title", "a.b", "cast", "cast.0", "cast.name", "cast.0.name", "year", "", "x"])
  func singleAttributeEqualsThatOfTheTree(path: String) throws {
    let hit = try Self.hit().hit
    let detached = hit.detached()
    expectEqual(hit.highlighted(path), detached.highlighted(path))
    expectEqual(hit.highlighted(path), hit.highlightResult?[path: path]?.best?.value)
    expectEqual(hit.snippeted(path), detached.snippeted(path))
  }

  @Test(arguments: [#""text""#, "7", "null", "[]", #"[{"title":1}]"#, "{}", #"{"value":1}"#])
  func attributeOfAnInvalidTreeIsNil(tree: String) throws {
    let hit = try Self.hit(
      #"{"hits":[{"objectID":"1","title":"","_highlightResult":\#(tree),"_snippetResult":\#(tree)}]}"#
    ).hit
    #expect(hit.highlighted("title") == nil)
    #expect(hit.highlighted("value") == nil)
    #expect(hit.snippeted("title") == nil)
  }

  @Test func leafInsteadOfATreeHasNoAttributes() throws {
    let leaf = #"{"value":"a","matchLevel":{"value":"b","matchLevel":"none"}}"#
    let hit = try Self.hit(
      #"{"hits":[{"objectID":"1","title":"","_highlightResult":\#(leaf)}]}"#
    ).hit
    expectEqual(hit.highlighted("matchLevel"), hit.detached().highlighted("matchLevel"))
    #expect(hit.highlighted("value") == nil)
  }
}
