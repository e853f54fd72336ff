/// The secrets of one call, to be removed from texts that others wrote.
///
/// Exchanges and servers quote requests in their messages, and a message ends in an error, a log, a
/// screen. Every header of a name that is not known to be harmless counts as secret, wherever it
/// was set, and so do the credentials among the query items, the key that a path names, and user
/// tokens in the body.
///
/// Secrets are found in any case and however they are encoded; see `SpelledText`. Of a credential
/// any eight characters in a row are found, so of one that was cut or quoted in part no more is
/// shown. Of other secrets, which may be words, the whole is found, and the beginning where the
/// text ends or goes on with an ellipsis.
struct Secrets: Sendable, CustomStringConvertible, CustomReflectable {
  /// No credential is shorter; to take out a shorter text would spoil the rest and hide nothing.
  private static let shortest = 4

  private let finder: SecretFinder

  /// Collects the secrets of a call.
  init(headers: [HTTPHeader], queryItems: [QueryItem], keyInPath: String?, body: [UInt8]) {
    var keys: Set<String> = []
    var words: Set<String> = []
    for header in headers where !header.isLoggable {
      let name = header.name.lowercased()
      guard Self.isCredential(name) else {
        words.insert(header.value)
        continue
      }
      let hasScheme = Self.schemedNames.contains(name)
      let parts = hasScheme ? header.value.split(separator: " ", maxSplits: 1) : []
      if parts.count == 2 {
        // The scheme is no secret.
        words.insert(header.value)
        keys.insert(String(parts[1]))
      } else {
        keys.insert(header.value)
      }
    }
    for item in queryItems where Self.isSecret(queryItem: item.name) {
      if Self.isCredential(item.name.lowercased()) {
        keys.insert(item.value)
      } else {
        words.insert(item.value)
      }
    }
    if let keyInPath { keys.insert(keyInPath) }
    words.formUnion(UserTokens.all(in: body))
    finder = SecretFinder(
      keys: keys.filter { $0.utf8.count >= Self.shortest },
      words: words.filter { $0.utf8.count >= Self.shortest })
  }

  /// A text without the secrets; `<redacted>` stands in the place of each.
  ///
  /// Bytes are compared, as a combining character after a secret makes another character of its
  /// last.
  func redacting(_ text: String) -> String {
    SpelledText.replacing(in: Array(text.utf8), with: Self.replacement, finder.places)
      .map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  private static let replacement = Array("<redacted>".utf8)

  /// Headers of an answer without the secrets in their values: some of them are shown and logged.
  func redacting(_ headers: [HTTPHeader]) -> [HTTPHeader] {
    headers.map { HTTPHeader(name: $0.name, value: redacting($0.value)) }
  }

  /// The body of an error's answer without the secrets in its texts, which become messages.
  ///
  /// A body that is not JSON is one text. Without a secret the bytes stay the same.
  func redacting(_ body: [UInt8]) -> [UInt8] {
    if let json = try? JSON(parsing: body) {
      let redacted = redacting(json)
      return redacted == json ? body : Array(redacted.text.utf8)
    }
    let text = String(decoding: body, as: UTF8.self)
    let redacted = redacting(text)
    return redacted == text ? body : Array(redacted.utf8)
  }

  private func redacting(_ json: JSON) -> JSON {
    switch json {
    case .string(let text): .string(redacting(text))
    case .array(let elements): .array(elements.map(redacting))
    case .object(let members):
      .object(
        Dictionary(
          members.map { (redacting($0.key), redacting($0.value)) }, uniquingKeysWith: { $1 }))
    case .null, .bool, .int, .uint, .double, .number: json
    }
  }

  /// An error without the secrets in its texts.
  func redacting(_ error: SearchError) -> SearchError { error.mappingTexts(redacting) }

  var description: String { "<secrets>" }
  var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }

  /// Headers whose value is a scheme and, after a space, the credentials.
  private static let schemedNames: Set<String> = ["authorization", "proxy-authorization"]

  /// Whether the value is a credential, of which no part is in another text by chance; a user's
  /// token may be a name.
  private static func isCredential(_ name: String) -> Bool {
    !name.hasSuffix("usertoken")
      && ["key", "auth", "token", "secret", "cookie", "session", "signature", "password"]
        .contains { name.contains($0) }
  }

  private static let loggableItems: Set<String> = [
    "x-algolia-agent", "x-algolia-application-id", "x-algolia-request-id",
  ]

  private static func isSecret(queryItem name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix("usertoken")
      || name.hasPrefix("x-algolia-") && !loggableItems.contains(name)
  }
}

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
    while let range = rest.firstByteRange(of: name) {
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
