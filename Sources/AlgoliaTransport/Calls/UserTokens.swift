import AsyncInstantSearch

/// The user tokens that a body names.
enum UserTokens {
  /// The values of `userToken` and `authenticatedUserToken`, wherever they are in a body of the
  /// contract: members of objects, or parameters in a URL-encoded text.
  ///
  /// The body is not parsed, as it need not be JSON, and as a token has few kinds of characters.
  static func all(in body: [UInt8]) -> [String] {
    let name = Array("serToken".utf8)
    var tokens: [String] = []
    var rest = body[...]
    while let range = rest.firstRange(of: name) {
      rest = rest[range.upperBound...].drop { #"":= "#.utf8.contains($0) }
      let token = rest.prefix { isTokenByte($0) }.filter { $0 != UInt8(ascii: #"\"#) }
      let text = String(decoding: token, as: UTF8.self)
      tokens.append(text)
      if let decoded = PercentEncoding.decode(text) { tokens.append(decoded) }
    }
    return tokens
  }

  /// A character of a token, or of its spelling in a URL or in JSON, where `/` may be `\/`.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || #"_=/+-%\"#.utf8.contains(byte)
  }
}
