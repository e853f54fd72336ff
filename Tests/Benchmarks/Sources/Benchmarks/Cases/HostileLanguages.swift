import AsyncInstantSearch
import Foundation
import LocalSearch

// Synonyms, placeholders, compounds and characters that are made to cost much.
extension HostileGroup {
  static func languages(_ file: URL) async throws -> [Case] {
    let long = String(repeating: "a", count: 512)
    func numbered(_ count: Int, _ word: (Int) -> String) -> [String] { (0..<count).map(word) }
    let engines: [(name: String, kinds: [Synonym.Kind], queries: [(String, JSON)])] = [
      (
        "oneLetter",
        (0..<10_000).map { .oneWay(from: "a\($0)", to: numbered(19) { "b\($0)" }) },
        [
          ("letter", ["query": "a"]),
          ("words", ["query": .string(String(repeating: "a ", count: 256))]),
        ]
      ),
      (
        "oneWord",
        (0..<10_000).map { .oneWay(from: "a a\($0) \($0)", to: ["b\($0)", "c d e\($0)"]) },
        [
          ("word", ["query": "a"]),
          ("words", ["query": .string(String(repeating: "a a1 1 ", count: 70))]),
        ]
      ),
      (
        "frequent",
        (0..<100).map {
          .equivalent(numbered(999) { "\($0 % 2 == 0 ? "a" : "e") \($0)" } + ["a\($0)"])
        },
        [("outputs", ["query": .string(numbered(60) { "a\($0)" }.joined(separator: " "))])]
      ),
      (
        "longWords",
        (0..<1000).map { .equivalent([long.dropLast(3) + "\($0 % 900 + 100)", "b\($0)"]) },
        [("prefix", ["query": .string(long)]), ("word", ["query": "b1 b2 b3 b4 b5 b6 b7 b8"])]
      ),
      (
        "cycle",
        (0..<10_000).map { .oneTypo(of: "a\($0)", ["a\(($0 + 1) % 10_000)", "a\($0)x"]) },
        [("words", ["query": .string(numbered(80) { "a\($0)" }.joined(separator: " "))])]
      ),
    ]
    var cases: [Case] = []
    for (name, kinds, queries) in engines {
      let engine = try await catalogue(file)
      let synonyms = kinds.enumerated().map { Synonym("\($0)", $1) }
      try await SearchClient(transport: engine).saveSynonyms(synonyms, in: index).wait()
      // The first query reads all of them.
      let size = try JSON(encoding: synonyms).text.utf8.count
      cases += queries.map { query in
        var query = query
        query.1["ignorePlurals"] = ["en"]
        return search("language.\(name).\(query.0)", query.1.text, of: engine, reading: size)
      }
    }
    return try await cases + placeholders() + compounds() + dictionaries()
  }

  /// Placeholders in each record.
  private static func placeholders() async throws -> [Case] {
    let engine = LocalSearch()
    let client = SearchClient(transport: engine)
    let kinds = (0..<100).map { number in
      Synonym.Kind.placeholder("<p\(number)>", (0..<100).map { "v\($0) w\(number)" })
    }
    try await client.saveSynonyms(
      kinds.enumerated().map { Synonym("\($0)", $1) }, in: "placeholders"
    ).wait()
    let lines = (0..<50_000).map { number in
      #"{"objectID":"\#(number)","t":"for <p\#(number % 100)> <p\#(number % 7)> <open <p1"}"#
    }
    let bytes = Array(lines.joined(separator: "\n").utf8)
    try await engine.load(bytes, into: "placeholders")
    let words = (0..<80).map { "v\($0) w\($0)" }.joined(separator: " ").prefix(512)
    return [("word", "v1 w1"), ("words", String(words)), ("prefix", "v")].map { name, query in
      search(
        "language.placeholders.\(name)", (["query": .string(query)] as JSON).text,
        in: "placeholders", of: engine, reading: bytes.count)
    }
  }

  /// Words that can be divided in many ways, and words inside words.
  private static func compounds() async throws -> [Case] {
    let engine = LocalSearch()
    let settings = IndexSettings {
      $0.additionalSettings["decompoundedAttributes"] = ["de": ["t"]]
      $0.additionalSettings["camelCaseAttributes"] = ["c"]
      $0.searchableAttributes = ["t", "c", "j"]
    }
    try await SearchClient(transport: engine).setSettings(settings, of: "compounds")
    let lines = (0..<20_000).map { number in
      let parts = (0..<60).map { String(repeating: "a", count: 4 + (number + $0) % 9) }.joined()
      return #"{"objectID":"\#(number)","t":"\#(parts.prefix(4 + number % 500))","#
        + #""c":"\#(String(repeating: "aB", count: 50))","j":"\#(String(repeating: "東京", count: 50))"}"#
    }
    let bytes = Array(lines.joined(separator: "\n").utf8)
    try await engine.load(bytes, into: "compounds")
    let german: JSON = ["queryLanguages": ["de"]]
    return [
      ("compound", String(repeating: "a", count: 512)), ("part", "aaaa"),
      ("camelCase", String(repeating: "aB", count: 250)),
      ("run", String(repeating: "東京", count: 80)),
      ("character", "東"),
    ].map { name, query in
      var body = german
      body["query"] = .string(query)
      return search(
        "language.compounds.\(name)", body.text, in: "compounds", of: engine, reading: bytes.count)
    }
  }

  /// Words with many forms, many compounds and many languages.
  private static func dictionaries() async throws -> [Case] {
    func numbered(_ count: Int, _ word: (Int) -> String) -> [String] { (0..<count).map(word) }
    let parts = numbered(90) { "p\($0)" }
    let entries =
      (0..<1500).map {
        DictionaryEntry("c\($0)", .compound("comp\($0)", parts: parts), .german)
      }
      + (0..<900).map { number in
        DictionaryEntry(
          "f\(number)", .plural(["root"] + numbered(99) { "f\(number)x\($0)" }), .german)
      }
    let engine = LocalSearch(configuration: .init(dictionaryEntries: entries))
    let settings = IndexSettings {
      $0.additionalSettings["decompoundedAttributes"] = ["de": ["t"]]
    }
    try await SearchClient(transport: engine).setSettings(settings, of: "dictionaries")
    let lines = numbered(1000) { #"{"objectID":"\#($0)","t":"comp\#($0) f\#($0)x1 p\#($0)"}"# }
    try await engine.load(Array(lines.joined(separator: "\n").utf8), into: "dictionaries")
    let size = try JSON(encoding: entries).text.utf8.count
    let codes = JSON.array(numbered(1000) { "x\($0)" }.map { .string($0) })
    let queries: [(String, JSON)] = [
      ("parts", ["query": .string(parts.joined(separator: " "))]),
      ("forms", ["query": "root", "ignorePlurals": ["de"]]),
      ("languages", ["query": "a b c d", "removeStopWords": codes, "queryLanguages": codes]),
    ]
    return queries.map {
      search(
        "language.dictionaries.\($0.0)", $0.1.text, in: "dictionaries", of: engine, reading: size)
    }
  }
}
