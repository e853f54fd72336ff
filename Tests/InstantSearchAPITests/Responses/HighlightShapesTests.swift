import InstantSearchAPI
import AsyncInstantSearchTesting
import InstantSearchJSON
import TestSupport
import Testing

/// Highlights of hits with equal and with different attributes, in one response and separately.
@Suite struct HighlightShapesTests {
  private struct Film: Codable, Sendable, Hashable {}

  private static func page(_ hits: [String]) throws -> HitsPage<Hit<Film>> {
    let json = #"{"hits":[\#(hits.joined(separator: ","))]}"#
    return HitsPage(
      node: try JSONDocument(Array(json.utf8)).root, options: JSONDecodingOptions(),
      query: SearchQuery())
  }

  private static func leaf(_ number: Int) -> String {
    #"{"value":"<em>\#(number)</em>","matchLevel":"full","matchedWords":["\#(number)"]}"#
  }

  /// A tree of several attributes: some are repeated, some are not leaves, some are not values.
  private static func tree(_ generator: inout SeededGenerator, depth: Int = 0) -> String {
    let attributes = ["title", "cast", "year", "note", "d", "e", "f", "g", "h", "i", "j"]
    let order = Bool.random(using: &generator) ? attributes : attributes.reversed()
    let members = order.prefix(Int.random(in: 0...11, using: &generator)).map { attribute in
      let value: String =
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: "null"
        case 1 where depth < 20: tree(&generator, depth: depth + 1)
        case 2: "[\(leaf(1)),\(leaf(2))]"
        default: leaf(Int.random(in: 0..<9, using: &generator))
        }
      return #""\#(attribute)":\#(value)"#
    }
    let repeated =
      members.isEmpty || Int.random(in: 0..<8, using: &generator) > 0 ? [] : [members[0]]
    return "{\((members + repeated).joined(separator: ","))}"
  }

  @Test(arguments: Seed.all(60)) func hitIsReadTheSameAloneAndAmongOthers(seed: Seed) throws {
    var generator = SeededGenerator(seed: seed.value)
    let trees = (0..<4).map { _ in Self.tree(&generator) }
    let hits = (0..<24).map { number in
      let tree = trees.randomElement(using: &generator) ?? "{}"
      return #"{"objectID":"\#(number)","_highlightResult":\#(tree),"_snippetResult":\#(tree)}"#
    }
    let together = try Self.page(hits).hits
    expectEqual(together.count, 24)
    for (hit, text) in zip(together, hits) {
      let alone = try #require(try Self.page([text]).hits.first)
      expectEqual(hit.highlightResult, alone.highlightResult)
      expectEqual(hit.snippetResult, alone.snippetResult)
    }
  }
}
