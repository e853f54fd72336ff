import InstantSearchJSON

extension RankingInfo: ReadableLater {
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

  init?(at index: Int, of answer: HitAnswer) {
    let document = answer.document
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
