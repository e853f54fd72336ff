import InstantSearchAPI
import InstantSearchJSON
import Testing

/// A parameter, a value of it, and both encoded forms of that value.
struct SearchQueryCase: Sendable, CustomTestStringConvertible {
  /// The parameter's name in the contract.
  var name: String
  /// The value as JSON.
  var json: String
  /// The value as `name=value`, decoded; by default the JSON.
  var text: String
  /// A query with the value and nothing else.
  var query: SearchQuery

  init(
    _ name: String, _ json: String, text: String? = nil, set: (inout SearchQuery) -> Void
  ) {
    self.name = name
    self.json = json
    self.text = text ?? json
    var query = SearchQuery()
    set(&query)
    self.query = query
  }

  var testDescription: String { "\(name): \(json)" }

  /// Every parameter, and every form of those that have several.
  static let all = texts + flags + numbers + lists + nestedFilters + wordsAndTypos + geo + objects
}

/// The JSON form of queries, as text.
enum QueryText {
  /// The encoded text of a value.
  static func written(_ value: some JSONWritable) -> String {
    var writer = JSONWriter()
    value.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The query decoded from a text.
  static func read(_ text: String) throws -> SearchQuery {
    try SearchQuery(node: JSONDocument(Array(text.utf8)).root)
  }

  /// A text as a value.
  static func json(_ text: String) throws -> JSON {
    try JSON(node: JSONDocument(Array(text.utf8)).root)
  }
}
