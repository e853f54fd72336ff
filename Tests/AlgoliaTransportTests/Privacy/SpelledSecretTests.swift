import AlgoliaTransport
import AsyncInstantSearch
import AsyncInstantSearchTesting
import Foundation
import TestSupport
import Testing

/// A server can quote a secret in any spelling, and in part.
struct SpelledSecretTests {
  /// Like a secured key: base64, with characters that URLs, HTML and JSON escape.
  private static let key = "NDQxZjk2ZGUxYjc5+GE5MmY0/WNhNjIzM2ZpbHRlcnM9b3duZXI6YWRh=="
  private static let entities = key.map {
    "+/=".contains($0) ? "&#\($0.asciiValue ?? 0);" : "\($0)"
  }
  .joined()

  private func message(
    _ text: String, key: String = Self.key, body: String = "{}"
  ) async throws -> String {
    let script = ScriptedExchange(
      .answer(HTTPExchangeResponse(status: 403, body: Array(text.utf8))))
    let transport = AlgoliaTransport(
      appID: "APPID", apiKey: key,
      configuration: AlgoliaTransport.Configuration(
        exchange: script.exchange, clock: ManualClock()))
    var call = TransportRequest.sampleRead
    call.body = Array(body.utf8)
    return String(decoding: try await transport.send(call).body, as: UTF8.self)
  }

