import AsyncInstantSearchTesting
import LocalSearch
import TestSupport
import Testing

struct TokenizerTests {
  private func words(_ text: String, _ tokenizer: Tokenizer = Tokenizer()) throws -> [String] {
    try tokenizer.tokens(of: text, CancellationCheck()).map { "\($0.word)@\($0.position)" }
  }

  @Test(arguments: [
    ("", []), ("  ,;- ", []), ("Hello, World!", ["hello@0", "world@1"]),
    ("wi-fi", ["wi@0", "fi@1"]), ("m55 x2", ["m55@0", "x2@1"]),
    ("hello.world", ["hello@0", "world@1", "helloworld@0"]),
    ("B.C.E. then", ["bce@0", "then@1"]), ("don't", ["don@0", "dont@0"]),
    ("l'avion vole", ["avion@0", "lavion@0", "vole@1"]), ("l’avion", ["avion@0", "lavion@0"]),
    ("rock'n'roll", ["rock@0", "roll@1", "rocknroll@0"]), ("3.14", ["314@0"]),
    ("end. Next", ["end@0", "next@1"]), ("a..b", ["a@0", "b@1"]),
    ("ACME® inc", ["acme@0", "inc@1"]),
    ("東京タワー", ["東京@0", "京タ@1", "タワ@2", "ワー@3", "ー@4"]), ("すし", ["すし@0", "し@1"]),
    ("京 都", ["京@0", "都@1"]), ("iPhone東京", ["iphone@0", "東京@1", "京@2"]),
    ("서울", ["서울@0", "울@1"]), ("ไทย", ["ไท@0", "ทย@1", "ย@2"]),
    ("Ünï cödé", ["uni@0", "code@1"]), ("हिन्दी", ["हिन्दी@0"]), ("😀 smile", ["smile@0"]),
  ])
  func wordsAreFound(text: String, expected: [String]) throws {
    try expectEqual(words(text), expected)
  }

  @Test func rangesAreBytesOfTheOriginalText() throws {
    let text = "Été, l'Âme — ß.strasse"
    let bytes = Array(text.utf8)
    let found = try Tokenizer().tokens(of: text, CancellationCheck()).map {
      (String(decoding: bytes[$0.range], as: UTF8.self), $0.word)
    }
    expectEqual(found.map(\.0), ["Été", "Âme", "l'Âme", "strasse", "ß.strasse"])
    expectEqual(found.map(\.1), ["ete", "ame", "lame", "strasse", "ssstrasse"])
  }

  @Test func indexedSeparatorsAreWords() throws {
    let tokenizer = Tokenizer(separatorsToIndex: "#+.")
    try expectEqual(words("C# and C++", tokenizer), ["c@0", "#@1", "and@2", "c@3", "+@4", "+@5"])
    try expectEqual(words("a.b", tokenizer), ["a@0", ".@1", "b@2"])
  }

  @Test func keptDiacriticsStayInWords() throws {
    let tokenizer = Tokenizer(keepDiacriticsOnCharacters: "é")
    try expectEqual(words("Café crème cafe\u{301}s", tokenizer), ["café@0", "creme@1", "cafés@2"])
  }

  @Test func marksAfterSingleCharactersBelongToThem() throws {
    try expectEqual(words("か\u{3099}く"), ["かく@0", "く@1"])
    // Syllables of letters are one character.
    try expectEqual(words("\u{1109}\u{1165}\u{110B}\u{116E}\u{11AF}"), ["서울@0", "울@1"])
  }

  @Test(arguments: Seed.all(300))
  func rangesAreInsideTheTextAndInOrder(seed: Seed) throws {
    let alphabet = Array("aé.'東か \u{301}-®ßXあ9\u{200D}ｱ")
    var generator = SeededGenerator(seed: seed.value)
    let text = String(
      (0..<Int.random(in: 0..<20, using: &generator)).compactMap { _ in
        alphabet.randomElement(using: &generator)
      })
    let bytes = Array(text.utf8)
    var lastPosition = -1
    for token in try Tokenizer().tokens(of: text, CancellationCheck()) {
      #expect(token.range.upperBound <= bytes.count, "seed \(seed.value)")
      #expect(!token.range.isEmpty && !token.word.isEmpty, "seed \(seed.value)")
      #expect(String(validating: bytes[token.range], as: UTF8.self) != nil, "seed \(seed.value)")
      #expect(token.position <= lastPosition + 1, "seed \(seed.value)")
      lastPosition = max(lastPosition, token.position)
    }
  }
}
