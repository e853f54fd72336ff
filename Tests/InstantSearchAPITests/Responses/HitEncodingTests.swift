import InstantSearchAPI
import InstantSearchJSON
import TestSupport
import Testing

struct HitEncodingTests {
  @Test(arguments: ModelCoder.allCases)
  func hitIsWrittenAsItWasRead(coder: ModelCoder) throws {
    let hit = try coder.decode(Hit<Movie>.self, HitTests.text)
    let text = try coder.encode(hit)
    try expectEqual(coder.decode(Hit<Movie>.self, text), hit)
    guard ModelCoder.verbatim.contains(coder) else { return }
    try expectEqual(
      JSON(parsing: text).objectValue?.keys.sorted(),
      [
        "_distinctSeqID", "_geoloc", "_highlightResult", "_rankingInfo", "_score", "_snippetResult",
        "objectID", "title", "year",
      ])
  }

  @Test(arguments: ModelCoder.verbatim)
  func absentMetadataIsNotWritten(coder: ModelCoder) throws {
    let hit = Hit(objectID: "1", object: Movie(title: "Titanic", year: 1997))
    try expectEqual(coder.encode(hit), #"{"objectID":"1","title":"Titanic","year":1997}"#)
  }

  @Test(arguments: ModelCoder.allCases)
  func metadataOfThePageIsSaved(coder: ModelCoder) throws {
    let hit = Hit(
      objectID: "1", object: Movie(title: "t", year: 1),
      searchMetadata: SearchMetadata(position: 3, queryID: "q"))
    try expectEqual(coder.roundTrip(hit), hit)
    guard ModelCoder.verbatim.contains(coder) else { return }
    try expectEqual(
      coder.encode(hit),
      #"{"__position":3,"__queryID":"q","objectID":"1","title":"t","year":1}"#)
  }

  @Test(arguments: ModelCoder.allCases)
  func savedMetadataIsNotReadIntoDynamicRecords(coder: ModelCoder) throws {
    let json = Hit<JSON>(
      objectID: "1", object: ["objectID": "1", "first_name": 1, "firstName": ["lastName": 2]],
      searchMetadata: SearchMetadata(position: 3, queryID: "q"))
    try expectEqual(coder.roundTrip(json), json)
    let dictionary = Hit<[String: JSON]>(
      objectID: "1", object: ["objectID": "1", "first_name": 1],
      searchMetadata: SearchMetadata(position: 3))
    try expectEqual(coder.roundTrip(dictionary), dictionary)
  }

  @Test(arguments: ModelCoder.allCases)
  func membersOfTheHitWin(coder: ModelCoder) throws {
    let hit = Hit<JSON>(
      objectID: "mine", object: ["objectID": "record's", "_distinctSeqID": 1, "name": "n"],
      searchMetadata: SearchMetadata(distinctSeqID: 2))
    try expectEqual(coder.encode(hit), #"{"_distinctSeqID":2,"name":"n","objectID":"mine"}"#)
  }

  @Test(arguments: ModelCoder.allCases)
  func dictionaryCanBeARecord(coder: ModelCoder) throws {
    let hit = Hit(objectID: "1", object: ["name": "n"])
    try expectEqual(coder.encode(hit), #"{"name":"n","objectID":"1"}"#)
  }

  @Test(arguments: ModelCoder.verbatim)
  func wrapperOfARecordCanBeARecord(coder: ModelCoder) throws {
    struct Wrapper: Codable, Sendable {
      var movie: Movie
      init(movie: Movie) { self.movie = movie }
      init(from decoder: any Decoder) throws {
        movie = try decoder.singleValueContainer().decode(Movie.self)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(movie)
      }
    }
    let hit = Hit(objectID: "1", object: Wrapper(movie: Movie(title: "t", year: 1)))
    try expectEqual(coder.encode(hit), #"{"objectID":"1","title":"t","year":1}"#)
  }

  @Test(arguments: ModelCoder.allCases)
  func recordThatIsNotAnObjectIsRejected(coder: ModelCoder) {
    let objects: [JSON] = [
      nil, true, 1, .uint(.max), 1.5, "text", [1], [["name": "n"]], [[1]], [nil],
    ]
    for object in objects {
      #expect(throws: EncodingError.self) {
        try coder.encode(Hit(objectID: "1", object: object))
      }
    }
    #expect(throws: EncodingError.self) {
      try coder.encode(Hit(objectID: "1", object: [Movie(title: "t", year: 1)]))
    }
    #expect(throws: EncodingError.self) { try coder.encode(Hit(objectID: "1", object: 7)) }
  }
}
