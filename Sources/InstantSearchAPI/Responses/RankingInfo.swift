import InstantSearchJSON

/// The ranking information of a hit, if the query set `getRankingInfo`.
///
/// A criterion that the server did not report is `nil`.
public struct RankingInfo: Sendable, Hashable, JSONObjectCodable {
  /// The number of letters of the query that were changed, added or removed.
  public var nbTypos: Int?
  /// The location of the first matched word: the attribute's rank times 1000, plus the word's
  /// position.
  public var firstMatchedWord: Int?
  /// The sum of the distances between the matched words; 0 for a single word.
  public var proximityDistance: Int?
  /// The rank by custom ranking.
  public var userScore: Int?
  /// The distance to the record's nearest location, in meters divided by ``geoPrecision``. For the
  /// distance in meters, see ``matchedGeoLocation`` and ``Hit/distance``.
  public var geoDistance: Int?
  /// The precision of distances, in meters.
  public var geoPrecision: Int?
  /// The record's nearest location.
  public var matchedGeoLocation: MatchedGeoLocation?
  /// The number of words that matched exactly.
  public var nbExactWords: Int?
  /// The number of words that matched.
  public var words: Int?
  /// The score of the optional filters.
  public var filters: Int?
  /// Whether a rule promoted the hit; `nil` means no.
  public var promoted: Bool?
  /// Whether re-ranking promoted the hit; `nil` means no.
  public var promotedByReRanking: Bool?
  /// The contribution of personalization.
  public var personalization: Personalization?
  /// All other members.
  public var additionalMembers: [String: JSON]

  /// The location of a record that is nearest to the center of the search.
  public struct MatchedGeoLocation: Sendable, Hashable {
    /// The location. Its numbers have fewer decimals than the record's.
    public var point: Point
    /// The distance to the center of the search, in meters.
    public var distance: Int?
    /// All other members.
    public var additionalMembers: [String: JSON]

    /// Creates a location.
    public init(
      point: Point, distance: Int? = nil, additionalMembers: [String: JSON] = [:]
    ) {
      self.point = point
      self.distance = distance
      self.additionalMembers = additionalMembers
    }
  }

  /// The contribution of personalization to the rank.
  public struct Personalization: Sendable, Hashable {
    /// The score of the user's filters.
    public var filtersScore: Int?
    /// The score of the ranking.
    public var rankingScore: Int?
    /// The combined score.
    public var score: Int?
    /// All other members.
    public var additionalMembers: [String: JSON]

    /// Creates scores.
    public init(
      filtersScore: Int? = nil, rankingScore: Int? = nil, score: Int? = nil,
      additionalMembers: [String: JSON] = [:]
    ) {
      self.filtersScore = filtersScore
      self.rankingScore = rankingScore
      self.score = score
      self.additionalMembers = additionalMembers
    }
  }

  /// Creates ranking information. Every criterion is absent by default.
  public init(
    nbTypos: Int? = nil,
    firstMatchedWord: Int? = nil,
    proximityDistance: Int? = nil,
    userScore: Int? = nil,
    geoDistance: Int? = nil,
    geoPrecision: Int? = nil,
    matchedGeoLocation: MatchedGeoLocation? = nil,
    nbExactWords: Int? = nil,
    words: Int? = nil,
    filters: Int? = nil,
    promoted: Bool? = nil,
    promotedByReRanking: Bool? = nil,
    personalization: Personalization? = nil,
    additionalMembers: [String: JSON] = [:]
  ) {
    self.nbTypos = nbTypos
    self.firstMatchedWord = firstMatchedWord
    self.proximityDistance = proximityDistance
    self.userScore = userScore
    self.geoDistance = geoDistance
    self.geoPrecision = geoPrecision
    self.matchedGeoLocation = matchedGeoLocation
    self.nbExactWords = nbExactWords
    self.words = words
    self.filters = filters
    self.promoted = promoted
    self.promotedByReRanking = promotedByReRanking
    self.personalization = personalization
    self.additionalMembers = additionalMembers
  }

