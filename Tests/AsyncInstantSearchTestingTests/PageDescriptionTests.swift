import AsyncInstantSearchTesting
import Foundation
import InstantSearchAPI
import TestSupport
import Testing

struct PageDescriptionTests {
  private struct Film: Codable, Sendable {
    var title: String
    var year: Int?
    var cast: [String]?
    var author: [String: String]?
  }

  private func page<Record: Decodable & Sendable>(
    _ type: Record.Type, _ json: String
  ) throws -> HitsPage<Record> {
    try JSONDecoder().decode(HitsPage<Record>.self, from: Data(json.utf8))
  }

  private let json = #"""
    {"hits": [
      {"objectID": "f-1", "title": "The Godfather", "year": 1972, "cast": ["A", "B"],
       "author": {"name": "Puzo"},
       "_highlightResult": {"title": {"value": "The <em>Godf</em>ather", "matchLevel": "full",
         "matchedWords": ["godf"], "fullyHighlighted": false}}},
      {"objectID": "f-20", "title": "Two\r\nlines",
       "_highlightResult": {"title": {"value": "Two\r\n<em>lines</em>", "matchLevel": "full",
         "matchedWords": ["lines"], "fullyHighlighted": false}}},
      {"objectID": "f-3", "title": 3}
    ], "nbHits": 3, "page": 0, "nbPages": 1, "hitsPerPage": 20, "query": "godf",
    "facets": {"genres": {"Crime": 2, "Drama": 1}}}
    """#

  @Test func hitsAreATableWithMarkedWords() throws {
    let page = try page(Hit<Film>.self, json)
    let text = describe(page, "title", "year", "cast.1", "author.name", "none")
    let lines = text.split(separator: "\n")
    expectEqual(lines.count, 6)
    expectEqual(
      lines.prefix(5).joined(separator: "\n"),
      """
      3 hits, page 1 of 1
      objectID | title           | year | cast.1 | author.name | none
      f-1      | The *Godf*ather | 1972 | B      | Puzo        | -
      f-20     | Two\\n*lines*    | -    | -      | -           | -
      genres: Crime 2, Drama 1
      """)
    #expect(lines[5].hasPrefix("not decoded: ") && lines[5].contains("f-3"))
  }

  @Test func plainRecordsAreATable() throws {
    #expect(
      describe(try page(Film.self, json), "year").hasPrefix(
        """
        3 hits, page 1 of 1
        year
        1972
        -
        """))
  }

  @Test func emptyPageHasNoTable() {
    expectEqual(describe(HitsPage<Hit<Film>>(), "title"), "0 hits, page 1 of 0")
  }
}
