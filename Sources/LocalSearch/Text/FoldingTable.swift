/// The normalized form of one scalar.
enum FoldedScalar: Sendable, Equatable {
  /// One scalar.
  case scalar(Unicode.Scalar)
  /// Two or three ASCII letters, such as `ss` for `ß`.
  case letters(StaticString)
  /// Nothing, for a combining mark or an invisible character.
  case dropped

  static func == (left: FoldedScalar, right: FoldedScalar) -> Bool {
    switch (left, right) {
    case (.scalar(let left), .scalar(let right)): left == right
    case (.letters(let left), .letters(let right)): left.description == right.description
    case (.dropped, .dropped): true
    default: false
    }
  }
}

/// Lowercase and base letters by scalar.
enum FoldingTable {
  /// Returns the lowercase base letter of `scalar`, or its other normalized form.
  ///
  /// Scalars outside the tables are lowercased by the Unicode mapping if that is one scalar.
  static func fold(_ scalar: Unicode.Scalar) -> FoldedScalar {
    let value = scalar.value
    if value < 0x80 {
      return .scalar(value &- 0x41 < 26 ? lowered(value) : scalar)
    }
    if isDropped(value) { return .dropped }
    var entry = tableEntry(of: value)
    if entry == 0 {
      let lower = lowercased(scalar)
      entry = tableEntry(of: lower.value)
      if entry == 0 { return .scalar(lower) }
    }
    if entry & expansionFlag != 0 {
      return .letters(FoldingRows.expansions[Int(entry & ~expansionFlag)].letters)
    }
    return .scalar(Unicode.Scalar(entry) ?? scalar)
  }

  /// Returns `scalar` in lowercase with its diacritics.
  static func lowercased(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.value < 0x80 { return scalar.value &- 0x41 < 26 ? lowered(scalar.value) : scalar }
    let mapping = scalar.properties.lowercaseMapping.unicodeScalars
    guard let first = mapping.first, mapping.count == 1 else { return scalar }
    return first
  }

  /// Whether normalized text omits the scalar: combining diacritics, vowel points, kana voicing
  /// marks, variation selectors, soft hyphens and joiners.
  static func isDropped(_ value: UInt32) -> Bool {
    switch value {
    case 0x00AD, 0x0300...0x036F: true
    case 0x0483...0x0487, 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7: true
    case 0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670: true
    case 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x200C...0x200D, 0x20D0...0x20FF: true
    case 0x3099...0x309A, 0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xFF9E...0xFF9F: true
    default: false
    }
  }

  /// Marks an entry that is an index into ``FoldingRows/expansions``.
  private static let expansionFlag: UInt32 = 0x8000_0000

  /// The entry of a scalar, or 0 outside the tables.
  private static func tableEntry(of value: UInt32) -> UInt32 {
    switch value {
    case 0..<0x2000: low[Int(value)]
    case 0x3040...0x30FF: kana[Int(value &- 0x3040)]
    case 0xFB00...0xFFFF: forms[Int(value &- 0xFB00)]
    default: 0
    }
  }

  private static let low = table(from: 0, count: 0x2000)
  private static let kana = table(from: 0x3040, count: 0xC0)
  private static let forms = table(from: 0xFB00, count: 0x500)

  private static func lowered(_ value: UInt32) -> Unicode.Scalar {
    Unicode.Scalar(UInt8(truncatingIfNeeded: value | 0x20))
  }

  /// Expands the rows inside `first..<first + count` into a table with an entry per scalar.
  private static func table(from first: UInt32, count: Int) -> [UInt32] {
    var table = [UInt32](repeating: 0, count: count)
    func set(_ scalar: UInt32, _ entry: UInt32) {
      if scalar >= first, Int(scalar - first) < count { table[Int(scalar - first)] = entry }
    }
    for row in FoldingRows.rows {
      for (index, folded) in row.folded.unicodeScalars.enumerated() {
        set(row.first + UInt32(index), folded.value)
      }
    }
    set(0xAA, 0x61)
    set(0xBA, 0x6F)
    set(0xB5, 0x3BC)
    for letter in 0..<UInt32(26) {
      set(0xFF21 + letter, 0x61 + letter)
      set(0xFF41 + letter, 0x61 + letter)
    }
    for digit in 0..<UInt32(10) { set(0xFF10 + digit, 0x30 + digit) }
    for (index, expansion) in FoldingRows.expansions.enumerated() {
      set(expansion.scalar, expansionFlag | UInt32(index))
    }
    return table
  }
}

