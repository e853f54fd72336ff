import AsyncInstantSearch

/// Takes user tokens out of errors: a service may quote what it was sent.
struct UserTokenMask {
  /// The tokens, in lower case.
  private let tokens: Set<[UInt8]>

  /// Tokens of at least so many bytes are found inside of words too, and their beginnings at the
  /// end of a text that was cut. Shorter ones only where they stand alone: `u` is in most words.
  private static let distinctiveLength = 6

  init(_ tokens: some Sequence<String>) {
    self.tokens = Set(tokens.lazy.filter { !$0.isEmpty }.map { $0.utf8.map(Self.lowercased) })
  }

  /// The error without the tokens.
  func masked(_ error: SearchError) -> SearchError { error.mappingTexts(masked) }

  /// The text with `…` in the place of each token, however it is encoded there.
  ///
  /// - Complexity: O(`text.utf8.count` · number of tokens), as long as few places resemble a token.
  func masked(_ text: String) -> String {
    SpelledText.replacing(in: Array(text.utf8), with: Array("…".utf8)) { bytes in
      tokens.flatMap { Self.places(of: $0, in: bytes) }
    }.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  private static func places(of token: [UInt8], in bytes: [UInt8]) -> [Range<Int>] {
    let isDistinctive = token.count >= distinctiveLength
    var places: [Range<Int>] = []
    var place = 0
    while place < bytes.count {
      let length = zip(bytes[place...], token).prefix { lowercased($0) == $1 }.count
      let end = place + length
      let standsAlone =
        (place == 0 || !isWordByte(bytes[place - 1]))
        && (end == bytes.count || !isWordByte(bytes[end]))
      let isWhole = length == token.count && (isDistinctive || standsAlone)
      let isCut = isDistinctive && end == bytes.count && length >= distinctiveLength
      if isWhole || isCut {
        places.append(place..<end)
        place = end
      } else {
        place += 1
      }
    }
    return places
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

extension InsightsRecord {
  /// Who the event is about.
  var userTokens: [String] {
    [text("userToken"), text("authenticatedUserToken")].compactMap(\.self)
  }
}
