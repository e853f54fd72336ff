import AlgoliaTransport
import AsyncInstantSearch
import Foundation
import TestSupport
import Testing

@Suite struct SecuredAPIKeyTests {
  private typealias Restrictions = SecuredAPIKey.Restrictions

  /// The key of the public test suite of the official clients.
  private let parentKey = "2640659426d5107b6e47d75db9cbaef8"

  // MARK: Making keys

  @Test func firstKeyOfTheOfficialClientTests() throws {
    let key = try SecuredAPIKey.generate(
      parentKey: parentKey,
      restrictions: Restrictions(validUntil: 2_524_604_400, restrictIndices: ["Movies"]))
    expectEqual(
      key,
      """
      NjFhZmE0OGEyMTI3OThiODc0OTlkOGM0YjcxYzljY2M2NmU2NDE5ZWY0NDZjMWJhNjA2NzBkMjAwOTI2YWQyZnJl\
      c3RyaWN0SW5kaWNlcz1Nb3ZpZXMmdmFsaWRVbnRpbD0yNTI0NjA0NDAw
      """)
  }

  @Test func fullKeyOfTheOfficialClientTests() throws {
    let key = try SecuredAPIKey.generate(parentKey: parentKey, restrictions: everything)
    expectEqual(
      key,
      """
      MzAxMDUwYjYyODMxODQ3ZWM1ZDYzNTkxZmNjNDg2OGZjMjAzYjQyOTZhMGQ1NDJhMDFiNGMzYTYzODRhNmMxZWFy\
      b3VuZFJhZGl1cz1hbGwmZmlsdGVycz1jYXRlZ29yeSUzQUJvb2slMjBPUiUyMGNhdGVnb3J5JTNBRWJvb2slMjBB\
      TkQlMjBfdGFncyUzQXB1Ymxpc2hlZCZoaXRzUGVyUGFnZT0xMCZtb2RlPW5ldXJhbFNlYXJjaCZvcHRpb25hbFdv\
      cmRzPW9uZSUyQ3R3byZxdWVyeT1iYXRtYW4mcmVzdHJpY3RJbmRpY2VzPU1vdmllcyUyQ2N0c19lMmVfc2V0dGlu\
      Z3MmcmVzdHJpY3RTb3VyY2VzPTE5Mi4xNjguMS4wJTJGMjQmdHlwb1RvbGVyYW5jZT1zdHJpY3QmdXNlclRva2Vu\
      PXVzZXIxMjMmdmFsaWRVbnRpbD0yNTI0NjA0NDAw
      """)
  }

  @Test func nestedListsAndElementsWithCommasAreEncodedAsJSON() throws {
    let query = SearchQuery().with {
      $0.facetFilters = [["brand:A", "brand:B"], "a:é"]
      $0.facets = ["a,b", "c"]
      $0.tagFilters = "a"
    }
    let key = try SecuredAPIKey.generate(
      parentKey: "SearchOnlyApiKeyKeptPrivate",
      restrictions: Restrictions(searchParameters: query, filters: #"owner:"Zoë & Co""#))
    expectEqual(
      key,
      """
      NWYyZWU0OTY1YzU3NjQzMjI4NzFjNjVlOTY3NDhlMTIxNGVkZGQwNzY5YTA2YjljNjBlZTEyZWEyOTBmMGI0MmZh\
      Y2V0RmlsdGVycz0lNUIlNUIlMjJicmFuZCUzQUElMjIlMkMlMjJicmFuZCUzQUIlMjIlNUQlMkMlMjJhJTNBJUMz\
      JUE5JTIyJTVEJmZhY2V0cz0lNUIlMjJhJTJDYiUyMiUyQyUyMmMlMjIlNUQmZmlsdGVycz1vd25lciUzQSUyMlpv\
      JUMzJUFCJTIwJTI2JTIwQ28lMjImdGFnRmlsdGVycz1h
      """)
  }

  @Test func restrictionGivenTwiceMustHaveTheSameValue() throws {
    var restrictions = Restrictions(filters: "a:1", userToken: "u")
    restrictions.searchParameters.filters = "a:1"
    let key = try SecuredAPIKey.generate(parentKey: "p", restrictions: restrictions)
    try expectEqual(
      key,
      SecuredAPIKey.generate(
        parentKey: "p", restrictions: Restrictions(filters: "a:1", userToken: "u")))
    restrictions.searchParameters.userToken = "someone"
    let error = #expect(throws: SearchError.self) {
      try SecuredAPIKey.generate(parentKey: "p", restrictions: restrictions)
    }
    expectEqual(error?.code, .invalidRequest)
    #expect(error?.message.contains("userToken") == true)
    #expect(error.map { "\($0)".contains("someone") } == false)
  }

  @Test func unsupportedRestrictionsAreRejected() {
    func message(_ parentKey: String, _ restrictions: Restrictions) -> String? {
      let error = #expect(throws: SearchError.self) {
        try SecuredAPIKey.generate(parentKey: parentKey, restrictions: restrictions)
      }
      expectEqual(error?.code, .invalidRequest)
      return error?.message
    }
    expectEqual(message("", Restrictions()), "The parent key of a secured API key is empty.")
    expectEqual(
      message("p", Restrictions(validUntil: -1)),
      "The restriction validUntil is before 1970.")
    for name in ["", "a,b", "a,\u{301}b"] {
      #expect(message("p", Restrictions(restrictIndices: ["ok", name]))?.contains("index") == true)
    }
  }

