/// A name and a value of a URL's query, neither of them percent-encoded.
///
/// Its description and its mirror hide the value: keys and user tokens may be sent this way.
public struct QueryItem: Sendable, Hashable, Codable {
  /// The name.
  public var name: String
  /// The value.
  public var value: String

  /// Creates a query item.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

extension QueryItem: CustomStringConvertible, CustomReflectable {
  /// The name, as `name=…`.
  public var description: String { "\(name)=…" }

  /// The name, and `…` for the value.
  public var customMirror: Mirror {
    Mirror(self, children: ["name": name, "value": "…"], displayStyle: .struct)
  }
}
