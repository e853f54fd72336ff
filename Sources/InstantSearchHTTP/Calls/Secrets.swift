import InstantSearchJSON

/// The secrets of one call, which are removed from texts of other origin.
///
/// Exchanges and servers quote requests in their messages, and messages end up in errors, logs and
/// on screens. Every header is a secret unless its name is known to be harmless, wherever it was
/// set. So are the credentials among the query items, the key in a path, and user tokens in the
/// body.
///
/// Secrets are found in any case and encoding, base64 and hexadecimal digits included, and with
/// spaces between their characters; see `EncodedText` and `SecretFinder`. Any eight consecutive
/// characters of a credential are found, so a truncated or partly quoted credential is not
/// revealed. Other secrets can be words. They are found as a whole, and truncated where that is
/// recognizable: at the end of a text, before an ellipsis, in quotes, or if the rest contains a
/// digit.
struct Secrets: Sendable, CustomStringConvertible, CustomReflectable {
  /// The minimum length of a secret. No credential is shorter, and removing shorter texts would
  /// damage messages.
  private static let shortest = 4
  /// The maximum size of the texts of one response, in bytes. It bounds the work of redacting,
  /// which no deadline ends.
  private static let maximumTextSize = 64 << 10

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
        // The scheme is not a secret.
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

  /// Returns the text with `<redacted>` in place of each secret.
  ///
  /// It compares bytes, because a combining character after a secret changes its last character.
  func redacting(_ text: String) -> String {
    EncodedText.replacing(in: Array(text.utf8), with: Self.replacement, finder.ranges)
      .map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  private static let replacement = Array("<redacted>".utf8)

  /// Returns the headers of a response without secrets in their values, because some are shown and
  /// logged.
  func redacting(_ headers: [HTTPHeader]) -> [HTTPHeader] {
    headers.map { HTTPHeader(name: $0.name, value: redacting($0.value)) }
  }

  /// Returns the body of an error response without secrets in its texts, which become messages.
  ///
  /// A body that is not JSON is treated as one text. A body without secrets is not changed.
  func redacting(_ body: [UInt8]) -> [UInt8] {
    if let json = try? JSON(parsing: body) {
      let redacted = redacting(json)
      return redacted == json ? body : Array(redacted.text.utf8)
    }
    let text = String(decoding: body, as: UTF8.self)
    let redacted = redacting(text)
    return redacted == text ? body : Array(redacted.utf8)
  }

  /// Returns the body of a successful response without secrets in the messages of the response and
  /// of its results, which become errors and are shown.
  ///
  /// Everything else is data. A body without secrets in its messages is not changed. A body in
  /// which no member has the name is not parsed. Messages are cut after ``maximumTextSize`` bytes
  /// of all of them together.
  func redactingMessages(of body: [UInt8]) -> [UInt8] {
    guard body[...].firstByteRange(of: Self.messageMember) != nil,
      let root = (try? JSONDocument(body))?.root
    else { return body }
    let results = root["results"].map { Array($0.elements) } ?? []
    let messages = ([root] + results).compactMap { $0["message"] }
      .sorted { $0.sourceRange.lowerBound < $1.sourceRange.lowerBound }
    var redactedBody: [UInt8] = []
    var end = 0
    var sizeLeft = Self.maximumTextSize
    for message in messages {
      guard let text = message.string else { continue }
      let redacted = redacting(String(decoding: text.utf8.prefix(sizeLeft), as: UTF8.self))
      sizeLeft -= min(text.utf8.count, sizeLeft)
      guard redacted != text else { continue }
      redactedBody += body[end..<message.sourceRange.lowerBound]
      redactedBody += JSON.string(redacted).text.utf8
      end = message.sourceRange.upperBound
    }
    return end == 0 ? body : redactedBody + body[end...]
  }

  /// Cuts the body of an error response that is too long. Of a JSON object with a message, it keeps
  /// the message and the status.
  static func shortened(_ body: [UInt8]) -> [UInt8] {
    guard body.count > maximumTextSize else { return body }
    guard let root = (try? JSONDocument(body))?.root, let message = root["message"]?.string else {
      return Array(body.prefix(maximumTextSize))
    }
    var members: [String: JSON] = [
      "message": .string(String(decoding: message.utf8.prefix(maximumTextSize), as: UTF8.self))
    ]
    if let status = root["status"]?.int64 { members["status"] = .int(status) }
    return Array(JSON.object(members).text.utf8)
  }

  private static let messageMember = Array(#""message""#.utf8)

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

  /// Returns an error without secrets in its texts.
  func redacting(_ error: SearchError) -> SearchError { error.mappingTexts(redacting) }

  var description: String { "<secrets>" }
  var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }

  /// Headers whose value is a scheme, a space and the credentials.
  private static let schemedNames: Set<String> = ["authorization", "proxy-authorization"]

  /// Whether the value is a credential, of which no other text contains a part by chance. A user
  /// token can be a name.
  private static func isCredential(_ name: String) -> Bool {
    !name.hasSuffix("usertoken")
      && ["key", "auth", "token", "secret", "cookie", "session", "signature", "password"]
        .contains { name.contains($0) }
  }

  /// Credentials can be among the query items as well, with the names of their headers.
  private static func isSecret(queryItem name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix("usertoken")
      || name.hasPrefix("x-") && !HTTPHeader(name: name, value: "").isLoggable
  }
}
