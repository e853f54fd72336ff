import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct BitmapTests {
  @Test(arguments: [0, 1, 63, 64, 65, 200], Seed.all(20))
  func operationsAgreeWithSets(count: Int, seed: Seed) {
    var generator = SeededGenerator(seed: seed.value)
    func random() -> Set<Int> {
      Set((0..<count).filter { _ in Bool.random(using: &generator) })
    }
    let (left, right) = (random(), random())
    func bitmap(_ set: Set<Int>) -> Bitmap {
      var bitmap = Bitmap(count: count)
      for member in set { bitmap[member] = true }
      return bitmap
    }
    func members(_ bitmap: Bitmap) -> Set<Int> { Set(bitmap.members.map { Int($0) }) }
    var result = bitmap(left)
    result.formUnion(bitmap(right))
    expectEqual(members(result), left.union(right))
    result = bitmap(left)
    result.formIntersection(bitmap(right))
    expectEqual(members(result), left.intersection(right))
    expectEqual(result.cardinality, left.intersection(right).count)
    result = bitmap(left)
    result.subtract(bitmap(right))
    expectEqual(members(result), left.subtracting(right))
    result.invert()
    expectEqual(members(result), Set(0..<count).subtracting(left.subtracting(right)))
    expectEqual(result.isEmpty, members(result).isEmpty)
  }

  @Test func numbersOutOfRangeAreNotMembersAndCannotBeAdded() {
    var bitmap = Bitmap(count: 10, filledWith: true)
    expectEqual(bitmap.cardinality, 10)
    bitmap[10] = true
    bitmap[-1] = true
    #expect(!bitmap[10] && !bitmap[-1] && bitmap[9])
    expectEqual(bitmap.members.count, 10)
  }

  @Test func ordinalsCountTheMembersBefore() {
    var bitmap = Bitmap(count: 300)
    for document in stride(from: 5, to: 300, by: 7) { bitmap[document] = true }
    let ranked = RankedBitmap(bitmap)
    for (ordinal, document) in bitmap.members.enumerated() {
      expectEqual(ranked.ordinal(of: Int(document)), ordinal)
      #expect(ranked.ordinal(of: Int(document) + 1) == nil)
    }
    expectEqual(ranked.cardinality, bitmap.cardinality)
  }
}
