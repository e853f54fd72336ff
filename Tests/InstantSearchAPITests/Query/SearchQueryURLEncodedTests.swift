import InstantSearchAPI
import TestSupport
import Testing

@Suite struct SearchQueryURLEncodedTests {
  @Test(arguments: SearchQueryCase.all)
  func aParameterIsEncodedAndReadBack(_ it: SearchQueryCase) throws {
    let encoded = it.query.urlEncoded
    let expected = try #require(PercentEncoding.decode(encoded, plusIsSpace: true))
    expectEqual(expected, "\(it.name)=\(it.text)")
    #expect(!encoded.contains(" "))
    #expect(!encoded.contains("'"))
    try expectEqual(SearchQuery(urlEncoded: encoded), it.query)
  }

  @Test func allParametersTogetherAreReadBack() throws {
    var all = SearchQuery()
    for it in SearchQueryCase.all { all = all.merging(it.query) }
    try expectEqual(SearchQuery(urlEncoded: all.urlEncoded), all)
  }

  @Test func theTextIsOrderedByNameAndEncodedLikeAForm() {
    let query = SearchQuery("tom's & co").with {
      $0.hitsPerPage = 2
      $0.facetFilters = [["a:b"]]
      $0.additionalParameters = ["zone": "x y"]
    }
    expectEqual(
      query.urlEncoded,
      "facetFilters=%5B%5B%22a%3Ab%22%5D%5D&hitsPerPage=2&query=tom%27s+%26+co&zone=x+y")
    expectEqual(SearchQuery().urlEncoded, "")
  }

  /// Every byte is form-encoded, also in long texts, which are encoded in parts.
  @Test func everyByteIsEncodedLikeAForm() throws {
    let scalars = (0...0x7f).map { String(Unicode.Scalar(UInt8($0))) }
    let text = (scalars + ["é", "漢", "👍"]).joined()
    let unreserved = Set(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    let expected = text.utf8.map { byte in
      if unreserved.contains(byte) { return String(Unicode.Scalar(byte)) }
      if byte == UInt8(ascii: " ") { return "+" }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
    expectEqual(SearchQuery(text).urlEncoded, "query=" + expected)
    expectEqual(PercentEncoding.encode(text), expected.replacing("+", with: "%20"))
    let long = SearchQuery(String(repeating: text, count: 100))
    expectEqual(long.urlEncoded, "query=" + String(repeating: expected, count: 100))
    var counts: [Int] = []
    var bytes: [UInt8] = []
    long.appendURLEncoded(to: &bytes) { counts.append($0) }
    #expect(bytes.elementsEqual(long.urlEncoded.utf8))
    expectEqual(counts.last, bytes.count)
    let steps = zip([0] + counts, counts).map { $1 - $0 }
    #expect(steps.allSatisfy { 0...(3 * 4096 + 1) ~= $0 })
  }

  @Test(arguments: [
    ("getRankingInfo=1&analytics=0", #"{"analytics":false,"getRankingInfo":true}"#),
    ("typoTolerance=1", #"{"typoTolerance":true}"#),
    ("typoTolerance=0", #"{"typoTolerance":false}"#),
    ("ignorePlurals=en,fr", #"{"ignorePlurals":["en","fr"]}"#),
    ("removeStopWords=1", #"{"removeStopWords":true}"#),
    ("distinct=2", #"{"distinct":2}"#),
    ("facets=a,b", #"{"facets":["a","b"]}"#),
    ("facets=a%2C+b", #"{"facets":["a","b"]}"#),
    ("facets=*", #"{"facets":["*"]}"#),
    ("facets=", #"{"facets":[]}"#),
    ("ranking=%5B%22typo%22%5D", #"{"ranking":["typo"]}"#),
    ("query=a%20b+c", #"{"query":"a b c"}"#),
    ("query=a=b", #"{"query":"a=b"}"#),
    ("query", #"{"query":""}"#),
    ("&&page=1&&", #"{"page":1}"#),
    ("page=1&page=2", #"{"page":2}"#),
    ("insidePolygon=1.5,2.5,3.5,4.5,5.5,6.5", #"{"insidePolygon":[[1.5,2.5,3.5,4.5,5.5,6.5]]}"#),
    ("tagFilters=a", #"{"tagFilters":"a"}"#),
    ("optionalWords=null", #"{"optionalWords":null}"#),
    ("aroundLatLng=1.5%2C+2.5", #"{"aroundLatLng":"1.5,2.5"}"#),
    ("aroundLatLng=&page=1", #"{"page":1}"#),
    ("", "{}"),
  ])
  func everyAcceptedFormIsRead(text: String, meaning: String) throws {
    try expectEqual(QueryText.written(SearchQuery(urlEncoded: text)), meaning)
  }

  @Test(arguments: [
    JSON.null, true, 5, -1.5, "text", "", "5", "true", "null", "[", "\"quoted\"", "[1]", [1, "a"],
    ["a": [nil]],
  ])
  func additionalParametersAreReadBack(_ value: JSON) throws {
    var query = SearchQuery("a")
    query.additionalParameters["some thing"] = value
    try expectEqual(SearchQuery(urlEncoded: query.urlEncoded), query)
  }

  @Test(arguments: [
    ("hitsPerPage=abc", #"Invalid value for "hitsPerPage" parameter, expected integer, got "abc""#),
    ("hitsPerPage=", #"Invalid value for "hitsPerPage" parameter, expected integer, got """#),
    ("analytics=no", #"Invalid value for "analytics" parameter, expected boolean, got "no""#),
    (
      "facets=[a", #"Invalid value for "facets" parameter, expected array of strings, got "[a""#
    ),
    ("query=%zz", #"Invalid value for "query" parameter, wrong percent-encoding"#),
    ("%f=1", "Invalid percent-encoding in a parameter's name"),
  ])
  func aWrongValueNamesTheParameter(text: String, message: String) {
    let error = #expect(throws: SearchError.self) { try SearchQuery(urlEncoded: text) }
    expectEqual(error?.code, .invalidRequest)
    expectEqual(error?.message, message)
  }

  /// A long text costs what its reading costs, which 1,000 parameters bound.
  @Test func numberOfParametersIsLimited() throws {
    let text = Array(repeating: "page=1", count: 1_000).joined(separator: "&&")
    try expectEqual(SearchQuery(urlEncoded: text).page, 1)
    let error = #expect(throws: SearchError.self) { try SearchQuery(urlEncoded: text + "&page=2") }
    expectEqual(
      error?.message, "Too many parameters: expected at most 1000 in URL-encoded form")
  }
}
