import AsyncInstantSearch

/// What one call carries and nobody else is to read, to be taken out of texts of another's making.
///
/// Exchanges and servers quote requests in their messages, and a message ends in an error, a log,
/// a screen. Every header of a name that is not known to be harmless counts as secret, whoever set
/// it, and so do the credentials among the query items, the key that a path names, and user tokens in the
/// body.
struct Secrets: Sendable, CustomStringConvertible, CustomReflectable {
  /// No credential is shorter; to take out a shorter text would spoil the rest and hide nothing.
  private static let shortest = 4

  /// The texts, as they are and as they stand in a URL, the longest first.
  private let texts: [[UInt8]]

  /// Collects the secrets of a call.
  init(headers: [HTTPHeader], queryItems: [QueryItem], keyInPath: String?, body: [UInt8]) {
    var secrets: Set<String> = []
    for header in headers where !header.isHarmless {
      secrets.insert(header.value)
      if Self.schemedNames.contains(header.name.lowercased()),
        let credentials = header.value.split(separator: " ", maxSplits: 1).last
      {
        secrets.insert(String(credentials))
      }
    }
    for item in queryItems where Self.isSecret(queryItem: item.name) { secrets.insert(item.value) }
    if let keyInPath { secrets.insert(keyInPath) }
    secrets.formUnion(UserTokens.all(in: body))
    secrets = secrets.filter { $0.utf8.count >= Self.shortest }
    texts = secrets.union(secrets.map(PercentEncoding.encode)).sorted {
      ($1.utf8.count, $0) < ($0.utf8.count, $1)
    }.map { Array($0.utf8) }
  }

  /// A text without the secrets; `<redacted>` stands in the place of each.
  ///
  /// Bytes are compared, as a combining character after a secret makes another character of its last.
  func redacting(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let redacted = texts.reduce(bytes, Self.redacting)
    return redacted == bytes ? text : String(decoding: redacted, as: UTF8.self)
  }

  private static func redacting(_ bytes: [UInt8], _ secret: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    var result: [UInt8] = []
    while let place = rest.firstPlace(of: secret) {
      result += rest[..<place.lowerBound] + Array("<redacted>".utf8)
      rest = rest[place.upperBound...]
    }
    return result.isEmpty ? bytes : result + rest
  }

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

  private static let harmlessItems: Set<String> = [
    "x-algolia-agent", "x-algolia-application-id", "x-algolia-request-id",
  ]

  private static func isSecret(queryItem name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix("usertoken")
      || name.hasPrefix("x-algolia-") && !harmlessItems.contains(name)
  }
}
