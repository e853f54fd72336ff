#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The `User-Agent` header: `Name (version)` segments, this package's first.
enum UserAgent {
  /// The version of this package.
  static let packageVersion = "0.1.0"

  /// The header's value, with the segments of the caller at its end; equal segments stand once.
  static func text(adding segments: [UserAgentSegment]) -> String {
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
