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
    ("ＡＢＣ１", "abc1"), ("ﾊﾟ", "ハ"), ("m²", "m²"), ("Ĳ", "ij"), ("ǅ", "dz"), ("ſ", "s"),
  ])
  func lettersAreFolded(text: String, expected: String) {
    expectEqual(TextNormalizer().normalized(text), expected)
  }

  @Test func combiningMarksAreDropped() {
    expectEqual(TextNormalizer().normalized("e\u{301}o\u{308}"), "eo")
    expectEqual(TextNormalizer().normalized("soft\u{AD}hyphen"), "softhyphen")
    expectEqual(TextNormalizer().normalized("か\u{3099}"), "か")
  }

  @Test func precomposedAndDecomposedFormsAreTheSame() {
    for value in UInt32(0xC0)...0x24F {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let upper = String(scalar).uppercased()
      if upper.unicodeScalars.count == 1, upper.lowercased() == String(scalar).lowercased() {
        expectEqual(
          TextNormalizer().normalized(upper), TextNormalizer().normalized(String(scalar)),
          "\(scalar) \(upper)")
      }
    }
  }

  @Test func keptCharactersKeepTheirDiacriticsInBothCasesAndForms() {
    let normalizer = TextNormalizer(keepingDiacriticsOn: "øé")
    expectEqual(normalizer.normalized("SØREN café"), "søren café")
    expectEqual(normalizer.normalized("cafe\u{301}"), "café")
    expectEqual(normalizer.normalized("É Ü"), "é u")
  }

  @Test func normalizingTwiceChangesNothing() {
    let text = String(
      String.UnicodeScalarView((0x20..<0x2000).compactMap { Unicode.Scalar(UInt32($0)) }))
    let once = TextNormalizer().normalized(text)
    expectEqual(TextNormalizer().normalized(once), once)
  }
}
