/// An HTTP header field.
///
/// Its description and its mirror hide the value, unless the field is known to hold nothing secret.
public struct HTTPHeader: Sendable, Hashable, Codable {
  /// The name, as it is to be written.
  public var name: String
  /// The value.
  public var value: String

  /// Creates a header field.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

extension HTTPHeader: CustomStringConvertible, CustomReflectable {
  /// The name and the value, as `name: value`; a value that may be secret is shown as `…`.
  public var description: String { "\(name): \(shownValue)" }

  /// The name and what the description shows of the value.
  public var customMirror: Mirror {
    Mirror(self, children: ["name": name, "value": shownValue], displayStyle: .struct)
  }

  /// Whether a field of this name is known to hold nothing secret.
  ///
  /// These are named and all others count as secret: credentials travel in headers of any name.
  package var isHarmless: Bool { Self.harmlessNames.contains(name.lowercased()) }

  private var shownValue: String { isHarmless ? value : "…" }

  private static let harmlessNames: Set<String> = [
    "accept", "accept-encoding", "cache-control", "connection", "content-encoding",
    "content-length", "content-type", "correlation-id", "date", "request-id", "retry-after",
    "server", "transfer-encoding", "user-agent", "vary", "x-algolia-agent",
    "x-algolia-application-id",
  ]
}

extension Array where Element == HTTPHeader {
  /// The value of the first field of that name, compared without regard to case.
  public func firstValue(named name: String) -> String? {
    let wanted = name.lowercased()
    return first { $0.name.lowercased() == wanted }?.value
  }
}
