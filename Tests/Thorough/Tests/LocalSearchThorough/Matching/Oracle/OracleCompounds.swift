@testable import InstantSearchAPI
@testable import LocalSearch

/// Compound words: from the entries of a dictionary, and from the words of all records.
struct OracleCompounds {
  private let query: SearchQuery
  private let settings: IndexSettings
  private let vocabulary: Set<String>

  private static let links = ["", "s", "es", "n", "en", "er"]

  init(_ query: SearchQuery, _ settings: IndexSettings, vocabulary: Set<String>) {
    self.query = query
    self.settings = settings
    self.vocabulary = vocabulary
  }

  // MARK: The query's words

  /// The parts of a query word, one list for each way to divide it.
  func parts(of word: QueryWord) -> [(words: [String], isFromEntry: Bool)] {
    guard word.phrase == nil, word.pairs == nil, query.decompoundQuery ?? settings.decompoundQuery
    else { return [] }
    var found: [(words: [String], isFromEntry: Bool)] = []
    for language in query.queryLanguages ?? settings.queryLanguages {
      if language == OracleWorld.language, let parts = OracleWorld.compounds[word.word] {
        found.append((parts, true))
      }
      if language == .german, let parts = divided(Array(word.word), isWhole: true) {
        found.append((parts, false))
      }
    }
    return found
  }

  /// The compound words of adjacent query words.
  func joined(_ words: [QueryWord]) -> [(range: Range<Int>, word: String)] {
    guard query.decompoundQuery ?? settings.decompoundQuery,
      (query.queryLanguages ?? settings.queryLanguages).contains(OracleWorld.language)
    else { return [] }
    return OracleWorld.compounds.sorted { $0.key < $1.key }.flatMap { word, parts in
      words.indices.filter { start in
        start + parts.count <= words.count
          && zip(words[start...], parts).allSatisfy { $0.word == $1 && $0.phrase == nil }
      }.map { ($0..<$0 + parts.count, word) }
    }
  }

  // MARK: The records' words

  /// Where a query word is in a word of a record, in letters, or `nil` if it is no part of it.
  func place(
    of word: QueryWord, in other: String, at path: String
  ) -> (start: Int, isFromEntry: Bool)? {
    guard word.phrase == nil, word.pairs == nil else { return nil }
    let lists = settings.decompoundedAttributes.filter { list in
      list.names.contains { path == $0 || path.hasPrefix($0 + ".") }
    }
    for list in lists where list.language == OracleWorld.language {
      if OracleWorld.compounds[other]?.contains(word.word) == true {
        let (letters, part) = (Array(other), Array(word.word))
        return letters.indices.first { letters[$0...].starts(with: part) }.map { ($0, true) }
      }
    }
    for list in lists where list.language == .german {
      if let start = place(of: word, in: Array(other)) { return (start, false) }
    }
    return nil
  }

  private func place(of word: QueryWord, in letters: [Character]) -> Int? {
    let part = Array(word.word)
    guard part.count >= 4, letters.count > part.count else { return nil }
    let isWord = vocabulary.contains(word.word)
    func isDivisible(_ rest: ArraySlice<Character>) -> Bool {
      divided(Array(rest), isWhole: false) != nil
    }
    func hasGoodRest(_ rest: ArraySlice<Character>) -> Bool {
      Self.links.contains { rest.starts(with: $0) && isDivisible(rest.dropFirst($0.count)) }
    }
    func hasGoodStart(_ start: ArraySlice<Character>) -> Bool {
      Self.links.contains { link in
        start.reversed().starts(with: link.reversed()) && isDivisible(start.dropLast(link.count))
      }
    }
    return letters.indices.first(where: { (start: Int) -> Bool in
      guard letters[start...].starts(with: part) else { return false }
      let before = letters[..<start]
      let after = letters[(start + part.count)...]
      if start == 0 {
        return isWord
          && Self.links.contains {
            after.starts(with: $0) && isDivisible(after.dropFirst($0.count))
          }
      }
      guard letters.count - start >= 4, hasGoodStart(before) else { return false }
      let endsWell = after.isEmpty || hasGoodRest(after)
      return isWord && endsWell || word.allowsPrefix && isDivisible(letters[start...])
    })
  }

  /// The parts of a text, the longest first.
  private func divided(_ letters: [Character], isWhole: Bool) -> [String]? {
    guard letters.count >= 4 else { return nil }
    for length in stride(from: letters.count - (isWhole ? 1 : 0), through: 4, by: -1) {
      let part = String(letters[..<length])
      guard vocabulary.contains(part) else { continue }
      let rest = letters[length...]
      if rest.isEmpty { return [part] }
      for link in Self.links where rest.starts(with: link) {
        if let others = divided(Array(rest.dropFirst(link.count)), isWhole: false) {
          return [part] + others
        }
      }
    }
    return nil
  }
}
