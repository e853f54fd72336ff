import AsyncInstantSearch
import Foundation
import LocalSearch

/// The cases of ``HostileInput``: queries of a catalogue, records, words of languages, and
/// calls to cancel.
enum HostileGroup {
  typealias Case = HostileInput.Case

  static let index = "products"

  /// The groups, each with its name and what makes its cases.
  static func all(_ file: URL) -> [(name: String, cases: () async throws -> [Case])] {
    [
      ("query", { try await queries(file) }), ("record", { try await records() }),
      ("facet", { try await facets() }), ("scalar", { try await scalars() }),
      ("write", { try await writes(file) }), ("language", { try await languages(file) }),
    ]
  }

  static func catalogue(_ file: URL) async throws -> LocalSearch {
    let engine = LocalSearch()
    try await SearchClient(transport: engine).setSettings(EngineCatalogue.settings, of: index)
    try await engine.load(contentsOf: file, into: index)
    return engine
  }

  /// Makes a call, and checks the status.
  private static func send(
    _ request: TransportRequest, to engine: LocalSearch, status: Int = 200
  ) async throws -> Int {
    let response = try await engine.send(request)
    guard response.status == status else {
      throw Mismatch(description: String(decoding: response.body.prefix(300), as: UTF8.self))
    }
    return response.body.count
  }

  static func search(
    _ name: String, _ body: String, in index: String = index, of engine: LocalSearch,
    status: Int = 200, reading size: Int = 0
  ) -> Case {
    let body = Array(body.utf8)
    return Case(name: name, input: body.count + size) {
      try await send(
        TransportRequest(.search(index: index), body: body), to: engine, status: status)
    }
  }

  // MARK: Queries

  private static func queries(_ file: URL) async throws -> [Case] {
    let engine = try await catalogue(file)
    let long = (0..<50).map { "word\($0)abcd" }.joined(separator: " ").prefix(512)
    let prefixes = (0..<170).map { String(UnicodeScalar(UInt8(97 + $0 % 26))) + "a" }
      .joined(separator: " ").prefix(512)
    func strings(_ texts: some Sequence<String>) -> JSON { .array(texts.map { .string($0) }) }
    let numbers = 0..<10_000
    let values = numbers.map { "brand:brand\($0)" }
    let star = numbers.flatMap { step -> [JSON] in
      // Points anywhere, so that a third of the lines is at every latitude.
      [.int(Int64(step &* 7919 % 161 - 80)), .int(Int64(step &* 104_729 % 341 - 170))]
    }
    func parentheses(_ count: Int) -> String {
      String(repeating: "(", count: count) + "brand:a" + String(repeating: ")", count: count)
    }
    let nested = (0..<17).reduce(JSON.string("brand:a")) { list, _ in [list] }
    let queries: [(String, JSON)] = [
      ("letters", ["query": .string(String(repeating: "a", count: 512))]),
      ("words", ["query": .string(String(repeating: "a ", count: 256))]),
      ("longWords", ["query": .string(String(long))]),
      ("sixtyLetters", ["query": .string(String(repeating: "ab", count: 30))]),
      ("prefixes", ["query": .string(String(prefixes)), "queryType": "prefixAll"]),
      (
        "optionalPrefixes",
        [
          "query": .string(String(prefixes)), "queryType": "prefixAll",
          "optionalWords": .string(String(prefixes)),
        ]
      ),
      (
        "removedPrefixes",
        [
          "query": .string(String(prefixes)), "queryType": "prefixAll",
          "removeWordsIfNoResults": "allOptional",
        ]
      ),
      ("facetFiltersOr", ["facetFilters": [strings(values)]]),
      (
        "facetFiltersNot",
        ["facetFilters": strings(numbers.map { "brand:-brand\($0)" })]
      ),
      ("filters", ["filters": .string(values.joined(separator: " OR "))]),
      ("filtersNot", ["filters": .string(values.map { "NOT \($0)" }.joined(separator: " AND "))]),
      ("notEqual", ["numericFilters": strings(numbers.map { "price != \($0 + 20_000)" })]),
      ("notEqualPrices", ["numericFilters": strings(numbers.map { "price != \($0 % 100).5" })]),
      ("optionalFilters", ["optionalFilters": strings(values)]),
      (
        "optionalPrices",
        ["optionalFilters": strings(numbers.map { "price:\($0 % 100).5<score=\($0 % 9 + 1)>" })]
      ),
      ("polygon", ["insidePolygon": [.array(star)]]),
      ("parentheses100", ["filters": .string(parentheses(100))]),
    ]
    let refused: [(String, JSON)] = [
      ("parentheses101", ["filters": .string(parentheses(101))]),
      ("parentheses100000", ["filters": .string(parentheses(100_000))]),
      ("nestedFilters", ["facetFilters": nested]),
    ]
    var cases = queries.map { search("query." + $0.0, $0.1.text, of: engine) }
    cases += refused.map { search("query." + $0.0, $0.1.text, of: engine, status: 400) }
    let deep = #"{"userData":"# + String(repeating: "[", count: 100_000)
    cases.append(search("query.jsonDepth", deep, of: engine, status: 400))
    // Words that most records have.
    cases.append(
      search(
        "query.frequent", #"{"query":"a e i o u","queryType":"prefixAll","facets":["*"]}"#,
        of: engine))
    return cases
  }