  @Test func expirationCanBeADate() {
    var restrictions = Restrictions()
    for (seconds, expected) in [
      (7.9, 7), (-5, 0), (.nan, 0), (.infinity, .max), (-.infinity, 0), (1e300, .max),
    ] as [(Double, Int)] {
      restrictions.expirationDate = Date(timeIntervalSince1970: seconds)
      expectEqual(restrictions.validUntil, expected, "\(seconds)")
    }
    expectEqual(Restrictions(validUntil: 60).expirationDate, Date(timeIntervalSince1970: 60))
    restrictions.expirationDate = nil
    #expect(restrictions.validUntil == nil)
  }

  // MARK: Reading keys

  @Test func keyIsReadBack() throws {
    let key = try SecuredAPIKey(
      inspecting: SecuredAPIKey.generate(parentKey: parentKey, restrictions: everything))
    var expected = everything
    // The service accepts optional words as one text or as a list.
    expected.searchParameters.optionalWords = "one,two"
    expectEqual(key.restrictions, expected)
    expectEqual(key.validUntil, 2_524_604_400)
    #expect(key.isDerived(from: parentKey))
    #expect(!key.isDerived(from: ""))
    #expect(!key.isDerived(from: String(parentKey.dropLast())))
  }

  @Test func keyWithoutRestrictionsIsReadBack() throws {
    let text = try SecuredAPIKey.generate(parentKey: "p", restrictions: Restrictions())
    let key = try SecuredAPIKey(inspecting: text)
    expectEqual(key.restrictions, Restrictions())
    #expect(key.remainingValidity(at: .distantFuture) == nil)
    #expect(key.isDerived(from: "p"))
  }

  @Test func remainingValidityIsCountedFromTheGivenDate() throws {
    let text = try SecuredAPIKey.generate(
      parentKey: "p", restrictions: Restrictions(validUntil: 1_000))
    let key = try SecuredAPIKey(inspecting: text)
    expectEqual(key.remainingValidity(at: Date(timeIntervalSince1970: 400)), .seconds(600))
    expectEqual(
      key.remainingValidity(at: Date(timeIntervalSince1970: 1_000.5)), .milliseconds(-500))
    let latest = try SecuredAPIKey(
      inspecting: SecuredAPIKey.generate(
        parentKey: "p", restrictions: Restrictions(validUntil: .max)))
    for seconds in [Double.infinity, -.infinity, .nan, 1e300, -1e300] {
      #expect(latest.remainingValidity(at: Date(timeIntervalSince1970: seconds)) != nil)
    }
  }

