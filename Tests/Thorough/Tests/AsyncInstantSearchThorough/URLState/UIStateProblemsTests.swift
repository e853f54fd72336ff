@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import AsyncInstantSearchTesting
import TestSupport
import Testing

/// URLs that are not what they should be: everything else is read, and each problem is reported.
@Suite struct UIStateProblemsTests {
  @Test(arguments: [
    ("page=x", #"p[page]: found "x", expected a whole number from 1"#),
    ("page=0", #"p[page]: found "0", expected a whole number from 1"#),
    ("page=1e3", #"p[page]: found "1e3", expected a whole number from 1"#),
    (
      "page=99999999999999999999",
      #"p[page]: found "99999999999999999999", expected a whole number from 1"#
    ),
    ("page=1&page=2", #"p[page]: found "[1, 2]", expected a whole number from 1"#),
    ("query[a]=x", #"p[query]: found "{a: x}", expected one text"#),
    ("hitsPerPage=-1", #"p[hitsPerPage]: found "-1", expected a whole number from 0"#),
    ("relevantSort=101", #"p[relevantSort]: found "101", expected a whole number from 0 to 100"#),
    ("refinementList=x", #"p[refinementList]: found "x", expected values by attribute"#),
    (
      "refinementList[brand][a]=x",
      #"p[refinementList][brand]: found "{a: x}", expected a list of texts"#
    ),
    (
      "refinementList[brand][0][a]=x",
      #"p[refinementList][brand][0]: found "{a: x}", expected one text"#
    ),
    ("range[price]=5", #"p[range][price]: found "5", expected "minimum:maximum""#),
    ("range[price]=1:2:3", #"p[range][price]: found "1:2:3", expected "minimum:maximum""#),
    ("range[price]=nan:", #"p[range][price]: found "nan:", expected "minimum:maximum""#),
    ("range[price]=0x10:", #"p[range][price]: found "0x10:", expected "minimum:maximum""#),
    ("range[price]=1e999:", #"p[range][price]: found "1e999:", expected "minimum:maximum""#),
    (
      "numericMenu[price]=x",
      #"p[numericMenu][price]: found "x", expected a number or "minimum:maximum""#
    ),
    ("ratingMenu[rating]=four", #"p[ratingMenu][rating]: found "four", expected a number"#),
    ("toggle[free]=yes", #"p[toggle][free]: found "yes", expected true or false"#),
    (
      "geoSearch[boundingBox]=1,2,3",
      #"p[geoSearch][boundingBox]: found "1,2,3", expected "latitude,longitude,latitude,"#
        + #"longitude" of the northeast and the southwest"#
    ),
    ("geoSearch[box]=1", #"p[geoSearch][box]: found "1", expected only the member "boundingBox""#),
    (
      "configure[filters]=x",
      #"p[configure]: found "{filters: x}", expected no parameters of the application in a URL"#
    ),
  ])
  func wrongValueIsReported(parameter: String, problem: String) {
    let query = parameter.split(separator: "&").map { part in
      let end = part.firstIndex { $0 == "[" || $0 == "=" } ?? part.endIndex
      return "p[\(part[..<end])]\(part[end...])"
    }
    let text = "p[sortBy]=s&" + query.joined(separator: "&")
    let (state, problems) = UIState.read(query: text)
    expectEqual(problems.map(\.description), [problem])
    var expected = UIState()
    expected["p"].sortBy = "s"
    expectEqual(state, expected)
    // With one index only the path is shorter.
    let single = UIState.read(query: "sortBy=s&" + parameter, mapping: .singleIndex("p"))
    expectEqual(single.state, expected)
    expectEqual(single.problems.map(\.path), problems.map { Array($0.path.dropFirst()) })
  }

  @Test(arguments: [
    ("foo=bar", #"foo: found "bar", expected values of an index by name"#),
    ("=x", #"query: found "x", expected a name before the value"#),
    ("p[query]z=x", #"p[query]z: found "x", expected nothing outside of the brackets of the key"#),
    (
      "p[x][a]=1&p[x]=a",
      #"p[x]: found "1", expected either one value or values with further names"#
    ),
    (
      "p[x][%2535]=1&p[x][5]=2&p[x][a]=3", #"5: found "2", expected one spelling of the name"#
    ),
    ("a%0Ab=%1B[31m", #"a\nb: found "\u{1B}[31m", expected values of an index by name"#),
  ])
  func lossIsReported(query: String, problem: String) {
    let problems = UIState.read(query: query).problems.map(\.description)
    #expect(problems.contains(problem), "\(problems)")
  }

  @Test func leniencyOfTheWebLibraryIsKept() {
    let (state, problems) = UIState.read(
      query: "p[refinementList][brand]=Apple&p[refinementList][type][]=x&p[toggle][free]=1"
        + "&p[hierarchicalMenu][lvl0][5]=B&p[hierarchicalMenu][lvl0][2]=A&p[page]=&p[menu][x]="
        + "&p[toggle][new]=false&p%5Bquery%5D=a+b%zz")
    var expected = UIState()
    expected["p"].refinementList = ["brand": ["Apple"], "type": ["x"]]
    expected["p"].hierarchicalMenu = ["lvl0": ["A", "B"]]
    expected["p"].toggle = ["free": true]
    expected["p"].query = "a b%zz"
    expectEqual(state, expected)
    #expect(problems.isEmpty)
  }

  @Test func tooManyParametersAreReported() {
    var state = UIState()
    state["p"].refinementList["brand"] = (0..<10_000).map { "value \($0)" }
    let query = state.query()
    let (read, problems) = UIState.read(query: query)
    expectEqual(read["p"].refinementList["brand"]?.count, 1_000)
    expectEqual(
      problems.map(\.description),
      [
        #"query: found "10000 parameters", expected at most 1000 parameters"#
      ])
    let all = UIState.read(query: query, maximumParameters: 10_000)
    expectEqual(all.state, state)
    #expect(all.problems.isEmpty)
    let items = UIState.read(queryItems: state.queryItems())
    expectEqual(items.state, read)
    expectEqual(items.problems, problems)
    expectEqual(UIState.read(query: query, maximumParameters: -1).state, UIState())
  }

  /// Each takes time quadratic in its length, or a stack, if it is read carelessly.
  @Test(arguments: [
    "[", "]", "[]", "[a]", "&", "a&", "=", "]=", "%", "%5B", "x", "p[x][]=1&", "p[x][99]=&p[x]=1&",
    "p[x][y]=1&p[x]=y&",
  ])
  func longTextIsRead(piece: String) {
    let length = Thoroughness.count(100_000, thorough: 1_000_000)
    let query = "p[query]" + String(repeating: piece, count: length / piece.utf8.count)
    let (state, problems) = UIState.read(query: query, maximumParameters: 50_000)
    let (again, _) = UIState.read(query: state.query(), maximumParameters: 50_000)
    expectEqual(again, state)
    #expect(problems.allSatisfy { $0.description.utf8.count < 1_000 })
  }

  @Test(arguments: Seed.all(300))
  func anyTextIsReadOrReported(seed: Seed) {
    var random = RandomUIState(seed: seed.value)
    let query = (0..<random.number(below: 8)).map { _ in random.text() + random.text() }
      .joined(separator: "&")
    for mapping in [UIState.Mapping.simple, .singleIndex("p")] {
      let (state, _) = UIState.read(query: query, mapping: mapping)
      let again = UIState.read(query: state.query(mapping: mapping), mapping: mapping)
      expectEqual(again.state, state)
      #expect(again.problems.isEmpty)
    }
  }
}
