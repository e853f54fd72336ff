import InstantSearchAPI
import TestSupport
import Testing

/// Comparisons of an attribute with variables of any number type, as any kind of filter.
@Suite struct ComparisonTests {
  private let year: Attribute = "year"
  private let genre: Attribute = "genre"

  @Test func variablesOfAnyNumberTypeAreCompared() {
    let int = 1999
    let byte: UInt8 = 7
    let long: Int64 = -5
    let short: Int32 = 3
    let double = 2.5
    let float: Float = 0.5
    let filters = [
      year >= int, year < byte, year > long, year <= short, year == double, year != float,
      year == int, year != -int, year < -double, year >= -2, year > -2.5, year <= 10,
      year.isIn(int...2000), year.isIn(short...short), year.isIn(float...1), year.isIn(1...2.5),
      int...2005 ~= year,
    ]
    expectEqual(
      filters.map(\.description),
      [
        #""year" >= 1999"#, #""year" < 7"#, #""year" > -5"#, #""year" <= 3"#, #""year" = 2.5"#,
        #""year" != 0.5"#, #""year" = 1999"#, #""year" != -1999"#, #""year" < -2.5"#,
        #""year" >= -2"#, #""year" > -2.5"#, #""year" <= 10"#, #""year":1999 TO 2000"#,
        #""year":3 TO 3"#, #""year":0.5 TO 1"#, #""year":1 TO 2.5"#, #""year":1999 TO 2005"#,
      ])
  }

  private func since<Number: BinaryInteger>(_ number: Number) -> Filter.Numeric { year >= number }
  private func below<Number: BinaryFloatingPoint>(_ number: Number) -> Filter { year < number }

  @Test func genericCodeCanCompare() {
    expectEqual(since(UInt16(12)), year >= 12)
    expectEqual(below(1.5 as Float), .numeric(year < 1.5))
  }

  @Test func contextTypeCanBeAnyFilter() {
    let limit = 1980
    let isNew = true
    let facet: Filter = genre == "War"
    let other: Filter = genre != "War"
    let flag: Filter = genre == isNew
    let numeric: Filter = year >= limit
    let range: Filter = year.isIn(limit...1990)
    let negated: Filter = !(genre == "War")
    expectEqual(facet, .facet(Filter.Facet("genre", .string("War"))))
    expectEqual(other, negated)
    expectEqual(flag, .facet(Filter.Facet("genre", .bool(true))))
    expectEqual(numeric, .numeric(Filter.Numeric("year", .greaterOrEqual, 1980)))
    expectEqual(range, .numeric(Filter.Numeric("year", 1980...1990)))
    let filters: [Filter] = [
      genre == "War", genre != "Western", year < 2000, year >= limit, year == 1.5, genre == false,
      !(year > limit), "country" == "Italy", "year" > 1960, Attribute("x").isIn(1...2),
    ]
    expectEqual(filters.count, 10)
    let numericFilters = filters.filter { $0.kind == .numeric }
    expectEqual(numericFilters.count, 6)
    func text(_ filters: [Filter]) -> [String] { filters.map(\.description) }
    let argument = text([genre == "a", year < limit])
    expectEqual(argument, [#""genre":"a""#, #""year" < 1980"#])
  }

  @Test func withoutContextTypeAComparisonHasItsOwnType() {
    let limit = 1980
    let facet = genre == "War"
    let numeric = year < limit
    let alternatives = year < limit || year > 2000 || year == Int8(5)
    let expression =
      (genre == "War" || genre == "Western") && year >= limit && year.isIn(limit...1990)
      && (year != 1985 || year > limit + 8) && genre != "Horror" && !(genre == "Noir")
    #expect(type(of: facet) == Filter.Facet.self)
    #expect(type(of: numeric) == Filter.Numeric.self)
    expectEqual(alternatives.text, #"("year" < 1980 OR "year" > 2000 OR "year" = 5)"#)
    expectEqual(
      expression.text,
      #"""
      ("genre":"War" OR "genre":"Western") AND "year" >= 1980 AND "year":1980 TO 1990 AND ("year" != 1985 OR "year" > 1988) AND NOT "genre":"Horror" AND NOT "genre":"Noir"
      """#)
    var groups = FilterGroups()
    groups[and: "all"].add(genre == "War", year < limit, year > 1.5)
    groups[and: "all"].toggle(genre == "War")
    groups[and: "all"].remove(year > 1.5)
    groups[or: "genre"].add(genre == "Western", genre != "Noir")
    groups[or: "year", Filter.Numeric.self].add(year < limit, year > 2000)
    let few: FilterList<Filter> = [genre == "x", year < limit]
    expectEqual(groups[and: "all"], [.numeric(year < limit)])
    #expect(groups.contains(year > 2000) && few.contains(genre == "x"))
  }

  /// The contract compares doubles: beyond 2⁵³ an integer is sent as the nearest of them.
  @Test func integersBeyondDoublesAreRoundedToTheNearest() {
    let odd: Int64 = 9_007_199_254_740_993
    expectEqual((year == odd - 1).description, #""year" = 9007199254740992"#)
    expectEqual((year == odd).description, #""year" = 9007199254740992"#)
    expectEqual((year < Int64.max).description, #""year" < 9223372036854776000"#)
    expectEqual((year > UInt64.max).description, #""year" > 18446744073709552000"#)
  }
}
