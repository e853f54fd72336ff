import AsyncInstantSearch

/// A part of the `User-Agent` header that names a library or an app: `Film Finder (2.1.0)`.
public struct UserAgentSegment: Sendable, Hashable, CustomStringConvertible {
  /// The name: ASCII letters, dots and spaces.
  public var name: String

  /// The version: digits and dots, then an optional suffix, such as `2.1.0-beta.3`.
  public var version: String

  /// Creates a segment; a malformed one is reported by the first call of the transport.
  public init(name: String, version: String) {
    self.name = name
    self.version = version
  }

  /// The segment as it is written: `name (version)`.
  public var description: String { "\(name) (\(version))" }
}

extension UserAgentSegment {
  /// What is wrong with the segment; `nil` when nothing is.
  var complaint: String? {
    guard name.utf8.contains(where: \.isASCIILetter),
      name.utf8.allSatisfy({ $0.isASCIILetter || ". ".utf8.contains($0) })
    else {
      return
        "The user agent segment \(name.debugDescription) is not made of letters, dots and spaces."
    }
    guard let first = version.utf8.first, first.isASCIIDigit,
      version.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || ".-+".utf8.contains($0) })
    else {
      return "The user agent segment \(name) has the malformed version \(version.debugDescription)."
    }
    return nil
  }
}
