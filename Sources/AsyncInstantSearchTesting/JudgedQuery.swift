import InstantSearchAPI
import InstantSearchJSON

/// A query with the records that people expect, each with a grade.
///
/// Collect them in a file, and measure an index with ``RelevanceReport``. Each line of the file is
/// one query as a JSON object; empty lines and lines that begin with `#` are ignored:
///
/// ```text
/// # Plurals
/// {"query": "sofas", "grades": {"sofa-1": 3, "armchair-4": 1}}
/// {"query": "lamp", "context": {"filters": "room:office"}, "grades": {"lamp-2": 2}}
/// ```
public struct JudgedQuery: Sendable, Hashable {
  /// The text of the query.
  public var query: String
  /// The other parameters of the search, such as filters. Empty by default.
  public var context: SearchQuery
  /// The grade of each judged record by its ID: 0, not relevant, to 10. A record without a grade
  /// is not relevant.
  public var grades: [String: Int]

  /// Creates a query.
  public init(_ query: String, context: SearchQuery = SearchQuery(), grades: [String: Int]) {
    self.query = query
    self.context = context
    self.grades = grades
  }

  /// The highest grade.
  static let maximumGrade = 10

  /// Reads the text of a file.
  ///
  /// - Throws: `SearchError` with code `invalidRequest` and the number of the line.
  public static func list(_ text: String) throws(SearchError) -> [JudgedQuery] {
    var queries: [JudgedQuery] = []
    // Other line separators can be in the texts of JSON. A line can end with a carriage return too.
    let body = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    let lines = body.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, line) in lines.enumerated() {
      let content = line.drop(while: \.isWhitespace)
      if content.isEmpty || content.first == "#" { continue }
      do {
        let query = try JudgedQuery(JSONDocument(Array(content.utf8)).root)
        try query.check()
        queries.append(query)
      } catch {
        let reason = (error as? SearchError)?.message ?? "\(error)"
        throw SearchError(.invalidRequest, "Line \(index + 1): \(reason)")
      }
    }
    return queries
  }

  private init(_ node: JSONNode) throws {
    guard node.kind == .object else {
      throw SearchError(.invalidRequest, "Expected an object, got \(Self.excerpt(of: node))")
    }
    try Self.checkNames(of: node, among: ["query", "context", "grades"])
    guard let query = node["query"]?.string else {
      throw SearchError(.invalidRequest, "Expected a text \"query\"")
    }
    guard let grades = node["grades"], grades.kind == .object else {
      throw SearchError(.invalidRequest, "Expected an object \"grades\"")
    }
    try Self.checkNames(of: grades, among: nil)
    self.init(query, grades: [:])
    for member in grades.members {
      guard let grade = member.value.int else {
        throw SearchError(
          .invalidRequest,
          "Expected a number as the grade of \"\(member.key)\", got \(Self.excerpt(of: member.value))"
        )
      }
      self.grades[member.key] = grade
    }
    guard let context = node["context"] else { return }
    self.context = try SearchQuery(node: context)
    if let name = self.context.additionalParameters.keys.sorted().first {
      throw SearchError(.invalidRequest, "The context has the unknown parameter \"\(name)\"")
    }
  }

  private static func excerpt(of node: JSONNode) -> String {
    String(decoding: node.source, as: UTF8.self).excerpt(100)
  }

  private static func checkNames(of node: JSONNode, among names: Set<String>?) throws {
    for member in node.members {
      guard !member.isSuperseded else {
        throw SearchError(.invalidRequest, "\"\(member.key)\" occurs twice")
      }
      guard names?.contains(member.key) ?? true else {
        throw SearchError(.invalidRequest, "Unknown member \"\(member.key)\"")
      }
    }
  }

  /// Rejects grades out of their range, and a query that nothing can answer.
  func check() throws(SearchError) {
    for (objectID, grade) in grades where !(0...Self.maximumGrade).contains(grade) {
      throw SearchError(
        .invalidRequest,
        "The grade of \"\(objectID)\" for \"\(query)\" is \(grade), expected 0 to"
          + " \(Self.maximumGrade)")
    }
    guard grades.values.contains(where: { $0 > 0 }) else {
      throw SearchError(
        .invalidRequest, "No record has a grade above 0 for \"\(query)\", so nothing can be found")
    }
    guard context.query == nil else {
      throw SearchError(.invalidRequest, "The context of \"\(query)\" has another query")
    }
  }
}
