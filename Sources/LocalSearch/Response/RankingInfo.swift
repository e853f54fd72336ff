import AsyncInstantSearch
import InstantSearchJSON

/// Why a hit stands where it stands: the member `_rankingInfo`.
struct RankingInfo: Sendable, Hashable {
  /// The point of a record nearest to the searched one.
  struct MatchedPlace: Sendable, Hashable {
    var point: Point
    /// In whole metres.
    var distance: Int
    /// The bucket size that applied, in metres.
    var precision: Int
  }

  var typoCount = 0
  /// The rank of the attribute times 1000, plus the position of the word.
  var firstMatchedWord = 0
  var proximityDistance = 0
  var exactWordCount = 0
  var wordCount = 0
  var filterScore = 0
  /// How many records of the index the custom ranking puts after this one.
  var userScore = 0
  var place: MatchedPlace?

  /// Writes the object.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    func number(_ name: String, _ value: Int) {
      writer.key(name)
      writer.int(value)
    }
    number("nbTypos", typoCount)
    number("firstMatchedWord", firstMatchedWord)
    number("proximityDistance", proximityDistance)
    number("userScore", userScore)
    number("geoDistance", place.map { $0.distance / $0.precision } ?? 0)
    number("geoPrecision", place?.precision ?? 1)
    if let place {
      writer.key("matchedGeoLocation")
      writer.beginObject()
      writer.key("lat")
      writer.double(place.point.latitude)
      writer.key("lng")
      writer.double(place.point.longitude)
      writer.key("distance")
      writer.int(place.distance)
      writer.endObject()
    }
    number("nbExactWords", exactWordCount)
    number("words", wordCount)
    number("filters", filterScore)
    writer.endObject()
  }
}
