import InstantSearchAPI
import LocalSearch
import TestSupport
import Testing

struct SnippetTests {
  private static let text = (1...40).map { "w\($0)" }.joined(separator: " ") + "."

  private func snippet(
    _ query: String, _ text: String, _ attributes: JSON, _ parameters: JSON = [:]
  ) async throws -> JSON? {
    let fixture = try await EngineFixture([
      ["objectID": "1", "body": .string(text), "list": [.string(text), "other"]]
    ])
    var parameters = parameters
    parameters["query"] = .string(query)
    parameters["attributesToSnippet"] = attributes
    parameters["removeWordsIfNoResults"] = "allOptional"
    parameters["typoTolerance"] = false
    parameters["queryType"] = "prefixNone"
    return try await fixture.search(parameters)["hits"]?[0]?["_snippetResult"]
  }

  @Test(arguments: [
    ("", "body:3", "w1 w2 w3…", "none"),
    ("", "body", "w1 w2 w3 w4 w5 w6 w7 w8 w9 w10…", "none"),
    ("w20", "body:3", "…w19 <em>w20</em> w21…", "full"),
    ("w1", "body:3", "<em>w1</em> w2 w3…", "full"),
    ("w40", "body:3", "…w38 w39 <em>w40</em>.", "full"),
    ("w5 w8 w30", "body:4", "…<em>w5</em> w6 w7 <em>w8</em>…", "full"),
    ("w5 w9 w30 w31", "body:4", "…w29 <em>w30</em> <em>w31</em> w32…", "full"),
    ("w7", "*:2", "…<em>w7</em> w8…", "full"),
    ("w7 zzz", "body:2", "…<em>w7</em> w8…", "partial"),
    ("w7", "body:0", "…", "full"),
    ("w7", "body:400", text.replacing("w7 ", with: "<em>w7</em> "), "full"),
  ])
  func snippetHasTheMostQueryWords(
    query: String, attribute: String, value: String, level: String
  ) async throws {
    let leaf = try await snippet(query, Self.text, [.string(attribute)])?["body"]
    expectEqual(leaf?["value"]?.stringValue, value)
    expectEqual(leaf?["matchLevel"]?.stringValue, level)
    #expect(leaf?["matchedWords"] == nil)
  }

  @Test func aShortValueIsReturnedWhole() async throws {
    let leaf = try await snippet("b", "(a, b!)", ["body:2"])?["body"]
    expectEqual(leaf?["value"], "(a, <em>b</em>!)")
  }

  @Test func theEllipsisAndTheTagsCanBeChosen() async throws {
    let leaf = try await snippet(
      "w20", Self.text, ["body:1"],
      ["snippetEllipsisText": "[...]", "highlightPreTag": "<", "highlightPostTag": ">"])?["body"]
    expectEqual(leaf?["value"], "[...]<w20>[...]")
  }

  @Test func arraysAreMirroredAndOtherAttributesLeftOut() async throws {
    let result = try await snippet("w2", Self.text, ["list:2"])
    expectEqual(result?.objectValue?.keys.sorted(), ["list"])
    expectEqual(result?["list"]?.arrayValue?.count, 2)
    let restricted = try await snippet(
      "w2", Self.text, ["list:2"], ["restrictHighlightAndSnippetArrays": true])
    expectEqual(restricted?["list"]?.arrayValue?.count, 1)
  }

  @Test func nothingIsCutWithoutAttributes() async throws {
    #expect(try await snippet("w2", Self.text, []) == nil)
  }
}
