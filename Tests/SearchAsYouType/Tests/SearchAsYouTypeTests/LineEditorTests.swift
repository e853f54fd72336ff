import TestSupport
import Testing

@testable import SearchAsYouType

struct LineEditorTests {
  /// An editor after some keys.
  private func editor(_ keys: Key...) -> LineEditor {
    var editor = LineEditor()
    for key in keys {
      if case .text(let text) = key { editor.insert(text) } else { _ = editor.edit(key) }
    }
    return editor
  }

  @Test func textIsInsertedAtTheCursor() {
    let editor = editor(.text("gofather"), .home, .right, .right, .text("d"))
    expectEqual(editor.before, "god")
    expectEqual(editor.after, "father")
  }

  @Test func wholeCharactersAreRemoved() {
    expectEqual(editor(.text("e\u{301}👩‍👩‍👧"), .backspace).text, "e\u{301}")
    expectEqual(editor(.text("e\u{301}👩‍👩‍👧"), .home, .delete).text, "👩‍👩‍👧")
    expectEqual(editor(.text("e\u{301}👩‍👩‍👧"), .left, .backspace).text, "👩‍👩‍👧")
    expectEqual(editor(.backspace, .delete, .left, .right).text, "")
  }

  @Test func markJoinsTheCharacterBeforeTheCursor() {
    let editor = editor(.text("cafe"), .text("\u{301}"))
    expectEqual(editor.text.count, 4)
    expectEqual(editor.visible(in: 10).cursor, 4)
  }

  @Test(arguments: [
    (Key.control("u"), "", "two three"), (.control("k"), "one  ", ""),
    (.control("w"), "", "two three"),
    (.control("a"), "", "one  two three"), (.control("e"), "one  two three", ""),
    (.home, "", "one  two three"), (.end, "one  two three", ""),
    (.wordLeft, "", "one  two three"), (.wordRight, "one  two", " three"),
    (.control("b"), "one ", " two three"), (.control("f"), "one  t", "wo three"),
  ])
  func keyMovesOrClears(key: Key, before: String, after: String) {
    var editor = editor(.text("one  two three"), .wordLeft, .wordLeft)
    expectEqual(editor.before, "one  ")
    let isKnown = editor.edit(key)
    #expect(isKnown)
    expectEqual(editor.before, before)
    expectEqual(editor.after, after)
  }

  @Test func otherKeysAreLeftToTheScreen() {
    var editor = editor(.text("a"))
    let keys: [Key] = [.tab, .enter, .escape, .up, .pageDown, .control("r"), .control("z")]
    let known = keys.filter { editor.edit($0) }
    expectEqual(known, [])
    expectEqual(editor.text, "a")
  }

  @Test func textThatDoesNotFitIsCutBetweenCharacters() {
    var editor = LineEditor()
    let fits = [String(repeating: "七", count: 170), "七七", "ab七"].map { editor.insert($0) }
    expectEqual(fits, [true, false, false])
    #expect(editor.text.hasSuffix("七ab"))
    expectEqual(editor.text.utf8.count, 512)
  }

  @Test func controlCharactersOfPastedTextBecomeSpaces() {
    expectEqual(editor(.text("the\r\ngod\u{1B}father\t")).text, "the god father ")
  }

  @Test func cursorIsAlwaysVisible() {
    var editor = editor(.text("The Seven Samurai 七人の侍 (1954) 👩‍👩‍👧"))
    for _ in 0...editor.text.count {
      for width in 1...40 {
        let (text, cursor) = editor.visible(in: width)
        #expect(text.cellWidth <= width)
        #expect(cursor < width)
        #expect(cursor <= text.cellWidth)
        #expect(editor.text.contains(text) || text.isEmpty)
      }
      _ = editor.edit(.left)
    }
    expectEqual(editor.visible(in: 0).cursor, 0)
    expectEqual(editor.visible(in: -3).text, "")
  }
}
