/// A network from which an application accepts requests.
public struct AllowedSource: Sendable, Hashable, Codable {
  /// The network, such as `10.0.0.0/8`, or an address.
  public var source: String
  /// A human-readable note.
  public var description: String?

  /// Creates a source. It has no note by default.
  public init(_ source: String, description: String? = nil) {
    self.source = source
    self.description = description
  }
}
