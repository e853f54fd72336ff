@testable import InstantSearchAPI
@testable import AsyncInstantSearchTesting
@testable import LocalSearch

/// A record of the random catalog, in a form that the engine and the naive search both read.
struct OracleRecord: Sendable {
  var objectID: String
  /// Searched attributes in the order of the record: path and values.
  var texts: [(path: String, values: [String])]
  var rank: Int?
  var score: Int?
  /// Other members: facets, numbers, tags and points.
  var other: JSON = [:]

  /// The texts among the other members, by their paths. Some are searched only if they are listed.
  var otherTexts: [(path: String, values: [String])] {
    var texts: [String: [String]] = [:]
    func walk(_ value: JSON, _ path: String) {
      switch value {
      case .string(let text): texts[path, default: []].append(text)
      case .array(let values): for value in values { walk(value, path) }
      case .object(let members):
        for (key, value) in members { walk(value, path.isEmpty ? key : path + "." + key) }
      default: break
      }
    }
    walk(other, "")
    for reserved in ["_tags", "_geoloc"] { texts[reserved] = nil }
    return texts.map { ($0.key, $0.value) }
  }

  /// The record as JSON; `author.name` and `author.bio` become a nested object.
  var json: [UInt8] {
    var members = ["\"objectID\":\"\(objectID)\""]
    var nested: [String: [String]] = [:]
    for text in texts {
      let values = text.values.map { "\"\($0)\"" }
      let value = values.count == 1 ? values[0] : "[\(values.joined(separator: ","))]"
      let path = text.path.split(separator: ".").map(String.init)
      if path.count == 2 {
        nested[path[0], default: []].append("\"\(path[1])\":\(value)")
      } else {
        members.append("\"\(text.path)\":\(value)")
      }
    }
    for (key, inner) in nested { members.append("\"\(key)\":{\(inner.joined(separator: ","))}") }
    if let rank { members.append("\"rank\":\(rank)") }
    if let score { members.append("\"score\":\(score)") }
    for (key, value) in other.objectValue ?? [:] { members.append("\"\(key)\":\(value.text)") }
    return Array("{\(members.joined(separator: ","))}".utf8)
  }
}

/// Seeded records, queries and settings with similar words, so that every rule applies.
struct OracleWorld {
  var generator: SeededGenerator
  /// The words of texts and queries.
  var vocabulary = Self.vocabulary

  static let vocabulary = [
    "red", "read", "reed", "sun", "flower", "sunflower", "sunflowers", "ice", "cream", "icecream",
    "phone", "phones", "iphone", "the", "there", "here", "her", "in", "inside", "side", "black",
    "bird", "blackbird", "blackbirds", "don't", "l'avion", "avion", "hello.world", "hello", "world",
    "sun flower", "black bird", "ice cream", "black birds", "i phone", "hell oworld", "in side",
    "12", "123", "1234", "café", "straße", "strasse", "a", "be", "or", "東京", "B.C.E.", "bce",
    "東京都", "京都", "京", "タワー", "東京タワー", "서울", "ไทย", "red東京",
    "sunFlower", "HTTPServer", "phone12", "iceCream2Go",
  ]

  /// The language of the stop words and of the forms of words.
  static let language: Language = "xx"
  static let stopWords: Set<String> = ["the", "in", "a", "be", "or", "ice", "dont"]
  static let forms = [
    ["phone", "phones", "iphone"], ["bird", "blackbird", "black"], ["sunflower", "sunflowers"],
    ["read", "red"], ["in", "inside"], ["black", "blackbirds"],
  ]
  static let compounds = [
    "sunflower": ["sun", "flower"], "icecream": ["ice", "cream"], "inside": ["in", "side"],
    "blackbirds": ["black", "bird"],
  ]
  /// The same as entries of a dictionary.
  static let dictionaryEntries =
    stopWords.map { DictionaryEntry($0, .stopWord($0), language) }
    + forms.enumerated().map { DictionaryEntry("\($0)", .plural($1), language) }
    + compounds.map { DictionaryEntry($0, .compound($0, parts: $1), language) }

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
  mutating func chance(_ percent: Int) -> Bool { int(0..<100) < percent }
  mutating func pick<Element>(_ list: [Element]) -> Element { list[int(0..<list.count)] }

  mutating func word() -> String {
    let word = pick(vocabulary)
    return chance(15) ? edited(word) : word
  }

  /// A word with a letter changed, removed, inserted or swapped.
  mutating func edited(_ word: String) -> String {
    var letters = Array(word)
    let index = int(0..<letters.count)
    switch int(0..<4) {
    case 0: letters[index] = "x"
    case 1: if letters.count > 2 { letters.remove(at: index) }
    case 2: letters.insert("o", at: index)
    default: if index > 0 { letters.swapAt(index, index - 1) }
    }
    return String(letters)
  }

  mutating func text(_ count: Range<Int>) -> String {
    (0..<int(count)).map { _ in word() }.joined(separator: pick([" ", " ", ", ", "-"]))
  }

