import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct FilterGrammarTests {
  private static let records: [JSON] = [
    [
      "objectID": "a", "brand": "Apple", "price": 10, "inStock": true, "_tags": ["new", "Sale"],
      "size": [1, 5], "note": "it's \"big\"", "author": ["name": "Ann"], "key with space": "v w",
    ],
    [
      "objectID": "b", "brand": "Samsung", "price": 20.5, "inStock": false, "_tags": "new",
      "size": [3], "authors": [["name": "Bob"], ["name": "Cid"]], "temperature": -12,
    ],
    ["objectID": "c", "brand": "apple", "price": -3, "note": "plain OR not", "count": "-12"],
    ["objectID": "d"],
  ]

  private static var settings: IndexSettings {
    IndexSettings {
      $0.attributesForFaceting = [
        "brand", "inStock", "note", "author.name", "authors.name", "price", "key with space",
        "temperature", "count", "filterOnly(size)",
      ]
    }
  }

  private static let filters: [(filter: String, expected: String)] = [
    ("", "abcd"), ("  ", "abcd"),
    ("brand:Apple", "ac"), ("brand:APPLE", "ac"), ("Brand:Apple", ""), ("brand:Nokia", ""),
    ("NOT brand:Apple", "bd"), ("NOT brand:Nokia", "abcd"), ("undeclared:x", ""),
    ("NOT undeclared:x", "abcd"), ("price:10", "a"), ("price:10.0", "a"), ("price:20.5", "b"),
    ("price > 10", "b"), ("price>=10", "ab"), ("price<0", "c"), ("price = -3", "c"),
    ("price != 10", "bc"), ("NOT price = 10", "bcd"), ("price:-5 TO 10", "ac"),
    ("NOT price:-5 TO 10", "bd"), ("price:10 TO 5", ""), ("size > 4", "a"), ("size != 5", "b"),
    ("size:3", "b"), ("inStock:true", "a"), ("inStock:false", "b"), ("_tags:new", "ab"),
    ("new", "ab"), ("Sale", "a"), ("sale", ""), ("NOT Sale", "bcd"), ("\"Sale\"", "a"),
    ("objectID:a", "a"), ("objectID:A", ""), ("NOT objectID:a", "bcd"),
    ("author.name:ann", "a"), ("authors.name:cid", "b"),
    ("\"key with space\":'v w'", "a"), ("note:'it\\'s \"big\"'", "a"),
    ("note:\"it's \\\"big\\\"\"", "a"), ("note:'plain OR not'", "c"),
    ("temperature:-12", "b"), ("temperature:'-12'", "b"), ("count:\"-12\"", "c"),
    ("brand:Apple AND price > 0", "a"), ("brand:Apple OR brand:Samsung", "abc"),
    // OR binds tighter than AND without parentheses.
    ("inStock:true AND brand:Apple OR brand:Samsung AND price > 0", "a"),
    ("brand:Samsung OR brand:Apple AND price > 0 OR price < -100 AND new", "ab"),
    ("(brand:Samsung OR brand:Apple) AND (price > 0)", "ab"),
    ("brand:Samsung OR (brand:Apple)", "abc"), ("((brand:Samsung))", "b"),
    // Parenthesized ANDs that are still an AND of ORs.
    ("(brand:Apple AND price > 0)", "a"), ("(brand:Apple AND (new OR Sale))", "a"),
    ("(brand:Apple AND price > 0) AND new", "a"), ("((brand:Apple AND new) AND price > 0)", "a"),
    ("brand:Apple<score=3> OR brand:Samsung<score=2>", "abc"), ("NOT brand:Apple<score=2>", "bd"),
    ("price:1e1", "a"), ("price:+10 TO 30", "ab"),
  ]

  @Test(arguments: filters)
  func filtersFindTheRecordsTheyDescribe(filter: String, expected: String) async throws {
    let fixture = try await EngineFixture(Self.records, settings: Self.settings)
    try await expectEqual(fixture.ids(filters: filter).joined(), expected)
  }

  @Test(arguments: [
    (
      "brand:Foo Bar",
      "Unexpected token string(Bar) expected end of filter at col 10;"
        + " put quotes around a value with spaces: brand:\"Foo Bar\""
    ),
    (
      "brand:A > B",
      "Unexpected token > expected end of filter at col 8; put quotes around a value with >"
    ),
    (
      "(brand:A:B)",
      "Unexpected token ':' expected ')' at col 8; put quotes around a value with ':'"
    ),
    (
      "brand:A:B",
      "Unexpected token ':' expected end of filter at col 7; put quotes around a value with ':'"
    ),
    (
      "brand:A and brand:B",
      "Unexpected token string(and) expected end of filter at col 8; write AND between filters"
    ),
    (
      "brand:A && brand:B",
      "Unexpected token string(&&) expected end of filter at col 8; write AND between filters"
    ),
    (
      "brand:Action & Arcade",
      "Unexpected token string(&) expected end of filter at col 13;"
        + " put quotes around a value with spaces: brand:\"Action & Arcade\""
    ),
    (
      "brand:Rock and Roll",
      "Unexpected token string(and) expected end of filter at col 11;"
        + " put quotes around a value with spaces: brand:\"Rock and Roll\""
    ),
    (
      "brand Foo",
      "Unexpected token string(Foo) expected end of filter at col 6;"
        + " write brand:Foo for a filter by an attribute"
    ),
    (
      "brand = Foo",
      "Unexpected token string expected numeric at col 8; = compares numbers, write brand:Foo"
    ),
    (
      "brand != 'Foo Bar'",
      "Unexpected token string expected numeric at col 9;"
        + " != compares numbers, write NOT brand:\"Foo Bar\""
    ),
    (
      "price:[10 TO 20]",
      "Unexpected token string expected numeric at col 6; write the bounds of a range without brackets"
    ),
    (
      "NOT (brand:A OR brand:B)",
      "Unexpected token '(' expected filter at col 4;"
        + " write NOT before each filter: NOT a AND NOT b instead of NOT (a OR b)"
    ),
    (
      "brand:O'Brien",
      "Unexpected token end of filter expected closing ' at col 13 (opened at col 7);"
        + " put double quotes around a value with '"
    ),
    (
      // An unclosed quote is reported before an earlier error.
      "brand: AND Foo Bar 'red",
      "Unexpected token end of filter expected closing ' at col 23 (opened at col 19)"
    ),
    ("price > ten", "Unexpected token string expected numeric at col 8; > compares numbers"),
    ("price > 5,5", "Unexpected token string expected numeric at col 8; write 5.5"),
    (
      "price > nan", "Unexpected token string expected numeric at col 8; the number must be finite"
    ),
    (
      "price != null",
      "Unexpected token string expected numeric at col 9; a filter cannot ask for absent values"
    ),
    (
      "(brand:A AND (new",
      "Unexpected token end of filter expected ')' at col 17; close the parenthesis opened at col 13"
    ),
    (
      #"brand:Foo\ Bar"#,
      "Unexpected token string(Bar) expected end of filter at col 11;"
        + " put quotes around a value with spaces: brand:\"Foo Bar\""
    ),
    (
      #"{"price": 10}"#,
      "Unexpected token string(price) expected end of filter at col 1;"
        + " a filter is not JSON; write attribute:value"
    ),
    ("price == 3", "Unexpected token = expected numeric at col 7; write = once"),
    ("price =< 3", "Unexpected token < expected numeric at col 7; write <="),
    ("price => 3", "Unexpected token > expected numeric at col 7; write >="),
    ("price <> 3", "Unexpected token > expected numeric at col 7; write !="),
    (
      "not brand:A",
      "Unexpected token string(brand) expected end of filter at col 4; write NOT in capitals"
    ),
    (
      "price 10 to 20",
      "Unexpected token string(10) expected end of filter at col 6; write price:10 TO 20 for a range"
    ),
    (
      "price between 10 AND 20",
      "Unexpected token string(between) expected end of filter at col 6;"
        + " write price:10 TO 20 for a range"
    ),
    (
      "brand LIKE A",
      "Unexpected token string(LIKE) expected end of filter at col 6;"
        + " write brand:value, and OR between several such filters"
    ),
    (
      "brand:A brand:B",
      "Unexpected token string(brand) expected end of filter at col 8; write AND or OR between filters"
    ),
    ("price > abc", "Unexpected token string expected numeric at col 8; > compares numbers"),
    ("price >", "Unexpected token end of filter expected numeric at col 7"),
    ("price:a TO 3", "Unexpected token string expected numeric at col 6"),
    ("price:1 TO x", "Unexpected token string expected numeric at col 11"),
    ("price:'1' TO 3", "Unexpected token string expected numeric at col 6"),
    ("price > 1e999", "Unexpected token string expected numeric at col 8; > compares numbers"),
    ("brand:", "Unexpected token end of filter expected value at col 6"),
    ("brand:OR", "Unexpected token OR expected value at col 6"),
    (":a", "Unexpected token ':' expected filter at col 0"),
    ("a AND", "Unexpected token end of filter expected filter at col 5"),
    ("AND a", "Unexpected token AND expected filter at col 0"),
    ("a OR OR b", "Unexpected token OR expected filter at col 5"),
    ("()", "Unexpected token ')' expected filter at col 1"),
    (
      "(a",
      "Unexpected token end of filter expected ')' at col 2; close the parenthesis opened at col 0"
    ),
    ("a)", "Unexpected token ')' expected end of filter at col 1; no parenthesis is open"),
    (
      "NOT (a OR b)",
      "Unexpected token '(' expected filter at col 4;"
        + " write NOT before each filter: NOT a AND NOT b instead of NOT (a OR b)"
    ),
    ("NOT NOT a", "Unexpected token NOT expected filter at col 4"),
    (
      "a not b",
      "Unexpected token string(not) expected end of filter at col 2; write AND NOT between filters"
    ),
    (
      "brand:\"A",
      "Unexpected token end of filter expected closing \" at col 8 (opened at col 6)"
    ),
    (
      "(brand:A AND brand:B) OR brand:C",
      "filter (X AND Y) OR Z is not allowed, only (X OR Y) AND Z is allowed at col 0"
    ),
    (
      "brand:C OR (brand:A AND brand:B)",
      "filter (X AND Y) OR Z is not allowed, only (X OR Y) AND Z is allowed at col 11"
    ),
    (
      "brand:A OR price > 3",
      "Unexpected numeric filter expected facet filter (filters joined by OR must be of one type)"
        + " at col 11"
    ),
    (
      "tag OR brand:A",
      "Unexpected facet filter expected tag filter (filters joined by OR must be of one type)"
        + " at col 7"
    ),
    (
      "brand:A<score=70000>",
      "Unexpected token string(70000) expected score from 0 to 65535 at col 14"
    ),
    (
      "é AND brand:A B",
      "Unexpected token string(B) expected end of filter at col 14;"
        + " put quotes around a value with spaces: brand:\"A B\""
    ),
  ])
  func syntaxErrorsAreRejectedWithTheirColumn(filter: String, message: String) async throws {
    let fixture = try await EngineFixture(Self.records, settings: Self.settings)
    try await expectEqual(fixture.refusal(["filters": .string(filter)]), "filters: " + message)
  }

  @Test func deeplyNestedParenthesesAreRejected() async throws {
    let fixture = try await EngineFixture()
    let filter = String(repeating: "(", count: 5000) + "a" + String(repeating: ")", count: 5000)
    try await expectEqual(
      fixture.refusal(["filters": .string(filter)]),
      "filters: more than 100 nested parentheses at col 100")
  }
}
