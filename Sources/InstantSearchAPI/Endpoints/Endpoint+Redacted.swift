/// Shows paths without the keys and the user tokens in them.
extension Endpoint {
  /// The path without keys and user tokens.
  package var redactedPath: String { Self.path(of: redactedComponents) }

  private var redactedComponents: [String] { Self.redacted(pathComponents, isCall: isCall) }

  /// Whether the API has calls at the path.
  private var isCall: Bool {
    if case .custom(_, let path) = self { !Self.methods(at: path).isEmpty } else { true }
  }

  /// The API key or the user token in the path. In a path that is not part of the API, every hidden
  /// component.
  package var secrets: [String] {
    let path = pathComponents
    if isCall { return Self.namesSecret(path) ? [path[2]] : [] }
    let shown = redactedComponents
    return path.indices.filter { $0 >= shown.count || shown[$0] != path[$0] }.map { path[$0] }
  }

  /// Returns a percent-encoded path without keys and user tokens. In a path that is not part of the
  /// API, everything from the first component that could name one is left out.
  package static func redacting(encodedPath: Substring) -> String {
    let path = encodedPath.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .map { PercentEncoding.decode($0) ?? String($0) }
    return Self.path(of: redacted(path, isCall: !methods(at: path).isEmpty))
  }

  /// The components that a key or a user token follows.
  private static let secretNames = ["keys", "usertokens"]

  private static func namesSecret(_ path: [String]) -> Bool {
    path.count > 2 && secretNames.contains(path[1])
  }

  private static func redacted(_ path: [String], isCall: Bool) -> [String] {
    if isCall, namesSecret(path) { return path[..<2] + ["*"] + path[3...] }
    let end = path.indices.first { place in
      let letters = letters(in: path[place])
      guard letters.contains("key") || letters.contains("token") else { return false }
      // Names of indices and records can have any words, but no path or parameter with a key.
      let isName = isCall || (place > 0 && path[place - 1] == "indexes")
      return !isName || letters.contains("/") || letters.contains("apikey")
    }
    guard let end else { return path }
    return path[..<end] + (secretNames.contains(path[end]) ? [path[end], "*"] : ["*"])
  }

  /// Returns the letters and the slashes of a component, in lowercase, regardless of how often they
  /// were percent-encoded and of the bytes between them.
  private static func letters(in component: String) -> String {
    var bytes: [UInt8] = []
    for byte in component.utf8 {
      bytes.append(byte)
      while let end = bytes.suffixedEscape {
        bytes.removeLast(3)
        bytes.append(end)
      }
    }
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    // A combining character would make another character of a letter.
    let letters = text.utf8.filter { $0.isASCIILetter || $0 == UInt8(ascii: "/") }
    return String(decoding: letters, as: UTF8.self)
  }
}

extension [UInt8] {
  /// The byte that the last three stand for: a percent sign and two hexadecimal digits.
  fileprivate var suffixedEscape: UInt8? {
    guard count > 2, self[count - 3] == UInt8(ascii: "%"),
      let high = PercentEncoding.hexValue(self[count - 2]),
      let low = PercentEncoding.hexValue(self[count - 1])
    else { return nil }
    return high << 4 | low
  }
}

extension Endpoint: CustomStringConvertible, CustomReflectable {
  /// The method and the path, without keys and user tokens.
  public var description: String { method.rawValue + " " + redactedPath }

  /// A mirror of the description.
  public var customMirror: Mirror { Mirror(self, children: ["path": description]) }
}

extension Endpoint.Keys: CustomStringConvertible, CustomReflectable {
  /// The call's description, without keys.
  public var description: String { Endpoint.keys(self).description }

  /// A mirror of the description.
  public var customMirror: Mirror { Endpoint.keys(self).customMirror }
}