  package init(reading members: inout JSONMembersReader) {
    nbTypos = members.take("nbTypos", \.intValue)
    firstMatchedWord = members.take("firstMatchedWord", \.intValue)
    proximityDistance = members.take("proximityDistance", \.intValue)
    userScore = members.take("userScore", \.intValue)
    geoDistance = members.take("geoDistance", \.intValue)
    geoPrecision = members.take("geoPrecision", \.intValue)
    matchedGeoLocation = members.take("matchedGeoLocation", MatchedGeoLocation.init)
    nbExactWords = members.take("nbExactWords", \.intValue)
    words = members.take("words", \.intValue)
    filters = members.take("filters", \.intValue)
    promoted = members.take("promoted", \.boolValue)
    promotedByReRanking = members.take("promotedByReRanking", \.boolValue)
    personalization = members.take("personalization", Personalization.init)
    additionalMembers = members.rest
  }

  package var members: [String: JSON] {
    var members = additionalMembers
    members.set("nbTypos", nbTypos)
    members.set("firstMatchedWord", firstMatchedWord)
    members.set("proximityDistance", proximityDistance)
    members.set("userScore", userScore)
    members.set("geoDistance", geoDistance)
    members.set("geoPrecision", geoPrecision)
    if let matchedGeoLocation { members["matchedGeoLocation"] = matchedGeoLocation.json }
    members.set("nbExactWords", nbExactWords)
    members.set("words", words)
    members.set("filters", filters)
    members.set("promoted", promoted)
    members.set("promotedByReRanking", promotedByReRanking)
    if let personalization { members["personalization"] = personalization.json }
    return members
  }
}

extension RankingInfo: JSONNodeDecodable, JSONWritable {}

// Nested objects keep unknown and invalid members too.

extension RankingInfo.MatchedGeoLocation {
  /// Reads a location; `nil` without a point.
  init?(_ json: JSON) {
    guard let object = json.objectValue else { return nil }
    var members = JSONMembersReader(object)
    guard let latitude = members.take("lat", \.doubleValue),
      let longitude = members.take("lng", \.doubleValue)
    else { return nil }
    let distance = members.take("distance", \.intValue)
    self.init(
      point: Point(latitude: latitude, longitude: longitude), distance: distance,
      additionalMembers: members.rest)
  }

  /// The location as an object.
  var json: JSON {
    var members = additionalMembers
    members["lat"] = .double(point.latitude)
    members["lng"] = .double(point.longitude)
    members.set("distance", distance)
    return .object(members)
  }
}

extension RankingInfo.Personalization {
  /// Reads scores; `nil` if the value is not an object.
  init?(_ json: JSON) {
    guard let object = json.objectValue else { return nil }
    var members = JSONMembersReader(object)
    filtersScore = members.take("filtersScore", \.intValue)
    rankingScore = members.take("rankingScore", \.intValue)
    score = members.take("score", \.intValue)
    additionalMembers = members.rest
  }

  /// The scores as an object.
  var json: JSON {
    var members = additionalMembers
    members.set("filtersScore", filtersScore)
    members.set("rankingScore", rankingScore)
    members.set("score", score)
    return .object(members)
  }
}

extension RankingInfo: LazilyDecodable {
  // In the order of the wire format.
  private enum Member: Int {
    case nbTypos, firstMatchedWord, proximityDistance, userScore, geoDistance, geoPrecision
    case nbExactWords, words, filters
  }

  private static let keys = JSONKeys([
    Member.nbTypos: "nbTypos", .firstMatchedWord: "firstMatchedWord",
    .proximityDistance: "proximityDistance", .userScore: "userScore",
    .geoDistance: "geoDistance", .geoPrecision: "geoPrecision",
    .nbExactWords: "nbExactWords", .words: "words", .filters: "filters",
  ])

  init?(at index: Int, of source: HitSource) {
    let document = source.document
    guard case .object = document.kind(at: index) else { return nil }
    let members = document.members(Self.keys, ofObjectAt: index)
    var known = 0
    let number = { (member: Member) -> Int? in
      guard let number = members[member].flatMap(document.int(at:)) else { return nil }
      known += 1
      return number
    }
    self.init(
      nbTypos: number(.nbTypos), firstMatchedWord: number(.firstMatchedWord),
      proximityDistance: number(.proximityDistance),
      userScore: number(.userScore), geoDistance: number(.geoDistance),
      geoPrecision: number(.geoPrecision),
      nbExactWords: number(.nbExactWords), words: number(.words), filters: number(.filters))
    if known < document.count(at: index) {
      var reader = JSONMembersReader(ofObjectAt: index, in: document)
      self.init(reading: &reader)
    }
  }
}
