#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The `User-Agent` header: `Name (version)` segments, beginning with this package's.
package enum UserAgent {
  /// The version of this package.
  package static let packageVersion = "0.1.0"

  /// The header's value with additional segments at its end, without repetitions.
  package static func text(adding segments: [UserAgentSegment]) -> String {
    var written: [UserAgentSegment] = []
    for segment in own + segments where !written.contains(segment) {
      written.append(segment)
    }
    return written.map(\.description).joined(separator: "; ")
  }

  private static let own = [
    UserAgentSegment(name: "Async InstantSearch", version: packageVersion),
    UserAgentSegment(name: "Swift", version: swiftVersion),
    UserAgentSegment(name: systemName, version: systemVersion),
  ]

  private static var swiftVersion: String {
    #if swift(>=6.4)
      "6.4"
    #elseif swift(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  private static var systemName: String {
    #if os(macOS)
      "macOS"
    #elseif os(iOS)
      "iOS"
    #elseif os(tvOS)
      "tvOS"
    #elseif os(watchOS)
      "watchOS"
    #elseif os(visionOS)
      "visionOS"
    #elseif os(Linux)
      "Linux"
    #elseif os(Windows)
      "Windows"
    #elseif os(Android)
      "Android"
    #else
      "Other"
    #endif
  }

  private static var systemVersion: String {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    return "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
  }
}

/// A part of the `User-Agent` header that names a library or an app, such as `Film Finder (2.1.0)`.
public struct UserAgentSegment: Sendable, Hashable, CustomStringConvertible {
  /// The name, made of ASCII letters, dots and spaces.
  public var name: String

  /// The version: digits and dots, then an optional suffix, as in `2.1.0-beta.3`.
  public var version: String

  /// Creates a segment. Calls of a transport with a malformed segment throw `invalidRequest`.
  public init(name: String, version: String) {
    self.name = name
    self.version = version
  }

  /// The segment as sent: `name (version)`.
  public var description: String { "\(name) (\(version))" }
}

extension UserAgentSegment {
  /// The reason why the segment is invalid, or `nil` for a valid one.
  package var validationMessage: String? {
    guard name.utf8.contains(where: \.isASCIILetter),
      name.utf8.allSatisfy({ $0.isASCIILetter || ". ".utf8.contains($0) })
    else {
      return
        "The user agent segment \(name.debugDescription) is invalid. Use letters, dots and spaces only."
    }
    guard let first = version.utf8.first, first.isASCIIDigit,
      version.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || ".-+".utf8.contains($0) })
    else {
      return
        "The user agent segment \(name) has the invalid version \(version.debugDescription). Use digits and dots, such as 2.1.0."
    }
    return nil
  }
}
