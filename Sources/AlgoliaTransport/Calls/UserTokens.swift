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
    while let range = rest.firstRange(of: name) {
      rest = rest[range.upperBound...]
      if rest.first == UInt8(ascii: "=") {
        tokens += parameter(rest.dropFirst())
      } else if rest.first.map(isQuote) ?? false {
        tokens += text(rest.dropFirst().drop { ": \t\r\n".utf8.contains($0) })
      }
    }
    return tokens
  }

  /// The value of a parameter, as it stands there and decoded.
  private static func parameter(_ bytes: ArraySlice<UInt8>) -> [String] {
    let text = String(
      decoding: bytes.prefix { !isQuote($0) && $0 != UInt8(ascii: "&") }, as: UTF8.self)
    return [text, PercentEncoding.decode(text)].compactMap(\.self)
  }

  /// The text at the beginning of this JSON, as it stands there and decoded; none where another
  /// value is.
  private static func text(_ bytes: ArraySlice<UInt8>) -> [String] {
    guard let first = bytes.first, isQuote(first) else { return [] }
    var isEscaped = false
    let end = bytes.dropFirst().firstIndex { byte in
      if !isEscaped, isQuote(byte) { return true }
      isEscaped = !isEscaped && byte == UInt8(ascii: #"\"#)
      return false
    }
    guard let end else { return [] }
    let literal = bytes[...end]
    let text = String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
    return [text, (try? JSON(parsing: Array(literal)))?.stringValue].compactMap(\.self)
  }

  private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") }
}
