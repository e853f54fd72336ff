import InstantSearchClient

/// A plain program in place of a language model: it knows nothing but the question, calls the
/// tools, and follows the hints of their results.
struct ScriptedAgent {
  let search: SearchTool
  /// The most calls of an answer.
  static let maximumCallCount = 4

  /// What the agent found.
  struct Answer {
    var film: String?
    var callCount = 0
    /// The arguments of its calls, for the message of a test.
    var calls: [String] = []
  }

  func answer(_ question: AgentQuestion) async throws -> Answer {
    let words = Self.words(of: question.text)
    var query = words
    var filters = question.filters
    var answer = Answer()
    while answer.callCount < Self.maximumCallCount {
      var arguments = filters
      arguments["query"] = .string(query.joined(separator: " "))
      answer.callCount += 1
      answer.calls.append(JSON.object(arguments).text)
      let output = try await search.call(.object(arguments))
      guard let result = output.content else { return answer }
      let hits = result["hits"]?.arrayValue ?? []
      if let best = Self.best(of: hits, for: words) {
        answer.film = best
        return answer
      }
      // Records that have some of the words are the best guess so far.
      let similar = result["similarHits"]?.arrayValue ?? []
      if let best = Self.best(of: similar, for: words) { answer.film = best }
      guard Self.follow(result, &query, &filters, similar) else { return answer }
    }
    return answer
  }

  /// Changes the next call as the hints say; returns whether there is one.
  private static func follow(
    _ result: JSON, _ query: inout [String], _ filters: inout [String: JSON], _ similar: [JSON]
  ) -> Bool {
    var hasChanged = false
    for hint in result["hints"]?.arrayValue ?? [] {
      let argument = hint["argument"]?.stringValue ?? ""
      switch hint["reason"]?.stringValue {
      case "unknown_value":
        // The value like it with the most records; none if nothing is like it.
        let attribute = String(argument.dropFirst("facet_".count))
        let values = result["facets"]?[attribute]?.objectValue ?? [:]
        let asked = (filters[argument]?.arrayValue ?? []).compactMap(\.stringValue)
        let like = values.filter { value, _ in
          asked.contains {
            value.lowercased().prefix(2) == $0.lowercased().prefix(2)
              || value.lowercased().contains($0.lowercased())
          }
        }
        let best = like.max { ($0.value.intValue ?? 0, $1.key) < ($1.value.intValue ?? 0, $0.key) }
        filters[argument] = best.map { [.string($0.key)] }
        hasChanged = true
      case "filters_exclude", "filters_match_nothing":
        // One at a time: the first hint has the most hits.
        if !hasChanged { filters[argument] = nil }
        hasChanged = true
      case "unknown_text":
        let known = Self.known(query, in: similar)
        hasChanged = hasChanged || known != query
        query = known
      default: break
      }
    }
    return hasChanged
  }

  /// The words that one of some records has; half of the words if there are none.
  private static func known(_ words: [String], in records: [JSON]) -> [String] {
    let texts = records.map { Set(Self.words(of: $0.text)) }
    guard let best = texts.max(by: { count(words, $0) < count(words, $1) }), count(words, best) > 0
    else { return Array(words.prefix(words.count / 2)) }
    return words.filter(best.contains)
  }

  private static func count(_ words: [String], _ text: Set<String>) -> Int {
    words.filter(text.contains).count
  }

  /// The record with the most words of a question; `nil` without records.
  private static func best(of records: [JSON], for words: [String]) -> String? {
    let scored = records.enumerated().map { position, record in
      (count(words, Set(Self.words(of: record.text))), -position)
    }
    guard let best = scored.max(by: <) else { return nil }
    return records[-best.1]["objectID"]?.stringValue
  }

  /// The words of a text without the ones that every question has.
  private static func words(of text: String) -> [String] {
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    return words.filter { !stopWords.contains($0) && $0.count > 1 }
  }

  private static let stopWords: Set<String> = [
    "which", "film", "films", "movie", "what", "who", "where", "that", "the", "an", "of", "in",
    "on", "at", "and", "or", "with", "from", "for", "by", "to", "after", "is", "his", "her", "he",
    "she", "it", "as", "about", "between", "shows", "during", "again", "old",
  ]
}
