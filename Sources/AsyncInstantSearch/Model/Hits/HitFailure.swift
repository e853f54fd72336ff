/// A hit that did not fit the type that was asked for; the other hits of its page are delivered.
public struct HitFailure: Sendable, Hashable {
  /// The hit's rank in the whole result list, counted from 1 as in ``SearchMetadata/position``;
  /// `nil` when it is not known.
  public var position: Int?
  /// The record's ID, when it could be read.
  public var objectID: String?
  /// Where in the record the problem lies, one step per key or index; empty for the record itself.
  public var codingPath: [String]
  /// What is wrong there.
  public var reason: String

  /// Creates a failure.
  public init(position: Int?, objectID: String?, codingPath: [String], reason: String) {
    self.position = position
    self.objectID = objectID
    self.codingPath = codingPath
    self.reason = reason
  }
}

extension HitFailure: CustomStringConvertible {
  /// `hit 3 (objectID 42) at cast.0: …`, and `a hit` where the rank is not known.
  public var description: String {
    var text = position.map { "hit \($0)" } ?? "a hit"
    if let objectID { text += " (objectID \(objectID))" }
    if !codingPath.isEmpty { text += " at " + codingPath.joined(separator: ".") }
    return text + ": " + reason
  }
}

extension HitFailure {
  /// What hits may have failed for together.
  fileprivate struct Cause: Hashable {
    let codingPath: [String]
    let reason: String
  }

  fileprivate var cause: Cause { Cause(codingPath: codingPath, reason: reason) }
}

extension [HitFailure] {
  /// How many entries a summary has at most, and how many positions an entry.
  private static var summaryLimits: (entries: Int, positions: Int) { (5, 3) }

  /// The failures in words, one entry for those with the same place and reason:
  /// `20 hits (1, 2, 3, …) at year: …`. What goes beyond five entries is counted in one more.
  var summary: [String] {
    var causes: [HitFailure.Cause] = []
    var groups: [HitFailure.Cause: [HitFailure]] = [:]
    for failure in self {
      if groups[failure.cause] == nil { causes.append(failure.cause) }
      groups[failure.cause, default: []].append(failure)
    }
    let limits = Self.summaryLimits
    var entries = causes.prefix(limits.entries).compactMap { groups[$0]?.entry(limits.positions) }
    let left = causes.dropFirst(limits.entries).reduce(0) { $0 + (groups[$1]?.count ?? 0) }
    if left > 0 { entries.append("\(left) more \(left == 1 ? "hit" : "hits")") }
    return entries
  }

  /// Failures with the same place and reason in words.
  private func entry(_ limit: Int) -> String? {
    guard let first else { return nil }
    if count == 1 { return first.description }
    var positions = compactMap(\.position).prefix(limit).map(String.init)
    if !positions.isEmpty, positions.count < count { positions.append("…") }
    let list = positions.isEmpty ? "" : " (\(positions.joined(separator: ", ")))"
    let place = first.codingPath.isEmpty ? "" : " at " + first.codingPath.joined(separator: ".")
    return "\(count) hits\(list)\(place): \(first.reason)"
  }
}

extension HitFailure: Codable {
  /// Reads a failure that was saved.
  public init(from decoder: any Decoder) throws {
    guard let failure = HitFailure(try JSON(from: decoder)) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "expected a hit's failure with codingPath and reason"))
    }
    self = failure
  }

  /// Writes the failure as an object.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  /// Reads a failure; `nil` without a coding path and a reason.
  init?(_ json: JSON) {
    guard let codingPath = json["codingPath"]?.stringsValue,
      let reason = json["reason"]?.stringValue
    else { return nil }
    self.init(
      position: json["position"]?.intValue, objectID: json["objectID"]?.stringValue,
      codingPath: codingPath, reason: reason)
  }

  /// The failure as an object.
  var json: JSON {
    var members: [String: JSON] = [
      "codingPath": .array(codingPath.map(JSON.string)), "reason": .string(reason),
    ]
    members.set("position", position)
    if let objectID { members["objectID"] = .string(objectID) }
    return .object(members)
  }
}
