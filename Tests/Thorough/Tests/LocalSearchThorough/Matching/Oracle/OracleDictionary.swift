@testable import InstantSearchAPI
@testable import LocalSearch

/// The stop words and the forms of words in a query, from the rules of the contract.
struct OracleDictionary {
  private let query: SearchQuery
  private let settings: IndexSettings

  init(_ query: SearchQuery, _ settings: IndexSettings) {
    self.query = query
    self.settings = settings
  }

  /// Whether a parameter is on for the language of the test.
  private func isOn(_ value: BoolOrLanguagesValue) -> Bool {
    switch value {
    case .isOn(let isOn): isOn
    case .languages(let languages): languages.contains(OracleWorld.language)
    }
  }

  /// The indices of the words that stay.
  func kept(_ words: [QueryWord], among synonyms: [OracleSynonyms.Alternative]) -> [Int] {
    let all = Array(words.indices)
    guard isOn((query.removeStopWords ?? settings.removeStopWords).boolOrLanguages) else {
      return all
    }
    let kept = all.filter { index in
      let word = words[index]
      return word.allowsPrefix || word.phrase != nil
        || !OracleWorld.stopWords.contains(word.word)
        || synonyms.contains { $0.range.count > 1 && $0.range.contains(index) }
    }
    return kept.isEmpty ? all : kept
  }

  /// The other forms of the words.
  func forms(of words: [QueryWord]) -> [OracleSynonyms.Alternative] {
    guard isOn((query.ignorePlurals ?? settings.ignorePlurals).boolOrLanguages) else { return [] }
    let exact = query.alternativesAsExact ?? settings.alternativesAsExact
    return words.indices.filter { words[$0].phrase == nil }.flatMap { index in
      let word = words[index].word
      let groups = OracleWorld.forms.filter { $0.contains(word) }
      return Set(groups.joined()).subtracting([word]).map {
        OracleSynonyms.Alternative(
          range: index..<index + 1, words: [$0], cost: 0,
          isExact: exact.contains(.ignorePlurals), isForm: true)
      }
    }
  }
}