  mutating func record(_ number: Int) -> OracleRecord {
    var texts: [(path: String, values: [String])] = [("name", [text(1..<5)])]
    if chance(60) { texts.append(("brand", [text(1..<3)])) }
    if chance(60) { texts.append(("tags", (0..<int(1..<4)).map { _ in text(1..<3) })) }
    if chance(40) { texts.append(("author.name", [text(1..<4)])) }
    if chance(40) { texts.append(("author.bio", [text(1..<6)])) }
    return OracleRecord(
      objectID: "id\(number)", texts: texts, rank: chance(80) ? int(0..<4) : nil,
      score: chance(80) ? int(0..<3) : nil)
  }

  mutating func queryText() -> String {
    var parts = (0..<int(1..<5)).map { _ in
      let word = self.word()
      if word.contains(" ") { return word }
      return chance(20) ? String(word.prefix(int(1..<4))) : chance(20) ? edited(word) : word
    }
    if chance(20) { parts.append("\"\(word()) \(word())\"") }
    if chance(20) { parts.insert("-\(word())", at: int(0..<parts.count + 1)) }
    return parts.joined(separator: " ")
  }

  /// Synonyms of words, also of several, that records and queries have.
  mutating func synonyms() -> [Synonym] {
    func term(_ world: inout OracleWorld) -> String {
      let count = world.chance(60) ? 1 : world.int(2..<4)
      return (0..<count).map { _ in world.pick(world.vocabulary) }.joined(separator: " ")
    }
    return (0..<int(0..<8)).map { number in
      let terms = (0..<int(2..<5)).map { _ in term(&self) }
      let others = terms.dropFirst().filter { $0 != terms[0] }
      let kind: Synonym.Kind =
        switch int(0..<6) {
        case 0: .oneWay(from: terms[0], to: others)
        case 1: .oneTypo(of: terms[0], others)
        case 2: .twoTypos(of: terms[0], others)
        default: .equivalent(terms)
        }
      return Synonym("\(number)", kind)
    }
  }

  mutating func settings() -> IndexSettings {
    IndexSettings { settings in
      settings.searchableAttributes = pick([
        [], ["name", "brand", "tags", "author"], ["name,brand", "unordered(tags)"],
        ["unordered(name)", "tags,author.name"], ["tags", "name"], ["author", "name"],
      ])
      settings.customRanking = pick([[], ["desc(rank)"], ["asc(score)", "desc(rank)"]])
      if chance(25) {
        settings.ranking = pick([
          ["words", "typo", "attribute", "proximity", "exact", "custom"],
          ["desc(score)", "typo", "proximity", "custom"], ["exact", "attribute", "typo"],
        ])
      }
      if chance(20) { settings.disablePrefixOnAttributes = [pick(["name", "tags", "author"])] }
      if chance(20) { settings.disableTypoToleranceOnAttributes = [pick(["name", "brand"])] }
      if chance(20) { settings.disableExactOnAttributes = ["name"] }
      settings.additionalSettings["decompoundedAttributes"] = pick([
        [:], ["xx": ["name"]], ["de": ["tags", "name"]],
        ["xx": ["name", "brand"], "de": ["author"]],
      ])
      // A call that changes settings keeps the ones that it does not name.
      settings.additionalSettings["camelCaseAttributes"] = pick([
        [], [], ["name"], ["tags", "author"], ["name", "brand", "tags", "author"],
      ])
      if chance(20) { settings.disableTypoToleranceOnWords = ["sunflower", "black"] }
      if chance(20) { settings.allowTyposOnNumericTokens = false }
      if chance(20) { settings.minProximity = int(1..<5) }
      if chance(20) { settings.attributeCriteriaComputedByMinProximity = true }
      settings.advancedSyntax = chance(50)
    }
  }

  mutating func query() -> SearchQuery {
    var query = SearchQuery(chance(5) ? "" : queryText())
    if chance(40) { query.queryType = pick([.prefixAll, .prefixNone, .prefixLast]) }
    if chance(40) { query.typoTolerance = pick([false, true, .min, .strict]) }
    if chance(30) {
      query.removeWordsIfNoResults = pick([.lastWords, .firstWords, .allOptional])
    }
    if chance(20) { query.optionalWords = .value(.list([word(), word()])) }
    if chance(15) { query.restrictSearchableAttributes = [pick(["name", "tags", "author"])] }
    if chance(30) {
      query.exactOnSingleWordQuery = pick([
        ExactOnSingleWordQuery.attribute, .word, ExactOnSingleWordQuery.none,
      ])
    }
    if chance(10) { query.synonyms = false }
    if chance(40) { query.removeStopWords = pick([[Self.language], true, ["eo"]]) }
    if chance(40) { query.ignorePlurals = pick([[Self.language], true, ["eo"]]) }
    if chance(30) || query.removeStopWords == true || query.ignorePlurals == true {
      query.queryLanguages = [Self.language]
    }
    if chance(30), query.removeStopWords != true, query.ignorePlurals != true {
      query.queryLanguages = ["de", Self.language]
    }
    if chance(20) { query.decompoundQuery = false }
    if chance(30) {
      query.alternativesAsExact = pick([[], [.multiWordsSynonym], [.singleWordSynonym]])
    }
    if chance(20) { query.minWordSizefor1Typo = int(2..<6) }
    if chance(20) { query.minWordSizefor2Typos = int(5..<8) }
    return query
  }
}
