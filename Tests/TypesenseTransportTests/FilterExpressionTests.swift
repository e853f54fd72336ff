import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

@testable import TypesenseTransport

struct FilterExpressionTests {
  @Test("Prefixes cover exactly the numbers of a range")
  func prefixes() {
    let range = NumberKey(1)...NumberKey(2.5)
    let prefixes = Set(ValueCode.Prefix.covering(range))
    #expect(prefixes.count <= 480)
    for number in [-1, 0, 0.999, 1, 1.5, 2, 2.5, 2.500001, 3, 1e300] {
      let isCovered = ValueCode.Prefix.all(of: NumberKey(number)).contains(where: prefixes.contains)
      expectEqual(isCovered, range.contains(NumberKey(number)), "\(number)")
    }
  }
}

struct SortKeyTests {
  @Test("Keys have the order of the values")
  func order() {
    let texts = ["", "a", "ab", "abcdefg", "b", "\u{7F}", "é", "日本", "\u{10FFFF}"]
    let keys: [IndexedRecord.RankingKey] =
      [.bool(false), .bool(true)]
      + [-1e300, -5, -0.001, 0, 1e-300, 0.5, 1, 1.5, 2_000_000_000_000, 1e300].map { .number($0) }
      + texts.map { .text(Array($0.utf8)) }
    let numbers = keys.map(SortKey.number)
    expectEqual(numbers, numbers.sorted())
    expectEqual(Set(numbers).count, numbers.count - 0)
  }
  @Test("The key of several criteria has the order of the values")
  func orderKeys() {
    let texts = ["", "a", "ab", "abcdefg", "abcdefgh", "b", "\u{7F}", "é", "日本", "\u{10FFFF}"]
    let values: [IndexedRecord.RankingKey?] =
      [.bool(false), .bool(true), .number(-5), .number(0), .number(1e300)]
      + texts.map { .text(Array($0.utf8)) } + [nil]
    for (first, second) in [(true, true), (true, false), (false, true), (false, false)] {
      let key = OrderKey(criteria: [
        SortCriterion(attribute: "a", isAscending: first),
        SortCriterion(attribute: "b", isAscending: second),
      ])
      // A value that is missing is the last one in both directions.
      func ordered(_ isAscending: Bool) -> [IndexedRecord.RankingKey?] {
        isAscending ? values : values.dropLast().reversed() + [nil]
      }
      let written = ordered(first).flatMap { a in
        ordered(second).map { b in
          var record: [String: IndexedRecord.RankingKey] = [:]
          record["a"] = a
          record["b"] = b
          return key.text(of: record)
        }
      }
      expectEqual(written, written.sorted())
      expectEqual(Set(written).count, written.count)
    }
  }
}
