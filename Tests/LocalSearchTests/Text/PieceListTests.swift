import LocalSearch
import TestSupport
import Testing

struct PieceListTests {
  @Test(arguments: [0, 1, 8191, 8192, 8193, 40_000]) func contentsMatchAnArray(count: Int) {
    var list = PieceList<Int>()
    for _ in 0..<2 {
      for number in 0..<count { list.append(number) }
      expectEqual(list.count, count)
      #expect(list.elementsEqual(0..<count))
      expectEqual(list.first, count > 0 ? 0 : nil)
      expectEqual(list.last, count > 0 ? count - 1 : nil)
      #expect(list.longestPieceCount <= 8192)
      list.removeAll()
      #expect(list.isEmpty)
    }
  }
}
