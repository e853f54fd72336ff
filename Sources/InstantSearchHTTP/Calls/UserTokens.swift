/// Finds the user tokens in a body.
enum UserTokens {
  /// The values of `userToken` and `authenticatedUserToken` in a body, as members of objects or as
  /// parameters of a URL-encoded text.
  ///
  /// The body is not parsed, because it may not be JSON. The token of a search can be any text.
  static func all(in body: [UInt8]) -> [String] {
    let name = Array("serToken".utf8)
    var tokens: [String] = []
    var rest = body[...]
    while let range = rest.firstByteRange(of: name) {
      rest = rest[range.upperBound...]
      guard let first = rest.popFirst() else { break }
      // Bytes that were read are not searched again.
      if first == UInt8(ascii: "=") {
        tokens += takeParameter(from: &rest)
      } else if isQuote(first) {
        tokens += takeText(from: &rest)
      }
    }
    return tokens
  }

  /// The value of a parameter, as written and decoded.
  private static func takeParameter(from rest: inout ArraySlice<UInt8>) -> [String] {
    let value = rest.prefix { !isQuote($0) && $0 != UInt8(ascii: "&") }
    rest = rest[value.endIndex...]
    let text = String(decoding: value, as: UTF8.self)
    // The parameter can be in a JSON string, where `/` can be `\/`.
    let texts = [text, unescaped(value)].compactMap(\.self)
    return texts + texts.compactMap { PercentEncoding.decode($0) }
  }

  /// The JSON string that is the value of a member, as written and decoded, or none for other
  /// values.
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

  /// The value of a JSON string, or `nil` for an invalid one.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String? {
    (try? JSON(parsing: [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]))?.stringValue
  }

  private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") }
}
