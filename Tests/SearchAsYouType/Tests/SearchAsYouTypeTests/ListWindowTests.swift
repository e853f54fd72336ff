import AsyncInstantSearchTesting
import TestSupport
import Testing

@testable import SearchAsYouType

struct ListWindowTests {
  @Test(arguments: Seed.all(100))
  func cursorIsAlwaysVisible(seed: Seed) {
    var random = SeededGenerator(seed: seed.value)
    var window = ListWindow()
    let keys: [Key] = [.up, .down, .pageUp, .pageDown, .home, .end]
    for _ in 0..<100 {
      let count = Int.random(in: 0...30, using: &random)
      let height = Int.random(in: 0...12, using: &random)
      let key = keys.randomElement(using: &random) ?? .up
      let moves = window.move(key, count: count, height: height)
      #expect(moves)
      window.fit(count: count, height: height)
      let visible = window.visibleRows(count: count, height: height)
      expectEqual(visible.count, min(count, height))
      #expect(visible.isEmpty || visible.contains(window.cursor))
    }
  }

  @Test func pagesOverlapByOneRow() {
    var window = ListWindow()
    _ = window.move(.pageDown, count: 100, height: 10)
    window.fit(count: 100, height: 10)
    expectEqual(window.cursor, 9)
    _ = window.move(.pageDown, count: 100, height: 10)
    window.fit(count: 100, height: 10)
    expectEqual(window.visibleRows(count: 100, height: 10), 9..<19)
  }

  @Test func otherKeysDoNotMove() {
    var window = ListWindow()
    let moves = [Key.enter, .text("a"), .left].map { window.move($0, count: 3, height: 3) }
    expectEqual(moves, [false, false, false])
  }
}
