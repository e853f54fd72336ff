import AsyncInstantSearchTesting
import TestSupport
import Testing

@testable import SearchAsYouType

struct KeyDecoderTests {
  private static let sequences: [(bytes: String, keys: [Key])] = [
    ("go", [.text("go")]), ("七é👩‍👩‍👧", [.text("七é👩‍👩‍👧")]),
    ("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}OD", [.up, .down, .right, .left]),
    (
      "\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~",
      [.home, .end, .home, .end, .home, .end]
    ),
    ("\u{1B}[3~\u{1B}[5~\u{1B}[6~\u{1B}[Z", [.delete, .pageUp, .pageDown, .backTab]),
    ("\u{1B}[1;5C\u{1B}[1;3D\u{1B}b\u{1B}f", [.wordRight, .wordLeft, .wordLeft, .wordRight]),
    ("\u{1B}[1;2A", [.up]),
    ("\t\r\n\u{8}\u{7F}", [.tab, .enter, .enter, .backspace, .backspace]),
    ("\u{3}\u{15}\u{17}\u{0}", [.control("c"), .control("u"), .control("w")]),
    ("a\u{15}b", [.text("a"), .control("u"), .text("b")]),
    // Sequences without a meaning here.
    ("\u{1B}[[Ax\u{1B}[15~\u{1B}[?1;2c\u{1B}xy", [.text("x"), .text("y")]),
    ("\u{1B}[" + String(repeating: "1;", count: 400) + "Ab", [.up, .text("b")]),
    // A sequence that another one interrupts.
    ("\u{1B}[1\u{1B}[A", [.up]), ("\u{1B}[é", [.text("é")]),
  ]

  /// The keys of reads, one after the other.
  private func keys(_ reads: some Sequence<some Sequence<UInt8>>) -> [Key] {
    var decoder = KeyDecoder()
    return reads.flatMap { decoder.decode($0) }
  }

  @Test(arguments: sequences.indices)
  func bytesBecomeKeys(index: Int) {
    let (bytes, expected) = Self.sequences[index]
    expectEqual(keys([bytes.utf8]), expected)
  }

  @Test(arguments: sequences.indices)
  func readsThatEndAnywhereGiveTheSameKeys(index: Int) {
    let bytes = Array(Self.sequences[index].bytes.utf8)
    let expected = Self.joined(Self.sequences[index].keys)
    for end in 0...bytes.count {
      expectEqual(Self.joined(keys([bytes[..<end], bytes[end...]])), expected)
    }
    expectEqual(Self.joined(keys(bytes.map { [$0] })), expected)
  }

  @Test func escapeAloneIsAKeyAfterATime() {
    var decoder = KeyDecoder()
    let atOnce = decoder.decode([0x1B])
    let isInSequence = decoder.isInSequence
    let later = [decoder.timeOut(), decoder.timeOut(), decoder.decode("[A".utf8)]
    #expect(atOnce == [] && isInSequence)
    expectEqual(later, [[.escape], [], [.text("[A")]])
    #expect(!decoder.isInSequence)
  }

  @Test func secondEscapeMakesTheFirstAKey() {
    expectEqual(keys(["\u{1B}\u{1B}[A".utf8]), [.escape, .up])
  }

  @Test func unfinishedSequenceIsForgottenAfterATime() {
    var decoder = KeyDecoder()
    let keys = [decoder.decode("\u{1B}[1;".utf8), decoder.timeOut(), decoder.decode("a".utf8)]
    expectEqual(keys, [[], [], [.text("a")]])
  }

  @Test func pastedTextHasNoKeysInIt() {
    let keys = keys(["\u{1B}[200~a\tb\rc\u{3}\u{1B}[Ad\u{1B}e\u{1B}[201~\r".utf8])
    expectEqual(keys, [.text("a\tb\rc\u{3}"), .text("d"), .text("e"), .enter])
  }

  @Test func pasteOfSeveralReadsIsOnePaste() {
    let bytes = Array("\u{1B}[200~七\ré\u{1B}[201~\r".utf8)
    for end in 0...bytes.count {
      var decoder = KeyDecoder()
      var keys = decoder.decode(bytes[..<end])
      // The terminal is slow, but not within the mark at its beginning.
      if end >= 6 { keys += decoder.timeOut() }
      keys += decoder.decode(bytes[end...])
      expectEqual(Self.joined(keys), [.text("七\ré"), .enter])
    }
  }

  @Test(arguments: Seed.all(300))
  func anyBytesAreDecoded(seed: Seed) {
    var random = SeededGenerator(seed: seed.value)
    let interesting: [UInt8] = [0x1B, 0x5B, 0x4F, 0x7E, 0x32, 0x30, 0x31, 0x3B, 0xE4, 0xB8, 0x83]
    var decoder = KeyDecoder()
    var editor = LineEditor()
    for _ in 0..<200 {
      let bytes = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        Bool.random(using: &random)
          ? interesting.randomElement(using: &random) ?? 0
          : UInt8.random(in: 0...255, using: &random)
      }
      let timedOut = Bool.random(using: &random) ? decoder.timeOut() : []
      for key in timedOut + decoder.decode(bytes) {
        if case .text(let text) = key { editor.insert(text) } else { _ = editor.edit(key) }
      }
    }
    expectEqual(editor.text, editor.text.printable)
    #expect(editor.text.utf8.count <= LineEditor.maximumByteCount)
  }

  /// The keys with adjacent texts joined: where one read ends does not matter.
  private static func joined(_ keys: [Key]) -> [Key] {
    keys.reduce(into: []) { joined, key in
      if case .text(let next) = key, case .text(let text) = joined.last {
        joined[joined.count - 1] = .text(text + next)
      } else {
        joined.append(key)
      }
    }
  }
}
