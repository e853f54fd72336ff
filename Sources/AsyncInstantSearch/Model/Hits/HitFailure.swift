/// A hit that did not fit the type that was asked for; the other hits of its page are delivered.
public struct HitFailure: Sendable, Hashable {
  /// The hit's rank in the whole result list, counted from 1 as in ``SearchMetadata/position``; `nil` when it
  /// cannot be told.
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