  // MARK: Records

  private static func save(
    _ name: String, _ record: String, in index: String, status: Int = 200,
    _ engine: LocalSearch
  ) -> Case {
    let body = Array(record.utf8)
    return Case(name: name, input: body.count) {
      try await send(
        TransportRequest(
          .replaceObject(index: index, objectID: "1"), body: body, callType: .write),
        to: engine, status: status)
    }
  }

  private static func records() async throws -> [Case] {
    let engine = LocalSearch()
    let text = (0..<600_000).map { "w\($0 % 90_000)" }.joined(separator: " ")
    let members = (0..<50_000).map {
      #""attribute\#($0)":"\#(String(repeating: "value ", count: 13))""#
    }
    let numbers = (0..<600_000).map { String($0 % 9_000_000) }.joined(separator: ",")
    let texts: [(name: String, record: String, queries: [(String, JSON)])] = [
      (
        "longWord", (["t": .string(String(repeating: "a", count: 1_000_000))] as JSON).text,
        [("search", ["query": "a"])]
      ),
      (
        "letters", (["t": .string(String(repeating: "a b ", count: 250_000))] as JSON).text,
        [
          ("search", ["query": "a b"]),
          ("snippet", ["query": "a b", "attributesToSnippet": ["t:20"]]),
          ("longSnippet", ["query": "a b", "attributesToSnippet": ["t:400000"]]),
        ]
      ),
      (
        "text", (["t": .string(text)] as JSON).text,
        [("oneWord", ["query": "w77"]), ("threeWords", ["query": "w77 w88 w99"])]
      ),
      (
        "attributes", "{" + members.joined(separator: ",") + "}",
        [
          ("search", ["query": "value"]),
          ("objectID", ["attributesToRetrieve": ["objectID"], "attributesToHighlight": []]),
        ]
      ),
      (
        "numbers", #"{"n":[\#(numbers)]}"#,
        [
          ("objectID", ["attributesToRetrieve": ["objectID"]]),
          ("bare", ["attributesToRetrieve": ["objectID"], "attributesToHighlight": []]),
        ]
      ),
    ]
    var cases: [Case] = []
    for (name, record, queries) in texts {
      cases.append(save("record.\(name).save", record, in: name, engine))
      for (kind, query) in queries {
        cases.append(
          search(
            "record.\(name).\(kind)", query.text, in: name, of: engine, reading: record.utf8.count))
      }
    }
    for depth in [199, 200] {
      let array = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      cases.append(
        save(
          "record.depth\(depth + 1)", #"{"a":\#(array)}"#, in: "deep",
          status: depth == 199 ? 200 : 400, engine))
    }
    return cases
  }

  // MARK: Facets and characters