  @Test(arguments: [
    key,
    key.lowercased(), key.uppercased(),
    key.replacing("=", with: "%3D").replacing("+", with: "%2B").replacing("/", with: "%2F"),
    key.replacing("=", with: "%3d").replacing("+", with: "%2b").replacing("/", with: "%2f"),
    // Partly or completely encoded.
    key.replacing("=", with: "%3d"), key.replacing("+", with: "%2B"),
    key.utf8.map { "%" + String($0, radix: 16) }.joined(),
    // Encoded twice.
    key.replacing("=", with: "%253d"), key.replacing("=", with: "&amp;#61;"),
    entities, key.replacing("=", with: "&#61"), key.replacing("=", with: "&#x3D;"),
    key.replacing("=", with: "&#x3d;").replacing("+", with: "&#X2B;"),
    key.replacing("=", with: "&equals;").replacing("+", with: "&plus;")
      .replacing("/", with: "&sol;"),
    key.utf8.map { "&#\($0);" }.joined(),
    key.replacing("=", with: #"\u003d"#).replacing("/", with: #"\/"#),
    key.replacing("=", with: #"\x3D"#), key.utf8.map { #"\u00"# + String($0, radix: 16) }.joined(),
    // The other alphabet of base64.
    key.replacing("+", with: "-").replacing("/", with: "_"),
  ])
  func aKeyIsFoundInAnySpelling(spelling: String) async throws {
    try await expectEqual(message("<p>Key \(spelling) refused"), "<p>Key <redacted> refused")
    try await expectEqual(message("key=\(spelling)&page=1"), "key=<redacted>&page=1")
    try await expectEqual(message(spelling), "<redacted>")
  }

  @Test func aPartOfAKeyIsFound() async throws {
    let key = Self.key
    for count in 8..<key.count {
      try await expectEqual(
        message("Key \(key.prefix(count))... refused"), "Key <redacted>... refused")
      try await expectEqual(message("Key \(key.prefix(count))"), "Key <redacted>")
      try await expectEqual(
        message("Key **\(key.suffix(count)) refused"), "Key **<redacted> refused")
    }
    let middle = String(key.dropFirst(10).prefix(20))
    try await expectEqual(message("Key …\(middle)…"), "Key …<redacted>…")
    try await expectEqual(
      message("Key \(key.prefix(9))*****\(key.suffix(9))"),
      "Key <redacted>*****<redacted>")
    // So few characters are not a key, and can be a word.
    try await expectEqual(message("Key \(key.prefix(7)) refused"), "Key \(key.prefix(7)) refused")
  }

  /// A secret in base64 can stand alone or in the middle of a longer text.
  @Test(arguments: ["", "a", "ab", "apikey=", "Basic user:"], ["", "!", ", and more"])
  func secretInBase64IsFound(prefix: String, suffix: String) async throws {
    for (secret, body) in [(Self.key, "{}"), ("topsy-user", #"{"userToken":"topsy-user"}"#)] {
      let encoded = Data((prefix + secret + suffix).utf8).base64EncodedString()
      let text = try await message("Got \(encoded).", body: body)
      // At most one character at each end represents other bits too.
      #expect(text.hasPrefix("Got ") && text.hasSuffix(".") && text.contains("<redacted>"))
      let kept = encoded.count - secret.utf8.count * 8 / 6
      #expect(text.count <= "Got <redacted>.".count + kept + 2)
    }
  }

  @Test func textAroundSecretsIsKept() async throws {
    let lines = String(repeating: "<p>line \(Self.key)</p>\n", count: 3)
    try await expectEqual(
      message(lines), String(repeating: "<p>line <redacted></p>\n", count: 3))
  }

  @Test func secretInHexadecimalIsFound() async throws {
    for (secret, body) in [(Self.key, "{}"), ("topsy-user", #"{"userToken":"topsy-user"}"#)] {
      let digits = secret.utf8.map { String($0, radix: 16) }.joined()
      try await expectEqual(message("Got \(digits).", body: body), "Got <redacted>.")
      try await expectEqual(message("Got \(digits.uppercased()).", body: body), "Got <redacted>.")
    }
  }

  /// A proxy or a server can write its page in UTF-16.
  @Test func secretInUTF16IsFound() async throws {
    let text = Self.key.map { "\($0)\0" }.joined()
    #expect(try await message("<\0\(text)>\0").contains("<redacted>"))
    #expect(
      try await !message("<\0\(text)>\0").replacing("\0", with: "").contains(Self.key.prefix(8)))
  }

  /// Comparing each of these positions with the token would take a hundred times as long as
  /// reading them.
  @Test(arguments: ["", #"\u0061"#])
  func textThatRepeatsTheBeginningOfATokenIsRedacted(escape: String) async throws {
    let token = String(repeating: "a", count: 120) + "7"
    let letter = escape.isEmpty ? "a" : escape
    let text = "Hello " + String(repeating: letter, count: 10_000)
    let redacted = try await message(text, body: #"{"userToken":"\#(token)"}"#)
    #expect(redacted.hasPrefix("Hello a") || redacted.hasPrefix("Hello \\u"))
    #expect(redacted.hasSuffix("<redacted>") && redacted.count < text.count / 2)
  }

  @Test(arguments: [" ", "  ", "\n", "\t", "%20", "&#32;"])
  func secretWithSpacesIsFound(space: String) async throws {
    let key = Self.key.map(String.init).joined(separator: space)
    try await expectEqual(message("Key \(key) refused"), "Key <redacted> refused")
    let encoded = Self.key.utf8.map { "%" + String($0, radix: 16) }.joined(separator: space)
    try await expectEqual(message("Key \(encoded) refused"), "Key <redacted> refused")
    let body = #"{"userToken":"topsy7"}"#
    let token = "topsy7".map(String.init).joined(separator: space)
    try await expectEqual(message("User \(token) is gone", body: body), "User <redacted> is gone")
  }

  @Test func keyInGroupsIsFound() async throws {
    var rest = Self.key[...]
    var groups: [Substring] = []
    while !rest.isEmpty {
      groups.append(rest.prefix(5))
      rest = rest.dropFirst(5)
    }
    try await expectEqual(
      message("Key \(groups.joined(separator: " ")) refused"), "Key <redacted> refused")
  }

  @Test func wordsThatContainATokenTogetherAreKept() async throws {
    let text = "We sent the note to the user"
    try await expectEqual(message(text, body: #"{"userToken":"enttheno"}"#), text)
  }

  @Test func aSecuredKeyIsFound() async throws {
    let key = try SecuredAPIKey.generate(
      parentKey: "0123456789abcdef0123456789abcdef",
      restrictions: SecuredAPIKey.Restrictions(filters: "owner:ada", validUntil: 1_893_456_000))
    for text in [
      key, PercentEncoding.encode(key), String(key.dropLast(3)), key.replacing("=", with: "%3d"),
    ] {
      try await expectEqual(message("no \(text)!", key: key), "no <redacted>!")
    }
  }

  @Test(arguments: [
    ("topsy/user=7", "topsy&#x2F;user&equals;7"), ("topsy/user=7", "topsy%2fuser%3d7"),
    ("topsy/user=7", #"topsy\u002fuser\u003d7"#), ("topsy/user=7", "TOPSY/USER=7"),
    ("a.b@example.com", "a.b&#64;example.com"), ("a.b@example.com", "a.b&commat;example.com"),
  ])
  func aUserTokenIsFoundInAnySpelling(token: String, spelling: String) async throws {
    let body = #"{"userToken":"\#(token)"}"#
    try await expectEqual(
      message("User \(spelling) is gone", body: body), "User <redacted> is gone")
  }

  @Test func truncatedUserTokenIsFound() async throws {
    let body = #"{"userToken":"anonymous-7c0d1e2f"}"#
    for cut in [
      "User anonymous-7c0", "User anonymous-7c0... is gone", "User anonymous-7c0… is gone",
      "User anonymous-7c0 is gone", "User 'anonymous-7c0' is gone", "User (anonymous-7c0) is gone",
    ] {
      try await expectEqual(
        message(cut, body: body), cut.replacing("anonymous-7c0", with: "<redacted>"))
    }
    try await expectEqual(
      message("User \"anonymou\" is gone", body: body),
      "User \"<redacted>\" is gone")
    // Another token.
    try await expectEqual(
      message("User anonymous-7x is gone", body: body), "User anonymous-7x is gone")
    // It begins with a word, which can occur anywhere.
    try await expectEqual(message("An anonymous user", body: body), "An anonymous user")
  }

  @Test(arguments: [
    "100% of &amp; &#60;b&#62; \\n \\u00e9 &nosuch; &#; &#x; %zz % & \\", "%", "&", "\\", "&#",
    "\\u12",
    "&#99999999999999999999;", "\\ud83d", "%C3%A9",
  ])
  func textWithoutASecretIsUnchanged(text: String) async throws {
    try await expectEqual(message(text), text)
  }
}
