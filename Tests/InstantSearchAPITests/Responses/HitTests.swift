import InstantSearchAPI
import InstantSearchJSON
import TestSupport
import Testing

struct HitTests {
  static let text = """
    {"title":"Titanic","year":1997,"objectID":"1234",
     "_geoloc":{"lat":41.7,"lng":-49.9},
     "_highlightResult":{"title":{"value":"<em>Titan</em>ic","matchLevel":"full","matchedWords":["titan"]},
                         "cast":[{"value":"Kate","matchLevel":"none","matchedWords":[]},
                                 {"value":"<em>Tom</em>","matchLevel":"full","matchedWords":["tom"]}]},
     "_snippetResult":{"plot":{"value":"a <em>ship</em>…","matchLevel":"full"}},
     "_rankingInfo":{"nbTypos":1,"firstMatchedWord":1002,"userScore":7,"geoDistance":5,"nbExactWords":0,
                     "promoted":true,"matchedGeoLocation":{"lat":41.7,"lng":-49.9,"distance":12},
                     "personalization":{"score":3},"newCriterion":1},
     "_distinctSeqID":2,"_score":87.5}
    """

  @Test(arguments: ModelCoder.allCases)
  func recordAndMetadataAreReadFromOneObject(coder: ModelCoder) throws {
    let hit = try coder.decode(Hit<Movie>.self, Self.text)
    expectEqual(hit.objectID, "1234")
    expectEqual(hit.object, Movie(title: "Titanic", year: 1997))
    expectEqual(hit.highlightResult?["title"]?.value?.matchedWords, ["titan"])
    expectEqual(hit.snippetResult?["plot"]?.value?.matchLevel, .full)
    expectEqual(hit.geolocation, .single(Point(latitude: 41.7, longitude: -49.9)))
    expectEqual(hit.searchMetadata.distinctSeqID, 2)
    expectEqual(hit.searchMetadata.score, 87.5)
    #expect(hit.searchMetadata.position == nil)
    #expect(hit.searchMetadata.queryID == nil)

    let info = try #require(hit.rankingInfo)
    expectEqual(info.nbTypos, 1)
    expectEqual(info.firstMatchedWord, 1002)
    #expect(info.proximityDistance == nil)
    #expect(info.promoted == true)
    #expect(info.promotedByReRanking == nil)
    #expect(info.matchedGeoLocation?.distance == 12 && hit.distance == 12)
    expectEqual(info.personalization, RankingInfo.Personalization(score: 3))
    expectEqual(info.additionalMembers, ["newCriterion": 1])
  }

  @Test func recordPropertiesAreReadThroughTheHit() throws {
    let hit = Hit(objectID: "1234", object: Movie(title: "Titanic", year: 1997))
    #expect(hit.title == "Titanic" && hit.distance == nil)
    expectEqual(hit.year, 1997)
    #expect(hit.highlightResult == nil)
  }

  @Test func highlightsAreFoundByAttribute() throws {
    let hit = try ModelCoder.own.decode(Hit<Movie>.self, Self.text)
    expectEqual(hit.highlighted("title")?.text, "Titanic")
    expectEqual(hit.highlighted("title")?.segments.first?.text, "Titan")
    expectEqual(hit.highlighted("cast.0")?.text, "Kate")
    expectEqual(hit.highlighted("cast")?.raw, "<em>Tom</em>")
    #expect(hit.highlighted("year") == nil)
    expectEqual(hit.snippeted("plot")?.text, "a ship…")
    #expect(hit.snippeted("title") == nil)
  }

  @Test(arguments: ModelCoder.allCases)
  func recordCanBeJSON(coder: ModelCoder) throws {
    let hit = try coder.decode(Hit<JSON>.self, Self.text)
    expectEqual(hit.object["title"], "Titanic")
    expectEqual(hit.object, try JSON(parsing: Self.text))
  }

  @Test(arguments: ModelCoder.allCases)
  func objectIDCanBeAnInteger(coder: ModelCoder) throws {
    let text = #"{"title":"a","year":1,"objectID":9007199254740993}"#
    try expectEqual(coder.decode(Hit<Movie>.self, text).objectID, "9007199254740993")
  }

