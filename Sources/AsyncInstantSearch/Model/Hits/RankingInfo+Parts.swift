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