  private static func facets() async throws -> [Case] {
    let engine = LocalSearch()
    try await SearchClient(transport: engine).setSettings(
      IndexSettings(attributesForFaceting: ["searchable(v)"]), of: "unique")
    let lines = (0..<100_000).map { #"{"objectID":"\#($0)","v":"value \#($0 &* 7919)"}"# }
    let bytes = Array(lines.joined(separator: "\n").utf8)
    return [
      Case(name: "facet.load", input: bytes.count) {
        try await engine.load(bytes, into: "unique").count
      },
      search("facet.count", #"{"facets":["v"]}"#, in: "unique", of: engine, reading: bytes.count),
      search(
        "facet.alpha", #"{"facets":["v"],"sortFacetValuesBy":"alpha"}"#, in: "unique", of: engine,
        reading: bytes.count),
      Case(name: "facet.search", input: bytes.count) {
        try await send(
          TransportRequest(
            .facetValues(index: "unique", facet: "v"), body: Array(#"{"facetQuery":"val 7"}"#.utf8)),
          to: engine)
      },
    ]
  }

  /// Every character as a word of its own, and all of them in queries.
  private static func scalars() async throws -> [Case] {
    let engine = LocalSearch()
    let scalars = (UInt32(0)...0x10FFFF).compactMap(UnicodeScalar.init)
    func texts(of count: Int) -> [String] {
      stride(from: 0, to: scalars.count, by: count).map { start in
        scalars[start..<min(start + count, scalars.count)].map { "\($0) " }.joined()
      }
    }
    let lines = texts(of: 1000).enumerated().map { number, text in
      (["objectID": .string("\(number)"), "t": .string(text)] as JSON).text
    }
    let bytes = Array(lines.joined(separator: "\n").utf8)
    let queries = texts(of: 100).map { (["query": .string($0)] as JSON).text }
    let load = Case(name: "scalar.load", input: bytes.count) {
      try await engine.load(bytes, into: "scalars").count
    }
    _ = try await load.call()
    // All of them run once, and the slowest are measured.
    var times: [(query: String, time: Double)] = []
    for query in queries {
      let cost = ProcessFigures.processorTime
      _ = try await search("", query, in: "scalars", of: engine).call()
      times.append((query, ProcessFigures.processorTime - cost))
    }
    times.sort { $0.time > $1.time }
    return [load]
      + times.prefix(3).enumerated().map { number, it in
        search("scalar.slowest\(number + 1)", it.query, in: "scalars", of: engine)
      }
  }

  // MARK: Writes to cancel

  private static func writes(_ file: URL) async throws -> [Case] {
    let (engine, loaded) = (try await catalogue(file), LocalSearch())
    let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    let count = engine.recordCount(of: index) ?? 0
    let before = try await SearchClient(transport: engine).settings(of: index)
    let changed = IndexSettings {
      $0.searchableAttributes = ["name"]
      $0.attributesForFaceting = ["brand"]
    }
    return [
      Case(
        name: "write.settings", input: size,
        prepare: { try await SearchClient(transport: engine).setSettings(before, of: index) },
        call: {
          try await SearchClient(transport: engine).setSettings(changed, of: index)
          return 0
        },
        checkCancelled: {
          guard try await SearchClient(transport: engine).settings(of: index) == before else {
            throw Mismatch(description: "settings of a cancelled call are visible")
          }
        }),
      Case(
        name: "write.load", input: size,
        prepare: { try await SearchClient(transport: loaded).clear(index) },
        call: { try await loaded.load(contentsOf: file, into: index).count },
        checkCancelled: {
          let count = loaded.recordCount(of: index) ?? 0
          guard count == 0 else {
            throw Mismatch(description: "\(count) records of a cancelled load are visible")
          }
        }),
      Case(
        name: "write.replace", input: size,
        call: { try await engine.load(contentsOf: file, into: index).count },
        checkCancelled: {
          guard engine.recordCount(of: index) == count else {
            throw Mismatch(description: "a cancelled load changed the records")
          }
        }),
    ]
  }
}
