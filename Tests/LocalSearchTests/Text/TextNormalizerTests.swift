import AsyncInstantSearchTesting
import Foundation
import LocalSearch
import TestSupport
import Testing

struct TextNormalizerTests {
  @Test(arguments: [
    ("Hello", "hello"), ("ÀÉÎÕÜ", "aeiou"), ("Łódź", "lodz"), ("Đoko", "doko"), ("Søren", "soren"),
    ("straße", "strasse"), ("GROẞ", "gross"), ("Æsir", "aesir"), ("œuvre", "oeuvre"),
    ("Þór", "thor"), ("ĳ", "ij"), ("ﬁne", "fine"), ("İstanbul", "istanbul"), ("ñandú", "nandu"),
    ("Ελλάδα", "ελλαδα"), ("ΣΟΦΌΣ", "σοφοσ"), ("σοφός", "σοφοσ"), ("ᾳ", "α"), ("Ёлка", "елка"),
    ("Київ", "киів"), ("Йод", "иод"), ("ガギグ", "カキク"), ("ぱば", "はは"), ("Việt Nam", "viet nam"),
    ("ＡＢＣ１", "abc1"), ("ﾊﾟ", "ハ"), ("m²", "m2"), ("H₂O", "h2o"), ("⑧ ⅷ", "8 viii"),
    ("10㎜", "10mm"),
    ("١٢٣ ४", "123 4"), ("ﺍﻷﻣﺮ", "الامر"), ("أحمد إبراهيم آمنة ٱ", "احمد ابراهيم امنة ا"),
    ("Ɗan Ɓatsari", "dan batsari"), ("ɗan ɓatsari", "dan batsari"), ("Ⱥⱥ", "aa"),
    ("½ ⑴ ™", "½ ⑴ ™"),
    ("한글", "한글"), ("ㄱㅏ", "ㄱㅏ"), ("\u{F900}", "\u{8C48}"), ("𝐇𝐢", "hi"),
    ("a\u{2060}b\u{FEFF}c", "abc"),
    ("Ĳ", "ij"), ("ǅ", "dz"), ("ſ", "s"),
  ])
  func lettersAreFolded(text: String, expected: String) {
    expectEqual(TextNormalizer().normalized(text), expected)
  }

  @Test func combiningMarksAreDropped() {
    expectEqual(TextNormalizer().normalized("e\u{301}o\u{308}"), "eo")
    expectEqual(TextNormalizer().normalized("soft\u{AD}hyphen"), "softhyphen")
    expectEqual(TextNormalizer().normalized("か\u{3099}"), "か")
  }

  private static let letters = (0x80...0x10FFFF).compactMap { Unicode.Scalar($0) }.filter {
    $0.properties.generalCategory != .unassigned && $0.properties.generalCategory != .privateUse
  }

  /// The letters that have a canonical decomposition, and it.
  private static let decompositions = letters.compactMap { letter -> (String, String)? in
    let decomposed = String(letter).decomposedStringWithCanonicalMapping
    return decomposed.unicodeScalars.elementsEqual([letter]) ? nil : (String(letter), decomposed)
  }

  @Test func composedAndDecomposedLettersAreTheSame() {
    #expect(Self.decompositions.count > 13_000)
    for (composed, decomposed) in Self.decompositions {
      let words = (TextNormalizer().normalized("k\(composed)k"), "k\(decomposed)k")
      expectEqual(words.0, TextNormalizer().normalized(words.1), "\(composed)")
    }
  }

  /// Texts of letters and marks in any order, and the forms that are equal to them.
  @Test(arguments: Seed.all(300)) func canonicallyEqualTextsAreTheSame(seed: Seed) {
    var generator = SeededGenerator(seed: seed.value)
    let marks = Self.letters.filter { $0.properties.canonicalCombiningClass != .notReordered }
    for _ in 0..<20 {
      var text = "a"
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        if Bool.random(using: &generator), let mark = marks.randomElement(using: &generator) {
          text.unicodeScalars.append(mark)
        } else if let letter = Self.decompositions.randomElement(using: &generator) {
          text += Bool.random(using: &generator) ? letter.0 : letter.1
        }
      }
      let folded = TextNormalizer().normalized(text)
      for other in [
        text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping,
      ] {
        let word = TextNormalizer().normalized(other)
        #expect(
          word.utf8.elementsEqual(folded.utf8),
          "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
      }
    }
  }

  @Test func lettersOfBothCasesAreTheSame() {
    for letter in Self.letters {
      let lower = letter.properties.lowercaseMapping
      expectEqual(
        TextNormalizer().normalized(lower), TextNormalizer().normalized(String(letter)),
        "\(letter)")
      let upper = letter.properties.uppercaseMapping
      if upper.unicodeScalars.count == 1, upper.lowercased() == String(letter).lowercased() {
        expectEqual(
          TextNormalizer().normalized(upper), TextNormalizer().normalized(String(letter)),
          "\(letter) \(upper)")
      }
    }
  }

  /// A row of marks takes time in proportion to its length.
  @Test func manyMarksAreOrderedAsFarAsTextsHaveThem() {
    let (low, high) = ("\u{0E38}", "\u{0E48}")
    func word(_ marks: String) -> String { TextNormalizer().normalized("ก" + marks) }
    expectEqual(
      word(String(repeating: high, count: 32) + low), word(low + String(repeating: high, count: 32))
    )
    expectEqual(word(String(repeating: high + low, count: 20_000)).unicodeScalars.count, 40_001)
  }

  @Test func keptCharactersKeepTheirDiacriticsInBothCasesAndForms() {
    let normalizer = TextNormalizer(keepingDiacriticsOn: "øé")
    expectEqual(normalizer.normalized("SØREN café"), "søren café")
    expectEqual(normalizer.normalized("cafe\u{301}"), "café")
    expectEqual(normalizer.normalized("É Ü"), "é u")
  }

  @Test func normalizingTwiceChangesNothing() {
    for letter in Self.letters {
      let once = TextNormalizer().normalized(String(letter))
      expectEqual(TextNormalizer().normalized(once), once)
    }
  }
}
