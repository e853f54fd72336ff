import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct HighlightTests {
  private func highlight(
    _ query: String, _ record: JSON, _ parameters: JSON = [:],
    _ change: (inout IndexSettings) -> Void = { _ in }
  ) async throws -> JSON? {
    var record = record
    record["objectID"] = "1"
    let fixture = try await EngineFixture([record], settings: IndexSettings(change))
    var parameters = parameters
    parameters["query"] = .string(query)
    return try await fixture.search(parameters)["hits"]?[0]?["_highlightResult"]
  }

  /// A character that keeps its diacritics can be several scalars of the normalized word.
  @Test(arguments: [
    ("caf\u{e9}", "Un caf\u{e9} noir", "Un <em>caf\u{e9}</em> noir"),
    ("n\u{e9}", "n\u{e9}e", "<em>n\u{e9}</em>e"),
    ("m\u{300}ab", "m\u{300}abc", "<em>m\u{300}ab</em>c"),
  ])
  func keptDiacriticsAreTagged(query: String, text: String, value: String) async throws {
    let found = try await highlight(query, ["n": .string(text)]) {
      $0.keepDiacriticsOnCharacters = "e\u{301}m\u{300}"
      $0.typoTolerance = false
    }
    expectEqual(found?["n"]?["value"], .string(value))
  }

  @Test(arguments: [
    (
      "george clo", "George Clooney", "<em>George</em> <em>Clo</em>oney", "full", false,
      ["george", "clo"]
    ),
    (
      "george clooney", "George Clooney", "<em>George</em> <em>Clooney</em>", "full", true,
      ["george", "clooney"]
    ),
    ("blacc", "Black Jacket", "<em>Black</em> Jacket", "full", false, ["blacc"]),
    ("action", "Actiontec", "<em>Action</em>tec", "full", false, ["action"]),
    ("GEORGE", "george, George!", "<em>george</em>, <em>George</em>!", "full", true, ["george"]),
    ("cafe", "Un café", "Un <em>café</em>", "full", false, ["cafe"]),
    ("caf", "Un cafe\u{301} noir", "Un <em>caf</em>e\u{301} noir", "full", false, ["caf"]),
    ("hello wor", "hello.world", "<em>hello</em>.<em>wor</em>ld", "full", false, ["hello", "wor"]),
    ("hellow", "hello.world", "<em>hello.w</em>orld", "full", false, ["hellow"]),
    ("ocl", "five o'clock", "five <em>o'cl</em>ock", "full", false, ["ocl"]),
    ("rockn", "rock'n'roll", "<em>rock'n</em>'roll", "full", false, ["rockn"]),
    ("bc", "B.C.E.", "<em>B.C</em>.E.", "full", false, ["bc"]),
    ("strass", "Straße", "<em>Straß</em>e", "full", false, ["strass"]),
    ("<b>", "<b>bold</b>", "<<em>b</em>><em>b</em>old</<em>b</em>>", "full", false, ["b"]),
  ])
  func matchedWordsAreTagged(
    query: String, text: String, value: String, level: String, isFull: Bool, words: [String]
  ) async throws {
    let leaf = try await highlight(query, ["name": .string(text)])?["name"]
    expectEqual(leaf?["value"]?.stringValue, value)
    expectEqual(leaf?["matchLevel"]?.stringValue, level)
    expectEqual(leaf?["fullyHighlighted"]?.boolValue, isFull)
    expectEqual(leaf?["matchedWords"]?.arrayValue?.compactMap(\.stringValue), words)
  }

  @Test func levelsArePerAttribute() async throws {
    let result = try await highlight(
      "george batman", ["name": "George Clooney", "film": "Batman and Robin", "year": 1997])
    expectEqual(
      result?.text,
      #"{"film":{"fullyHighlighted":false,"matchLevel":"partial","matchedWords":["batman"],"#
        + #""value":"<em>Batman</em> and Robin"},"name":{"fullyHighlighted":false,"#
        + #""matchLevel":"partial","matchedWords":["george"],"value":"<em>George</em> Clooney"},"#
        + #""year":{"matchLevel":"none","matchedWords":[],"value":"1997"}}"#)
  }

  @Test func emptyQueryAnnotatesEverythingWithoutAMatch() async throws {
    let result = try await highlight("", ["name": "George"])
    expectEqual(result?.text, #"{"name":{"matchLevel":"none","matchedWords":[],"value":"George"}}"#)
  }

  @Test func nestedObjectsAndArraysAreMirrored() async throws {
    let result = try await highlight(
      "ann",
      [
        "author": ["name": "Ann", "born": .null], "tags": ["ann", "bob"],
        "list": [["name": "Anna"], ["name": "Bob"], ["flag": true]], "flag": true,
      ])
    expectEqual(result?["author"]?["name"]?["value"], "<em>Ann</em>")
    #expect(result?["author"]?["born"] == nil)
    expectEqual(result?["tags"]?[1]?["matchLevel"], "none")
    expectEqual(result?["list"]?[0]?["name"]?["value"], "<em>Ann</em>a")
    expectEqual(result?["list"]?.arrayValue?.count, 3)
    expectEqual(result?["list"]?[2], [:])
    #expect(result?["flag"] == nil)
    #expect(result?["objectID"] == nil)
  }

  @Test func arrayElementsKeepTheirIndices() async throws {
    let record: JSON = [
      "list": [true, "ann", .null, 7, ["flag": true], [.null, ["x": "ann"]]],
      "flags": [true, .null], "matrix": [[true], ["ann"]],
    ]
    let parameters: JSON = ["attributesToSnippet": ["*"]]
    let result = try await highlight("ann", record, parameters)
    let list = result?["list"]
    expectEqual(list?.arrayValue?.count, 6)
    let leaves = list?.arrayValue?.prefix(4)
    expectEqual(leaves?.map { $0["value"] }, ["true", "<em>ann</em>", "", "7"])
    expectEqual(leaves?.map { $0["matchLevel"]?.stringValue }, ["none", "full", "none", "none"])
    expectEqual(list?[0], ["value": "true", "matchLevel": "none", "matchedWords": []])
    expectEqual(list?[4], JSON.object([:]))
    expectEqual(list?[5]?[0]?["value"], "")
    expectEqual(list?[5]?[1]?["x"]?["value"], "<em>ann</em>")
    #expect(result?["flags"] == nil)
    expectEqual(result?["matrix"]?[0]?[0]?["value"], "true")
    expectEqual(result?["matrix"]?[1]?[0]?["matchLevel"], "full")
    let restricted = try await highlight(
      "ann", record, ["restrictHighlightAndSnippetArrays": true])
    expectEqual(restricted?["list"]?.arrayValue?.count, 2)
  }

  @Test func snippetsOfAnArrayKeepTheirIndices() async throws {
    let fixture = try await EngineFixture([["objectID": "1", "list": [.null, "ann", false]]])
    let hit = try await fixture.search(["query": "ann", "attributesToSnippet": ["list"]])["hits"]?[
      0]
    expectEqual(
      hit?["_snippetResult"]?["list"],
      [
        ["value": "", "matchLevel": "none"], ["value": "<em>ann</em>", "matchLevel": "full"],
        ["value": "false", "matchLevel": "none"],
      ])
  }

  @Test func elementsWithoutAMatchAreDroppedOnRequest() async throws {
    let result = try await highlight(
      "ann", ["tags": ["ann", "bob"], "list": [["name": "Anna"], ["name": "Bob"]]],
      ["restrictHighlightAndSnippetArrays": true])
    expectEqual(result?["tags"]?.arrayValue?.count, 1)
    expectEqual(result?["list"]?.arrayValue?.count, 1)
  }

  @Test func searchableAttributesAreHighlightedByDefault() async throws {
    let record: JSON = ["name": "Ann", "bio": "Ann lives", "author": ["name": "Ann"]]
    let settings: (inout IndexSettings) -> Void = {
      $0.searchableAttributes = ["unordered(name)", "author"]
    }
    let result = try await highlight("ann", record, [:], settings)
    expectEqual(result?.objectValue?.keys.sorted(), ["author", "name"])
    let all = try await highlight("ann", record, ["attributesToHighlight": ["*"]], settings)
    expectEqual(all?["bio"]?["matchLevel"], "none")
    expectEqual(all?["bio"]?["value"], "Ann lives")
    #expect(try await highlight("ann", record, ["attributesToHighlight": []], settings) == nil)
    let nested = try await highlight(
      "ann", record, ["attributesToHighlight": ["author.name"]], settings)
    expectEqual(nested?.objectValue?.keys.sorted(), ["author"])
  }

  @Test func attributesOutsideARestrictedSearchAreNotTagged() async throws {
    let result = try await highlight(
      "ann", ["name": "Ann", "bio": "Ann"], ["restrictSearchableAttributes": ["bio"]])
    expectEqual(result?["name"]?["matchLevel"], "none")
    expectEqual(result?["bio"]?["matchLevel"], "full")
  }

  @Test func tagsComeFromTheQueryOrTheSettings() async throws {
    let settings: (inout IndexSettings) -> Void = {
      $0.highlightPreTag = "<b>"
      $0.highlightPostTag = "</b>"
    }
    try await expectEqual(
      highlight("ann", ["name": "Ann"], [:], settings)?["name"]?["value"], "<b>Ann</b>")
    let marked = try await highlight(
      "ann", ["name": "Ann"],
      ["highlightPreTag": "__ais-highlight__", "highlightPostTag": "__/ais-highlight__"], settings)
    expectEqual(marked?["name"]?["value"], "__ais-highlight__Ann__/ais-highlight__")
  }

  @Test func unretrievableAttributesAreNotShown() async throws {
    let result = try await highlight("ann", ["name": "Ann", "secret": "Ann"], [:]) {
      $0.unretrievableAttributes = ["secret"]
    }
    expectEqual(result?.objectValue?.keys.sorted(), ["name"])
  }

  @Test func joinedWordsAreTaggedOnce() async throws {
    let leaf = try await highlight("hello.world", ["name": "hello.world"])?["name"]
    expectEqual(leaf?["value"]?.stringValue, "<em>hello.world</em>")
    #expect(leaf?["fullyHighlighted"] == true)
  }
}
