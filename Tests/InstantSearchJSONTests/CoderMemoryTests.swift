import JSONProperties
import InstantSearchJSON
import TestSupport
import Testing

/// Objects passed to a coding call are released after it.
struct CoderMemoryTests {
  /// Lives as long as the options are retained.
  private final class Token: Sendable {}

  private func userInfoKey() throws -> CodingUserInfoKey {
    try #require(CodingUserInfoKey(rawValue: "token"))
  }

  /// Whether the options are retained beyond a call.
  private func isKept(_ body: ([CodingUserInfoKey: any Sendable]) throws -> Void) throws -> Bool {
    weak var kept: Token?
    do {
      let token = Token()
      kept = token
      try body([userInfoKey(): token])
    }
    return kept != nil
  }

  private struct Record: Codable {
    var a = [1, 2]
    var b = ["k": ["x"]]
  }

  /// Retains its decoder.
  private struct Keeper: Decodable {
    var decoder: any Decoder
    init(from decoder: any Decoder) throws { self.decoder = decoder }
  }

  @Test func decodersReleaseTheirOptions() throws {
    for text in [#"{"a":[1],"b":{"k":["x"]}}"#, #"{"a":[1],"b":{"k":1}}"#, "[]", "{"] {
      let isKept = try isKept { userInfo in
        let options = JSONDecodingOptions(dates: .iso8601, userInfo: userInfo)
        let decoder = JSONValueDecoder(options: options)
        _ = try? decoder.decode(Record.self, from: Array(text.utf8))
        _ = try? decoder.decode(RandomCalls.self, from: Array(text.utf8))
      }
      #expect(!isKept, "\(text)")
    }
  }

  @Test func storedDecoderRetainsItsOptions() throws {
    weak var kept: Token?
    var keepers: [Keeper] = []
    do {
      let token = Token()
      kept = token
      let options = JSONDecodingOptions(
        dates: .iso8601, userInfo: [try userInfoKey(): token])
      keepers = try JSONValueDecoder(options: options).decode(
        [Keeper].self, from: Array("[1,{}]".utf8))
    }
    #expect(kept != nil)
    expectEqual(keepers.count, 2)
    keepers = []
    #expect(kept == nil)
  }

  /// Whether encoding a value retains something.
  private func isKept(encoding value: some Encodable) throws -> Bool {
    try isKept { userInfo in
      let options = JSONEncodingOptions(dates: .iso8601, userInfo: userInfo)
      _ = try? JSONValueEncoder(options: options).encode(value)
    }
  }

  @Test func encodersReleaseTheirOptions() throws {
    #expect(try !isKept(encoding: Record()))
    #expect(try !isKept(encoding: ["a": [Record(), Record()]]))
    #expect(try !isKept(encoding: [1, .nan]))
  }

  @Test func nestedContainersReleaseTheirOptions() throws {
    #expect(try !isKept(encoding: Interleaved()))
    #expect(try !isKept(encoding: Cat()))
  }
}