  @Test func keyWithAnyChangedByteIsNotAuthentic() throws {
    let text = try SecuredAPIKey.generate(
      parentKey: "p", restrictions: Restrictions(filters: "a:1", validUntil: 1_000))
    let bytes = try #require(Data(base64Encoded: text))
    for position in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[position] ^= 1 << bit
        guard let key = try? SecuredAPIKey(inspecting: changed.base64EncodedString()) else {
          continue
        }
        #expect(!key.isDerived(from: "p"), "byte \(position), bit \(bit)")
      }
    }
  }

  @Test(arguments: [
    ("", "signature"), ("%%%", "base64"), ("YWJj", "signature"),
    (encoded("A", count: 64, ""), "signature"),
    (encoded("a", count: 63, ""), "signature"),
    (encoded("é", count: 32, ""), "signature"),
    (encoded("a", count: 64, "filters=%4"), "percent-encoding"),
    (encoded("a", count: 64, "%FF=1"), "percent-encoding"),
    (encoded("a", count: 64, "validUntil=soon"), "validUntil"),
    (encoded("a", count: 64, "validUntil"), "validUntil"),
    (encoded("a", count: 64, "validUntil=-1"), "validUntil"),
    (encoded("a", count: 64, "validUntil=99999999999999999999"), "validUntil"),
    (encoded("a", count: 64, "validUntil=1&validUntil=2"), "twice"),
    (encoded("a", count: 64, "hitsPerPage=1&hits%50erPage=2"), "twice"),
    (encoded("a", count: 64, "hitsPerPage=many"), "hitsPerPage"),
  ])
  func malformedKeyThrowsATypedError(text: String, part: String) {
    let error = #expect(throws: SearchError.self) { try SecuredAPIKey(inspecting: text) }
    expectEqual(error?.code, .invalidRequest)
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    "sekret&sekret", "sek%72et=1&sekret=2", "hitsPerPage=sekret", "validUntil=sekret",
    "filters=sekret&filters=sekret", "sekret=%4", "hitsPerPage=1&minProximity=sekret",
  ])
  func anErrorQuotesNothingOfTheKey(restrictions: String) {
    let error = #expect(throws: SearchError.self) {
      try SecuredAPIKey(inspecting: Self.encoded("a", count: 64, restrictions))
    }
    expectEqual(error?.code, .invalidRequest)
    #expect(error.map { "\($0)".contains("sekret") } == false, "\(error?.message ?? "")")
  }

  @Test func restrictionsThatAreNotUTF8ThrowATypedError() {
    let bytes = Array(repeating: UInt8(ascii: "a"), count: 64) + [0xFF]
    let error = #expect(throws: SearchError.self) {
      try SecuredAPIKey(inspecting: Data(bytes).base64EncodedString())
    }
    #expect(error?.message.contains("UTF-8") == true)
  }

  // MARK: Secrets

  @Test func descriptionShowsNoSecrets() throws {
    let text = try SecuredAPIKey.generate(parentKey: "sekret-parent", restrictions: everything)
    let key = try SecuredAPIKey(inspecting: text)
    let signature = try #require(Data(base64Encoded: text)).prefix(8)
    var output = "\(key)" + String(reflecting: key) + String(reflecting: [key.restrictions])
    dump(key, to: &output)
    dump(key.restrictions, to: &output)
    for secret in [text, "sekret", "user123", String(decoding: signature, as: UTF8.self)] {
      #expect(!output.contains(secret))
    }
    #expect(output.contains("category:Book"))
  }

  private let everything = Restrictions(
    searchParameters: SearchQuery("batman").with {
      $0.typoTolerance = .strict
      $0.aroundRadius = .all
      $0.mode = .neuralSearch
      $0.hitsPerPage = 10
      $0.optionalWords = ["one", "two"]
    },
    filters: "category:Book OR category:Ebook AND _tags:published",
    validUntil: 2_524_604_400,
    restrictIndices: ["Movies", "cts_e2e_settings"],
    restrictSources: "192.168.1.0/24",
    userToken: "user123")

  private static func encoded(_ letter: String, count: Int, _ rest: String) -> String {
    Data((String(repeating: letter, count: count) + rest).utf8).base64EncodedString()
  }
}
