import InstantSearchJSON

/// Why a hit stands where it stands; present when the query asked for it with `getRankingInfo`.
///
/// A criterion the server did not report is `nil`.
public struct RankingInfo: Sendable, Hashable, JSONObjectCodable {
  /// How many letters of the query had to be changed, added or left out.
  public var nbTypos: Int?
  /// The place of the first matched word: the attribute's rank times 1000, plus the word's
  /// position.
  public var firstMatchedWord: Int?
  /// The distance between the matched words, added up; 0 for a single word.
  public var proximityDistance: Int?
  /// The rank by the index's own criteria.
  public var userScore: Int?
  /// The distance to the nearest place of the record, in metres divided by ``geoPrecision``.
  public var geoDistance: Int?
  /// The precision with which distances are compared, in metres.
  public var geoPrecision: Int?
  /// The place of the record that is nearest.
  public var matchedGeoLocation: MatchedGeoLocation?
  /// How many words matched exactly.
  public var nbExactWords: Int?
  /// How many words matched.
  public var words: Int?
  /// The score of the optional filters.
  public var filters: Int?
  /// Whether a rule promoted the hit; `nil` stands for no.
  public var promoted: Bool?
  /// Whether re-ranking promoted the hit; `nil` stands for no.
  public var promotedByReRanking: Bool?
  /// What personalisation contributed.
  public var personalization: Personalization?
  /// All other members.
  public var additionalMembers: [String: JSON]

  /// The place of a record that is nearest to the centre of the search.
  public struct MatchedGeoLocation: Sendable, Hashable {
    /// The place; its numbers have fewer decimals than the record's.
    public var point: Point
    /// The distance to the centre of the search, in metres.
    public var distance: Int?
    /// All other members.
    public var additionalMembers: [String: JSON]

    /// Creates a place.
    public init(
      point: Point, distance: Int? = nil, additionalMembers: [String: JSON] = [:]
    ) {
      self.point = point
      self.distance = distance
      self.additionalMembers = additionalMembers
    }
  }

  /// What personalisation contributed to the rank.
  public struct Personalization: Sendable, Hashable {
    /// The score of the user's filters.
    public var filtersScore: Int?
    /// The score of the ranking.
    public var rankingScore: Int?
    /// The score of both together.
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

  /// Creates an info; every criterion is absent by default.
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

// The objects inside a ranking info keep unknown and misfit members, as the info itself does.

extension RankingInfo.MatchedGeoLocation {
  /// Reads a place; `nil` without a point.
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

  /// The place as an object.
  var json: JSON {
    var members = additionalMembers
    members["lat"] = .double(point.latitude)
    members["lng"] = .double(point.longitude)
    members.set("distance", distance)
    return .object(members)
  }
}

extension RankingInfo.Personalization {
  /// Reads scores; `nil` for what is no object.
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
  // In the order of the wire.
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
