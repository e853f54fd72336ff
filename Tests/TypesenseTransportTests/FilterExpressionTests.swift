import InstantSearchAPI
import LocalSearch
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
      #expect(isCovered == range.contains(NumberKey(number)), "\(number)")
    }
  }
}