  @Test(arguments: [
    "", #","objectID":null"#, #","objectID":true"#, #","objectID":1.5"#, #","objectID":{}"#,
  ])
  func withoutAnIDThereIsNoHit(objectID: String) {
    for coder in ModelCoder.allCases {
      #expect(throws: DecodingError.self, "\(coder)") {
        try coder.decode(Hit<Movie>.self, #"{"title":"a","year":1\#(objectID)}"#)
      }
    }
  }

  @Test(arguments: [
    (#"{"lat":1,"lng":2}"#, SingleOrList.single(Point(latitude: 1, longitude: 2))),
    (
      #"[{"lat":1,"lng":2},{"lat":3,"lng":4}]"#,
      .list([Point(latitude: 1, longitude: 2), Point(latitude: 3, longitude: 4)])
    ),
    ("[]", .list([])),
    (#""1,2""#, .single(Point(latitude: 1, longitude: 2))),
    (#"{"lat":1,"lon":2}"#, nil),
    (#"[{"lat":1,"lng":2},{"lat":3}]"#, nil),
    (#"{"lat":1000,"lng":2}"#, nil),
    ("null", nil), ("true", nil), ("7", nil),
  ])
  func malformedGeolocationIsNil(place: String, expected: SingleOrList<Point>?) throws {
    for coder in ModelCoder.allCases {
      let hit = try coder.decode(
        Hit<Movie>.self, #"{"title":"a","year":1,"objectID":"1","_geoloc":\#(place)}"#)
      expectEqual(hit.geolocation, expected, "\(coder)")
    }
  }

  @Test(arguments: [
    "_highlightResult", "_snippetResult", "_rankingInfo", "_distinctSeqID", "_score",
  ])
  func malformedMetadataDoesNotFailTheRecord(member: String) throws {
    for coder in ModelCoder.allCases {
      for value in ["null", "true", #""x""#, #"[{"value":1}]"#] {
        let hit = try coder.decode(
          Hit<Movie>.self, #"{"title":"a","year":1,"objectID":"1","\#(member)":\#(value)}"#)
        expectEqual(
          hit, Hit(objectID: "1", object: Movie(title: "a", year: 1)), "\(coder) \(value)")
      }
    }
  }

  @Test(arguments: ModelCoder.allCases)
  func onlyUndecodablePartsOfHighlightsAreLeftOut(coder: ModelCoder) throws {
    let leaf = #"{"value":"<em>x</em>","matchLevel":"full","matchedWords":["x"]}"#
    let parts =
      #""title":\#(leaf),"null":null,"number":7,"list":[\#(leaf),null,"text",{"deep":\#(leaf),"no":1}]"#
    let hit = try coder.decode(
      Hit<Movie>.self,
      """
      {"title":"a","year":1,"objectID":"1","_highlightResult":{\(parts)},
       "_snippetResult":{"plot":{"value":"y","matchLevel":"none"},"cut":[true]}}
      """)
    expectEqual(hit.highlighted("title")?.text, "x")
    expectEqual(hit.highlighted("list.0")?.text, "x")
    expectEqual(hit.highlighted("list.1.deep")?.text, "x")
    expectEqual(hit.highlightResult?["list"]?.array?.count, 2)
    expectEqual(hit.highlightResult?.dictionary?.keys.sorted(), ["list", "title"])
    expectEqual(hit.snippeted("plot")?.text, "y")
    expectEqual(hit.snippetResult?["cut"], .array([]))
  }

  @Test func lastOfRepeatedMembersWins() throws {
    let text = """
      {"title":"a","year":1,"objectID":"1","_distinctSeqID":1,"_distinctSeqID":"x",
       "_highlightResult":{"title":{"value":1,"value":"b","matchLevel":"full"},"title":7,
                           "title":{"matchLevel":3,"value":"c","matchLevel":"full"}}}
      """
    let hit = try ModelCoder.own.decode(Hit<Movie>.self, text)
    #expect(hit.searchMetadata.distinctSeqID == nil)
    expectEqual(hit.highlighted("title")?.text, "c")
    let tree = try ModelCoder.own.decode(
      TreeModel<Int>.self, #"{"a":"x","a":1,"b":{"c":2,"c":3}}"#)
    expectEqual(tree, .dictionary(["a": .value(1), "b": .dictionary(["c": .value(3)])]))
    try expectEqual(JSON(parsing: #"{"a":1e999,"a":1}"#), ["a": 1])
  }

  @Test(arguments: ModelCoder.allCases)
  func unknownAndMistypedMembersOfTheRankingInfoAreKept(coder: ModelCoder) throws {
    let text =
      #"{"matchedGeoLocation":{"distance":"far","lat":1.5,"lng":2.5,"zone":3},"#
      + #""personalization":{"first_score":1,"score":"high"}}"#
    let info = try coder.decode(RankingInfo.self, text)
    expectEqual(info.matchedGeoLocation?.point, Point(latitude: 1.5, longitude: 2.5))
    expectEqual(info.matchedGeoLocation?.additionalMembers, ["distance": "far", "zone": 3])
    expectEqual(info.personalization?.additionalMembers, ["score": "high", "first_score": 1])
    try expectEqual(coder.encode(info), text)
  }

  @Test func rankingInfoCanBeCreatedInCode() {
    let info = RankingInfo(nbTypos: 1, words: 2, promoted: true)
    expectEqual(info.nbTypos, 1)
    #expect(info.promoted == true)
    expectEqual(info.additionalMembers, [:])
  }

  @Test func hitsAreComparedAndHashedByContent() throws {
    let hit = try ModelCoder.own.decode(Hit<Movie>.self, Self.text)
    var other = try ModelCoder.foundation.decode(Hit<Movie>.self, Self.text)
    expectEqual(hit, other)
    expectEqual(Set([hit, other]).count, 1)
    other.searchMetadata.score = 1
    #expect(hit != other)
  }

  @Test func decoderStrategiesApplyToTheRecord() throws {
    struct Release: Decodable, Sendable, Hashable { var firstShown: String }
    var options = JSONDecodingOptions()
    options.keys = .convertFromSnakeCase
    let text =
      #"{"first_shown":"1997","objectID":"1","_highlightResult":{"first_shown":{"value":"x","matchLevel":"none"}},"_distinctSeqID":1}"#
    let hit = try JSONValueDecoder(options: options).decode(
      Hit<Release>.self, from: Array(text.utf8))
    expectEqual(hit.firstShown, "1997")
    expectEqual(hit.highlighted("first_shown")?.text, "x")
    expectEqual(hit.searchMetadata.distinctSeqID, 1)
  }
}

/// The properties of a record keep their names, even if the hit has members with the same names.
@Suite struct HitRecordNamesTests {
  private struct Player: Codable, Sendable, Hashable {
    var score: Int
    var position: String
    var queryID: [Int]
    var distinctSeqID: Bool
    var metadata: String
    var rank: Int?
    var geolocation: String
  }

  private let player = Player(
    score: 7, position: "goalkeeper", queryID: [1], distinctSeqID: true, metadata: "m", rank: nil,
    geolocation: "at home")

  @Test func recordPropertiesShadowSearchMetadata() {
    let hit = Hit(
      objectID: "1", object: player,
      searchMetadata: SearchMetadata(position: 3, queryID: "q", score: 87.5, distinctSeqID: 2))
    let score: Int = hit.score
    let position: String = hit.position
    let queryID: [Int] = hit.queryID
    let distinctSeqID: Bool = hit.distinctSeqID
    let metadata: String = hit.metadata
    #expect(score == 7 && position == "goalkeeper" && queryID == [1] && distinctSeqID)
    #expect(metadata == "m" && hit.rank == nil)
    expectEqual(
      hit.searchMetadata,
      SearchMetadata(position: 3, queryID: "q", score: 87.5, distinctSeqID: 2))
  }

  @Test func shadowedRecordPropertiesAreReadThroughTheObject() {
    let hit = Hit(
      objectID: "1", object: player, geolocation: .single(Point(latitude: 1, longitude: 2)))
    expectEqual(hit.object.geolocation, "at home")
    expectEqual(hit.geolocation?.values, [Point(latitude: 1, longitude: 2)])
  }

  @Test(arguments: ModelCoder.plain)
  func membersOfBothAreReadAndWritten(coder: ModelCoder) throws {
    let text = #"""
      {"_score":87.5,"distinctSeqID":true,"geolocation":"at home","metadata":"m","objectID":"1","position":"goalkeeper","queryID":[1],"score":7}
      """#
    let hit = try coder.decode(Hit<Player>.self, text)
    expectEqual(hit.object, player)
    expectEqual(hit.searchMetadata, SearchMetadata(score: 87.5))
    try expectEqual(coder.encode(hit), text)
  }
}
