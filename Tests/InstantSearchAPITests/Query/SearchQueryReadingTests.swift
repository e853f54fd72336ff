import InstantSearchAPI
import InstantSearchJSON
import TestSupport
import Testing

@Suite struct SearchQueryReadingTests {
  @Test(arguments: [
    (#"{"typoTolerance":"true"}"#, #"{"typoTolerance":true}"#),
    (#"{"typoTolerance":"false"}"#, #"{"typoTolerance":false}"#),
    (#"{"ignorePlurals":"true"}"#, #"{"ignorePlurals":true}"#),
    (#"{"ignorePlurals":"en, fr"}"#, #"{"ignorePlurals":["en","fr"]}"#),
    (#"{"removeStopWords":"false"}"#, #"{"removeStopWords":false}"#),
    (#"{"distinct":"true"}"#, #"{"distinct":true}"#),
    (#"{"getRankingInfo":"true"}"#, #"{"getRankingInfo":true}"#),
    (#"{"facets":"*"}"#, #"{"facets":["*"]}"#),
    (#"{"facets":"a,b"}"#, #"{"facets":["a","b"]}"#),
    (#"{"facets":""}"#, #"{"facets":[]}"#),
    (#"{"hitsPerPage":12.0}"#, #"{"hitsPerPage":12}"#),
    (#"{"hitsPerPage":1.2e1}"#, #"{"hitsPerPage":12}"#),
    (#"{"page":1,"page":2}"#, #"{"page":2}"#),
    (#"{"page":"x","page":1}"#, #"{"page":1}"#),
    (#"{"aroundLatLng":" 48.8 , 2.3 "}"#, #"{"aroundLatLng":"48.8,2.3"}"#),
    (#"{"aroundLatLng":"0.00001,1e2"}"#, #"{"aroundLatLng":"0.00001,100.0"}"#),
    (#"{"aroundLatLng":""}"#, "{}"),
    (
      #"{"insideBoundingBox":[1.5,2.5,3.5,4.5,5.5,6.5,7.5,8.5]}"#,
      #"{"insideBoundingBox":[[1.5,2.5,3.5,4.5],[5.5,6.5,7.5,8.5]]}"#
    ),
    (
      #"{"insidePolygon":[1.5,2.5,3.5,4.5,5.5,6.5]}"#,
      #"{"insidePolygon":[[1.5,2.5,3.5,4.5,5.5,6.5]]}"#
    ),
  ])
  func everyAcceptedFormIsRead(form: String, meaning: String) throws {
    try expectEqual(QueryText.read(form), QueryText.read(meaning))
    try expectEqual(QueryText.written(QueryText.read(form)), meaning)
  }

  @Test func boxesAsTextAreRectangles() {
    expectEqual(InsideBoundingBox.text("1, 2,3,4").rectangles, [[1, 2, 3, 4]])
    #expect(InsideBoundingBox.text("1,2,3").rectangles == nil)
    #expect(InsideBoundingBox.text("north").rectangles == nil)
    expectEqual(InsideBoundingBox.boxes([[1, 2, 3, 4]]).rectangles, [[1, 2, 3, 4]])
  }

  @Test(arguments: [
    ("hitsPerPage", #""abc""#, #"expected integer, got "abc""#),
    ("hitsPerPage", "1.5", "expected integer, got 1.5"),
    ("page", "99999999999999999999", "expected integer, got 99999999999999999999"),
    ("query", "12", "expected string, got 12"),
    ("getRankingInfo", #""yes""#, #"expected boolean, got "yes""#),
    ("getRankingInfo", "1", "expected boolean, got 1"),
    ("facets", #"["a",1]"#, #"expected array of strings, got ["a",1]"#),
    ("facetFilters", #"["a",[1]]"#, #"expected string or nested array of strings, got ["a",[1]]"#),
    ("typoTolerance", #""often""#, #"expected boolean, "min" or "strict", got "often""#),
    ("distinct", #""two""#, #"expected boolean or integer, got "two""#),
    ("ignorePlurals", "3", "expected boolean or array of strings, got 3"),
    ("optionalWords", "3", "expected string or array of strings or null, got 3"),
    ("queryType", "[]", "expected string, got []"),
    ("aroundRadius", #""far""#, #"expected integer or "all", got "far""#),
    ("insidePolygon", #"[["a"]]"#, #"expected array of arrays of numbers, got [["a"]]"#),
    (
      "insideBoundingBox", "[1,2,3]",
      "expected string or array of arrays of numbers or null, got [1,2,3]"
    ),
    (
      "aroundPrecision", #"[{"from":1}]"#,
      #"expected integer or array of objects with "from" and "value", got [{"from":1}]"#
    ),
    ("renderingContent", "[]", "expected object, got []"),
    (
      "aroundLatLng", #""91,0""#,
      #"expected "lat,lng" with lat from -90 to 90 and lng from -180 to 180, got "91,0""#
    ),
  ])
  func aWrongValueNamesTheParameter(name: String, value: String, reason: String) throws {
    let error = #expect(throws: SearchError.self) { try QueryText.read(#"{"\#(name)":\#(value)}"#) }
    expectEqual(error?.code, .invalidRequest)
    expectEqual(error?.message, #"Invalid value for "\#(name)" parameter, \#(reason)"#)
  }

  @Test(arguments: SearchParameter.allCases)
  func everyParameterRejectsAValueOfTheWrongType(_ parameter: SearchParameter) throws {
    for value in [#"{"a":[{}]}"#, "[[[{}]]]"] {
      if ["semanticSearch", "renderingContent"].contains(parameter.name), value.hasPrefix("{") {
        continue
      }
      let error = #expect(throws: SearchError.self) {
        try QueryText.read(#"{"\#(parameter.name)":\#(value)}"#)
      }
      let message = try #require(error?.message)
      #expect(message.hasPrefix(#"Invalid value for "\#(parameter.name)" parameter, expected "#))
    }
  }

  @Test func wrongNestedValueNamesItsPath() {
    let error = #expect(throws: SearchError.self) {
      try QueryText.read(#"{"semanticSearch":{"eventSources":5}}"#)
    }
    expectEqual(
      error?.message,
      """
      Invalid value for "semanticSearch.eventSources" parameter, \
      expected array of strings or null, got 5
      """)
  }

  @Test func longWrongValueIsTruncated() throws {
    let long = String(repeating: "x", count: 10_000)
    let error = #expect(throws: SearchError.self) { try QueryText.read(#"{"page":"\#(long)"}"#) }
    #expect(try #require(error).message.count < 200)
  }

  @Test(arguments: ["[]", "1", "null", #""query=a""#])
  func parametersMustBeAnObject(_ text: String) {
    let error = #expect(throws: SearchError.self) { try QueryText.read(text) }
    expectEqual(error?.code, .invalidRequest)
  }
}
