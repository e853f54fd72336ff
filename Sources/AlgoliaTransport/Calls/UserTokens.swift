import AsyncInstantSearch

/// The user tokens that a body names.
enum UserTokens {
  /// The values of `userToken` and `authenticatedUserToken`, wherever they are in a body of the
  /// contract: members of objects, or parameters in a URL-encoded text.
  ///
  /// The body is not parsed, as it need not be JSON. A token of a search may be any text.
  static func all(in body: [UInt8]) -> [String] {
    let name = Array("serToken".utf8)
    var tokens: [String] = []
    var rest = body[...]
    while let range = rest.firstPlace(of: name) {
      rest = rest[range.upperBound...]
      guard let first = rest.popFirst() else { break }
      // What is read is not searched again.
      if first == UInt8(ascii: "=") {
        tokens += takeParameter(from: &rest)
      } else if isQuote(first) {
        tokens += takeText(from: &rest)
      }
    }
    return tokens
  }

  /// The value of a parameter, as it stands there and decoded.
  private static func takeParameter(from rest: inout ArraySlice<UInt8>) -> [String] {
    let value = rest.prefix { !isQuote($0) && $0 != UInt8(ascii: "&") }
    rest = rest[value.endIndex...]
    let text = String(decoding: value, as: UTF8.self)
    // It may stand in a text of JSON, where `/` may be `\/`.
    let texts = [text, unescaped(value)].compactMap(\.self)
    return texts + texts.compactMap { PercentEncoding.decode($0) }
  }

  /// The text of JSON that is the value of a member, as it stands there and decoded; none where
  /// another value is.
  private static func takeText(from rest: inout ArraySlice<UInt8>) -> [String] {
    rest = rest.drop { ": \t\r\n".utf8.contains($0) }
    guard let first = rest.first, isQuote(first) else { return [] }
    rest.removeFirst()
    var isEscaped = false
    let value = rest.prefix { byte in
      if !isEscaped, isQuote(byte) { return false }
      isEscaped = !isEscaped && byte == UInt8(ascii: #"\"#)
      return true
    }
    rest = rest[value.endIndex...]
    return [String(decoding: value, as: UTF8.self), unescaped(value)].compactMap(\.self)
  }

  /// What a text of JSON says; `nil` when it is none.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String? {
    (try? JSON(parsing: [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]))?.stringValue
  }

  private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") }
}
