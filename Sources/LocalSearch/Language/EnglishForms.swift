/// The singular and plural forms of English nouns, by rules and a table of irregular nouns.
///
/// Words are normalized. A form may be a word that does not exist, which no record contains.
enum EnglishForms {
  /// The length of the shortest word with other forms.
  private static let minimumLength = 3

  /// Returns the other forms of a word: plurals, singulars, and the plurals of these.
  static func forms(of word: String) -> [String] {
    guard word.utf8.count >= minimumLength, word.utf8.allSatisfy({ 0x61...0x7A ~= $0 }) else {
      return []
    }
    let singulars = singulars(of: word)
    var forms: [String] = []
    for form in plurals(of: word) + singulars + singulars.flatMap(plurals(of:))
    where form != word && !forms.contains(form) {
      forms.append(form)
    }
    return forms
  }

  // MARK: Plurals

  private static func plurals(of word: String) -> [String] {
    if let irregular = irregularPlurals[word] { return irregular }
    for head in compoundHeads where word.hasSuffix(head) {
      return irregularPlurals[head, default: []].map { word.dropLast(head.count) + $0 }
    }
    if word.hasSuffix("man"), !regularMan.contains(word) { return [word.dropLast(2) + "en"] }
    if word.hasSuffix("sis"), word.count > 4 { return [word.dropLast(2) + "es"] }
    let bytes = Array(word.utf8)
    let (last, before) = (bytes[bytes.count - 1], bytes[bytes.count - 2])
    switch last {
    case UInt8(ascii: "y") where !isVowel(before) || word.hasSuffix("quy"):
      return [word.dropLast() + "ies"]
    case UInt8(ascii: "s"), UInt8(ascii: "x"), UInt8(ascii: "z"):
      return [word + "es"]
    case UInt8(ascii: "h") where before == UInt8(ascii: "c") || before == UInt8(ascii: "s"):
      return [word + "es"]
    case UInt8(ascii: "o") where !isVowel(before):
      return [word + "s", word + "es"]
    default:
      return [word + "s"]
    }
  }

  private static func isVowel(_ letter: UInt8) -> Bool {
    switch letter {
    case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"),
      UInt8(ascii: "u"):
      true
    default: false
    }
  }

  // MARK: Singulars

  /// The endings of plurals, with the endings of their singulars.
  private static let endings = [
    ("ies", "y"), ("ses", "s"), ("ses", "sis"), ("xes", "x"), ("zes", "z"), ("ches", "ch"),
    ("shes", "sh"), ("oes", "o"), ("s", ""), ("men", "man"),
  ]

  /// Returns the words whose plural is a word.
  private static func singulars(of word: String) -> [String] {
    var found = irregularSingulars[word] ?? []
    for head in compoundHeads {
      for plural in irregularPlurals[head, default: []]
      where word.hasSuffix(plural) && word != plural {
        found.append(word.dropLast(plural.count) + head)
      }
    }
    guard !["ss", "us", "is"].contains(where: word.hasSuffix), !notPlural.contains(word) else {
      return found
    }
    for (plural, singular) in endings where word.hasSuffix(plural) {
      let candidate = String(word.dropLast(plural.count)) + singular
      if candidate.utf8.count >= minimumLength, plurals(of: candidate).contains(word) {
        found.append(candidate)
      }
    }
    return found
  }

  private static let irregularSingulars: [String: [String]] = {
    var result: [String: [String]] = [:]
    for (singular, plurals) in irregularPlurals.sorted(by: { $0.key < $1.key }) {
      for plural in plurals { result[plural, default: []].append(singular) }
    }
    return result
  }()
}
