/// A hit that did not fit the type that was asked for; the other hits of its page are delivered.
public struct HitFailure: Sendable, Hashable, CustomStringConvertible {
  /// The hit's rank in the whole result list, counted from 1 as in ``Hit/position``.
  public var position: Int
  /// The record's ID, when it could be read.
  public var objectID: String?
  /// Where in the record the problem lies, one step per key or index; empty for the record itself.
  public var codingPath: [String]
  /// What is wrong there.
  public var reason: String

  /// Creates a failure.
  public init(position: Int, objectID: String?, codingPath: [String], reason: String) {
    self.position = position
    self.objectID = objectID
    self.codingPath = codingPath
    self.reason = reason
  }

  /// `hit 3 (objectID 42) at cast.0: …`
  public var description: String {
    var text = "hit \(position)"
    if let objectID { text += " (objectID \(objectID))" }
    if !codingPath.isEmpty { text += " at " + codingPath.joined(separator: ".") }
    return text + ": " + reason
  }
}