/// The folded, lowercase form of every scalar in the ranges whose letters carry diacritics.
///
/// Each row lists, for each scalar from `first` on, the lowercase base letter of the canonical
/// decomposition. Letters whose stroke or hook is not a combining mark (`ø`, `ł`, `đ`) are folded
/// to their base letter too. A scalar that does not change is listed as itself. ``expansions`` has
/// letters that fold to several.
enum FoldingRows {
  /// Consecutive scalars, and the scalars they fold to.
  struct Row {
    let first: UInt32
    let folded: String

    init(_ first: UInt32, _ folded: String) {
      self.first = first
      self.folded = folded
    }
  }

  /// Letters that fold to more than one ASCII letter.
  static let expansions: [(scalar: UInt32, letters: StaticString)] = [
    (0x00C6, "ae"), (0x00DE, "th"), (0x00DF, "ss"), (0x00E6, "ae"), (0x00FE, "th"),
    (0x0132, "ij"), (0x0133, "ij"), (0x0152, "oe"), (0x0153, "oe"), (0x0195, "hv"),
    (0x01C4, "dz"), (0x01C5, "dz"), (0x01C6, "dz"), (0x01C7, "lj"), (0x01C8, "lj"),
    (0x01C9, "lj"), (0x01CA, "nj"), (0x01CB, "nj"), (0x01CC, "nj"), (0x01E2, "ae"),
    (0x01E3, "ae"), (0x01F1, "dz"), (0x01F2, "dz"), (0x01F3, "dz"), (0x01F6, "hv"),
    (0x01FC, "ae"), (0x01FD, "ae"), (0x0238, "db"), (0x0239, "qp"), (0x1E9E, "ss"),
    (0x1EFA, "ll"), (0x1EFB, "ll"), (0xFB00, "ff"), (0xFB01, "fi"), (0xFB02, "fl"),
    (0xFB03, "ffi"), (0xFB04, "ffl"), (0xFB05, "st"), (0xFB06, "st"),
  ]

