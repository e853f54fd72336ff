import InstantSearchJSON

/// The secrets of one call, which are removed from texts of exchanges and servers.
///
/// Exchanges and servers quote requests in their messages, and messages end up in errors, logs and
/// on screens. Every header is a secret unless its name is known to be harmless, wherever it was
/// set. So are the credentials among the query items, keys in the path, and user tokens in the
/// body. See `SecretFinder` for the forms in which they are found.
struct Secrets: Sendable, CustomStringConvertible, CustomReflectable {
  /// The minimum length of a secret. No credential is shorter, and removing shorter texts would
  /// damage messages.
  private static let shortest = 4
  /// The maximum size of the texts of one response, in bytes. It bounds the work of redacting,
  /// which no deadline ends.
  private static let maximumTextSize = 64 << 10

  private let finder: SecretFinder

  /// Collects the secrets of a call.
  init(headers: [HTTPHeader], queryItems: [QueryItem], pathSecrets: [String], body: [UInt8]) {
    var secrets: Set<String> = []
    for header in headers where !header.isLoggable {
      secrets.insert(header.value)
      // The credentials after a scheme.
      if Self.schemedNames.contains(header.name.lowercased()),
        let space = header.value.firstIndex(of: " ")
      {
        secrets.insert(String(header.value[space...].dropFirst()))
      }
    }
    for item in queryItems where Self.isSecret(queryItem: item.name) { secrets.insert(item.value) }
    secrets.formUnion(pathSecrets)
    secrets.formUnion(UserTokens.all(in: body))
    finder = SecretFinder(secrets, minimumLength: Self.shortest)
  }

  /// Returns the text with `<redacted>` in place of each secret.
  func redacting(_ text: String) -> String {
    finder.redacting(text, with: Self.replacement)
  }

  private static let replacement = "<redacted>"

  /// Returns the headers of a response without secrets in their values, because some are shown and
  /// logged.
  func redacting(_ headers: [HTTPHeader]) -> [HTTPHeader] {
    headers.map { HTTPHeader(name: $0.name, value: redacting($0.value)) }
  }

  /// Returns the body of an error response without secrets in its texts, which become messages.
  ///
  /// A body that is not JSON is treated as one text. A body without secrets is not changed. A body
  /// that is too long is cut: of a JSON object with a message, the message and the status are kept.
  func redacting(_ body: [UInt8]) -> [UInt8] {
    if body.count > Self.maximumTextSize { return redacting(longBody: body) }
    if let json = try? JSON(parsing: body) {
      let redacted = finder.redacting(json, with: Self.replacement)
      return redacted == json ? body : Array(redacted.text.utf8)
    }
    let text = String(decoding: body, as: UTF8.self)
    let redacted = redacting(text)
    return redacted == text ? body : Array(redacted.utf8)
  }

  private func redacting(longBody body: [UInt8]) -> [UInt8] {
    guard let root = (try? JSONDocument(body))?.root, let message = root["message"]?.string else {
      return Array(redacting(body, cutTo: Self.maximumTextSize).utf8)
    }
    var members: [String: JSON] = [
      "message": .string(redacting(message.utf8, cutTo: Self.maximumTextSize))
    ]
    if let status = root["status"]?.int64 { members["status"] = .int(status) }
    return Array(JSON.object(members).text.utf8)
  }

  /// Redacts a text before cutting it, because a part of a secret would not be found.
  private func redacting(_ text: some Collection<UInt8>, cutTo size: Int) -> String {
    let redacted = redacting(
      String(decoding: text.prefix(size + Self.longestSecret), as: UTF8.self))
    return text.count > size
      ? String(decoding: redacted.utf8.prefix(size), as: UTF8.self) : redacted
  }

  /// The maximum size of a secret in a text, in any form, in bytes.
  private static let longestSecret = 16 << 10

  /// Returns the body of a successful response without secrets in the messages of the response and
  /// of its results, which become errors and are shown.
  ///
  /// Everything else is data. A body without secrets in its messages is not changed. A body in
  /// which no member has the name is not parsed. Messages are cut after ``maximumTextSize`` bytes
  /// in total.
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
      let redacted = redacting(text.utf8, cutTo: sizeLeft)
      sizeLeft -= min(text.utf8.count, sizeLeft)
      guard redacted != text else { continue }
      redactedBody += body[end..<message.sourceRange.lowerBound]
      redactedBody += JSON.string(redacted).text.utf8
      end = message.sourceRange.upperBound
    }
    return end == 0 ? body : redactedBody + body[end...]
  }

  private static let messageMember = Array(#""message""#.utf8)

  /// Returns an error without secrets in its texts.
  func redacting(_ error: SearchError) -> SearchError { error.mappingTexts(redacting) }

  var description: String { "<secrets>" }
  var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }

  /// Headers whose value is a scheme, a space and the credentials.
  private static let schemedNames: Set<String> = ["authorization", "proxy-authorization"]

  /// Credentials can be among the query items as well, with the names of their headers.
  private static func isSecret(queryItem name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix("usertoken")
      || name.hasPrefix("x-") && !HTTPHeader(name: name, value: "").isLoggable
  }
}
