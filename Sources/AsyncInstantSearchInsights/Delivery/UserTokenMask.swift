import AsyncInstantSearch

/// Takes user tokens out of errors: a service may quote what it was sent.
struct UserTokenMask {
  /// A spelling of a token, in lower case.
  private let spellings: [[UInt8]]

  /// Tokens of at least so many bytes are found inside of words too, and their beginnings at the end
  /// of a text that was cut. Shorter ones only where they stand alone: `u` is in most words.
  private static let distinctiveLength = 6

  init(_ tokens: some Sequence<String>) {
    var spellings: Set<[UInt8]> = []
    for token in tokens where !token.isEmpty {
      for text in [token, PercentEncoding.encode(token), token.replacing("/", with: #"\/"#)] {
        spellings.insert(text.utf8.map(Self.lowercased))
      }
    }
    // Longer ones first, so that nothing is left of a token that begins with another.
    self.spellings = spellings.sorted { $0.count > $1.count }
  }

  /// The error without the tokens.
  func masked(_ error: SearchError) -> SearchError { error.mappingTexts(masked) }

  /// The text with `…` in the place of each token.
  ///
  /// - Complexity: O(`text.utf8.count` · number of tokens), as long as few places resemble a token.
  func masked(_ text: String) -> String {
    var bytes = Array(text.utf8)
    for spelling in spellings { bytes = Self.masked(bytes, spelling) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func masked(_ bytes: [UInt8], _ token: [UInt8]) -> [UInt8] {
    let isDistinctive = token.count >= distinctiveLength
    var result: [UInt8] = []
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
        result += Array("…".utf8)
        place = end
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return result
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