  static let rows: [Row] = [
    // Latin-1 letters, Latin Extended-A and -B.
    Row(
      0x00C0,
      """
      aaaaaaÆceeeeiiiidnooooo×ouuuuyÞßaaaaaaæceeeeiiiidnooooo÷ouuuuyþyaaaaaaccccccccdd\
      ddeeeeeeeeeegggggggghhhhiiiiiiiiiiĲĳjjkkkllllllllllnnnnnnnnnooooooŒœrrrrrrssssss\
      ssttttttuuuuuuuuuuuuwwyyyzzzzzzsbbbbƅƅɔccddddƍǝəɛffgɣƕɩikklƛɯnnɵooƣƣppʀƨƨʃƪttttu\
      uʊvyyzzʒƹƹƺƻƽƽƾƿǀǁǂǃǄǅǆǇǈǉǊǋǌaaiioouuuuuuuuuuǝaaaaǢǣggggkkooooʒʒjǱǲǳggǶƿnnaaǼǽoo\
      aaaaeeeeiiiioooorrrruuuussttȝȝhhndȣȣzzaaeeooooooooyylntȷȸȹaccltszɂɂbʉʌeejjqqrryy
      """),
    // Greek.
    Row(
      0x0370,
      """
      ͱͱͳͳʹ\u{375}ͷͷ\u{378}\u{379}ͺͻͼͽ;ϳ\u{380}\u{381}\u{382}\u{383}\u{384}\u{A8}α·εηι\
      \u{38B}ο\u{38D}υωιαβγδεζηθικλμνξοπρ\u{3A2}στυφχψωιυαεηιυαβγδεζηθικλμνξοπρσστυφχψ\
      ωιυουωϗβθϒϒϒφπϗϙϙϛϛϝϝϟϟϡϡϣϣϥϥϧϧϩϩϫϫϭϭϯϯκρσϳθε϶ϸϸσϻϻϼͻͼͽ
      """),
    // Cyrillic.
    Row(
      0x0400,
      """
      ееђгєѕііјљњћкиуџабвгдежзииклмнопрстуфхцчшщъыьэюяабвгдежзииклмнопрстуфхцчшщъыьэюя\
      ееђгєѕііјљњћкиуџѡѡѣѣѥѥѧѧѩѩѫѫѭѭѯѯѱѱѳѳѵѵѵѵѹѹѻѻѽѽѿѿҁҁ҂\u{483}\u{484}\u{485}\u{486}\
      \u{487}҈҉ҋҋҍҍҏҏґґғғҕҕҗҗҙҙққҝҝҟҟҡҡңңҥҥҧҧҩҩҫҫҭҭүүұұҳҳҵҵҷҷҹҹһһҽҽҿҿӏжжӄӄӆӆӈӈӊӊӌӌӎӎӏа\
      аааӕӕееәәәәжжззӡӡииииооөөөөээууууууччӷӷыыӻӻӽӽӿӿԁԁԃԃԅԅԇԇԉԉԋԋԍԍԏԏԑԑԓԓԕԕԗԗԙԙԛԛԝԝԟԟԡ\
      ԡԣԣԥԥԧԧԩԩԫԫԭԭԯԯ
      """),
    // Latin Extended Additional.
    Row(
      0x1E00,
      """
      aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooo\
      oooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwyasẜẝẞẟ\
      aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuu\
      uuyyyyyyyyỺỻvvyy
      """),
    // Greek Extended.
    Row(
      0x1F00,
      """
      ααααααααααααααααεεεεεε\u{1F16}\u{1F17}εεεεεε\u{1F1E}\u{1F1F}ηηηηηηηηηηηηηηηηιιιι\
      ιιιιιιιιιιιιοοοοοο\u{1F46}\u{1F47}οοοοοο\u{1F4E}\u{1F4F}υυυυυυυυ\u{1F58}υ\
      \u{1F5A}υ\u{1F5C}υ\u{1F5E}υωωωωωωωωωωωωωωωωααεεηηιιοουυωω\u{1F7E}\u{1F7F}ααααααα\
      αααααααααηηηηηηηηηηηηηηηηωωωωωωωωωωωωωωωωααααα\u{1FB5}ααααααα\u{1FBD}ι\u{1FBF}\
      \u{1FC0}\u{A8}ηηη\u{1FC5}ηηεεηηη\u{1FBF}\u{1FBF}\u{1FBF}ιιιι\u{1FD4}\u{1FD5}ιιιι\
      ιι\u{1FDC}\u{1FFE}\u{1FFE}\u{1FFE}υυυυρρυυυυυυρ\u{A8}\u{A8}\u{60}\u{1FF0}\
      \u{1FF1}ωωω\u{1FF5}ωωοοωωω\u{B4}\u{1FFE}\u{1FFF}
      """),
    // Hiragana and Katakana.
    Row(
      0x3041,
      """
      ぁあぃいぅうぇえぉおかかききくくけけここささししすすせせそそたたちちっつつててととなにぬねのはははひひひふふふへへへほほほまみむめもゃやゅゆょよらりるれろゎわゐ\
      ゑをんうゕゖ\u{3097}\u{3098}\u{3099}\u{309A}\u{309B}\u{309C}ゝゝゟ゠ァアィイゥウェエォオカカキキククケケココササ\
      シシススセセソソタタチチッツツテテトトナニヌネノハハハヒヒヒフフフヘヘヘホホホマミムメモャヤュユョヨラリルレロヮワヰヱヲンウヵヶワヰヱヲ・ーヽヽヿ
      """),
    // Halfwidth Katakana.
    Row(
      0xFF66,
      """
      ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン
      """),
  ]
}
