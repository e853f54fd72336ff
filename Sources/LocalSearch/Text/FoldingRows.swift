/// The folded, lower-case form of every scalar of the ranges in which letters carry diacritics.
///
/// Each row lists, scalar by scalar from `first` on, the base letter of the canonical decomposition
/// in lower case; letters whose stroke or hook is no combining mark (`ø`, `ł`, `đ`) are folded to
/// their base letter too. A scalar that does not change is listed as itself. Letters that fold to
/// several are in ``expansions``.
enum FoldingRows {
  /// A run of scalars and the scalars they fold to.
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
