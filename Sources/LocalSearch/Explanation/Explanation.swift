public import InstantSearchAPI

/// Why a search ranks a record where it does, or why a record is not on its page.
///
/// ```swift
/// let found = try await engine.explain(query, in: "films", records: ["1917", "heat"])
/// for explanation in found { print(explanation) }
/// ```
///
/// Get it from ``LocalSearch/LocalSearch/explain(_:in:records:deadline:)``. Its description is a
/// table for a person.
public struct Explanation: Sendable, Hashable {
  /// The ID of the record.
  public let objectID: String
  /// The first thing that keeps the record off the page, or `nil` for a hit of the page.
  public let obstacle: Obstacle?
  /// Where the record ranks, or `nil` if it does not match.
  public let ranking: Ranking?

  /// What keeps a record off the page of a search, in the order of the search.
  public enum Obstacle: Sendable, Hashable {
    /// The index has no record with the ID.
    case noRecord
    /// The record does not match a filter, given in the form of the parameter `filters`.
    case filter(String)
    /// The record is outside of the area or the radius, or has no point.
    case place
    /// The record contains words that the query excludes.
    case excluded(String)
    /// Nothing in the record matches a word of the query.
    ///
    /// - `nearest`: The word of the record that is nearest to it, if any is near.
    /// - `attribute`: An attribute with the word that is not searched, or where it does not count.
    case word(String, nearest: String?, attribute: String?)
    /// All words are optional, and the record matches too few of them.
    case tooFewWords(Int, required: Int)
    /// Other records match with fewer typos, and `typoTolerance` keeps only these.
    case typos(Int, allowed: Int)
    /// The record is outside of the automatic radius, in meters.
    case automaticRadius(Int)
    /// Other records of its group rank higher, such as the one with this ID.
    case distinct(of: String)
    /// Its place, from 0, is beyond `paginationLimitedTo`.
    case paginationLimit(place: Int, limit: Int)
    /// Its place, from 0, is on another page.
    case page(place: Int)
  }

  /// Where a matching record ranks, and the values that the criteria compare.
  public struct Ranking: Sendable, Hashable {
    /// The place among all matching records, from 0, before they are grouped.
    public let place: Int
    /// The values of the criteria, in their order.
    public let criteria: [Criterion]
    /// The words of the record that match words of the query at the least cost, at most 20 for each
    /// word, and each once in an attribute.
    public let words: [MatchedWord]
    /// The filters that the record matches and that have a score, in the form of `filters`.
    public let filters: [String]
    /// The record before it that its group keeps, and what decides between the two, or `nil` for
    /// the first one.
    public let previous: Previous?
  }

  /// A criterion and the record's value.
  public struct Criterion: Sendable, Hashable {
    /// The name: one of `ranking`, or an entry of `customRanking`.
    public let name: String
    /// The value: a number, a text, a Boolean, or `null` without a value. For `attribute` it is the
    /// number of the attribute in `searchableAttributes`, from 0, times 1,048,576, plus the
    /// position of the word, which is 0 in an unordered attribute.
    public let value: JSON
    /// Whether higher values come first. A missing value comes last.
    public let isDescending: Bool
  }

  /// Words of the record that match words of the query.
  public struct MatchedWord: Sendable, Hashable {
    /// The words of the query.
    public let query: [String]
    /// How they match, as the contract names it: `original`, also for a prefix, `typo`, `split`,
    /// `concat`, `plural`, `compound`, `synonym` or `altCorrection`.
    public let kind: String
    /// The typos of the match.
    public let typos: Int
    /// The normalized words of the record.
    public let words: [String]
    /// The path of the attribute.
    public let attribute: String
    /// The position of the first word in the attribute, from 0.
    public let position: Int
  }

  /// The record that ranks before another one.
  public struct Previous: Sendable, Hashable {
    /// The ID of the record.
    public let objectID: String
    /// The first criterion in which they differ, or `nil` if only the IDs do.
    public let criterion: Criterion?
  }
}

extension Explanation: CustomStringConvertible {
  /// A table for a person.
  public var description: String {
    var lines = [objectID + (obstacle.map { ": \($0)" } ?? "")]
    guard let ranking else { return lines[0] }
    lines[0] += obstacle == nil ? ": place \(ranking.place)" : ""
    let width = ranking.criteria.map(\.name.count).max() ?? 0
    for criterion in ranking.criteria {
      let name = criterion.name + String(repeating: " ", count: width - criterion.name.count)
      let decides =
        ranking.previous?.criterion?.name == criterion.name
        ? "  after \(ranking.previous?.objectID ?? "") with"
          + " \(ranking.previous?.criterion?.value.text ?? "")" : ""
      lines.append("  \(name)  \(criterion.value.text)\(decides)")
    }
    if let previous = ranking.previous, previous.criterion == nil {
      lines.append("  after \(previous.objectID) by its ID")
    }
    for word in ranking.words {
      lines.append(
        "  \(word.query.joined(separator: " ")) is \(word.words.joined(separator: " "))"
          + " in \(word.attribute) at \(word.position) (\(word.kind)"
          + (word.typos == 0 ? ")" : ", \(word.typos) typo\(word.typos == 1 ? "" : "s"))"))
    }
    for filter in ranking.filters { lines.append("  filter \(filter)") }
    return lines.joined(separator: "\n")
  }
}

extension Explanation.Obstacle: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .noRecord: "there is no record with this ID"
    case .filter(let text): "it does not match the filter \(text)"
    case .place: "it is outside of the area"
    case .excluded(let words): "it contains \"\(words)\", which the query excludes"
    case .word(let word, let nearest, let attribute):
      "nothing in it matches \"\(word)\""
        + (attribute.map { "; \($0) has it, and is not searched" } ?? "")
        + (nearest.map { "; the nearest word is \"\($0)\"" } ?? "")
    case .tooFewWords(let count, let required):
      "it matches \(count) words, and \(required) are required"
    case .typos(let count, let allowed):
      "it has \(count) typos, and others have \(allowed) or fewer"
    case .automaticRadius(let meters): "it is farther away than \(meters) meters"
    case .distinct(let other): "\(other) of its group ranks higher"
    case .paginationLimit(let place, let limit):
      "its place is \(place), beyond the limit of \(limit)"
    case .page(let place): "its place is \(place), on another page"
    }
  }
}
