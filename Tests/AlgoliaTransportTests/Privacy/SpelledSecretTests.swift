import AlgoliaTransport
import AsyncInstantSearch
import AsyncInstantSearchTesting
import Foundation
import TestSupport
import Testing

/// A server can quote a secret in other forms than the one that was sent.
struct SpelledSecretTests {
  /// Like a secured key: base64, with characters that URLs, HTML and JSON escape.
  private static let key = "NDQxZjk2ZGUxYjc5+GE5MmY0/WNhNjIzM2ZpbHRlcnM9b3duZXI6YWRh=="
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
    // The other alphabet of base64.
    key.replacing("+", with: "-").replacing("/", with: "_"),
  ])
  func keyIsFoundInEachForm(spelling: String) async throws {
    try await expectEqual(message("<p>Key \(spelling) refused"), "<p>Key <redacted> refused")
    try await expectEqual(message("key=\(spelling)&page=1"), "key=<redacted>&page=1")
    try await expectEqual(message(spelling), "<redacted>")
  }

  @Test func keyIsFoundWithAnotherPadding() async throws {
    try await expectEqual(
      message("Key \(Self.key.replacing("=", with: "&#61;")) refused"),
      "Key <redacted>&#61;&#61; refused")
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

  @Test func wordsThatContainATokenTogetherAreKept() async throws {
    let text = "We sent the note to the user"
    try await expectEqual(message(text, body: #"{"userToken":"enttheno"}"#), text)
  }

  @Test func aSecuredKeyIsFound() async throws {
    let key = try SecuredAPIKey.generate(
      parentKey: "0123456789abcdef0123456789abcdef",
      restrictions: SecuredAPIKey.Restrictions(filters: "owner:ada", validUntil: 1_893_456_000))
    for text in [
      key, PercentEncoding.encode(key), key.replacing("=", with: "%3d"),
    ] {
      try await expectEqual(message("no \(text)!", key: key), "no <redacted>!")
    }
  }

  @Test(arguments: [
    ("topsy/user=7", "topsy%2fuser%3d7"), ("topsy/user=7", "TOPSY/USER=7"),
    ("a.b@example.com", "a.b%40example.com"), ("100%25", "100%25"),
  ])
  func userTokenIsFoundInEachForm(token: String, form: String) async throws {
    let body = #"{"userToken":"\#(token)"}"#
    try await expectEqual(
      message("User \(form) is gone", body: body), "User <redacted> is gone")
  }

  /// It can be a part of any word.
  @Test func shortUserTokenIsFoundAsAWord() async throws {
    let body = #"{"userToken":"user"}"#
    try await expectEqual(
      message("No user (USER) in users", body: body), "No <redacted> (<redacted>) in users")
  }

  /// A part of it would not be found.
  @Test(arguments: [0, 1, 20, 40, 60], ["", " "])
  func keyAtTheEndOfALongTextIsNotCut(shown: Int, space: String) async throws {
    let padding = String(repeating: "x", count: 65_536 - shown - space.utf8.count)
    let redacted = try await message(padding + space + Self.key + " refused")
    expectEqual(redacted, String((padding + space + "<redacted> refused").prefix(65_536)))
  }

  @Test func tokensOfManyRecordsCostLikeOne() async throws {
    let tokens = (0..<20_000).map { #"{"userToken":"user-\#($0)"}"# }.joined(separator: ",")
    let text = String(repeating: "user-", count: 10_000) + "user-19999."
    let redacted = try await message(text, body: "[\(tokens)]")
    #expect(redacted.hasSuffix("user-<redacted>."))
  }

  @Test func tokensThatOverlapAreBothFound() async throws {
    let body = #"[{"userToken":"topsy/user"},{"userToken":"user-42"}]"#
    try await expectEqual(message("No topsy/user-42!", body: body), "No <redacted>!")
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
