import InstantSearchAPI

extension ResolvedSearch {
  /// Adds the languages of the search that have no list, so that they have no effect.
  func noteLanguages(_ dictionaries: Dictionaries, in mistakes: inout Mistakes) {
    let natural = query.naturalLanguages.flatMap { $0.isEmpty ? nil : $0 }
    let queryLanguages = query.queryLanguages ?? settings.queryLanguages
    for (name, own, setting, dictionary) in [
      (
        "removeStopWords", query.removeStopWords?.boolOrLanguages,
        settings.removeStopWords.boolOrLanguages, DictionaryEntry.Dictionary.stopwords
      ),
      (
        "ignorePlurals", query.ignorePlurals?.boolOrLanguages,
        settings.ignorePlurals.boolOrLanguages, .plurals
      ),
    ] {
      let value = own ?? natural.map { .languages($0) } ?? setting
      let selection = LanguageSelection(value, queryLanguages)
      if selection == .none { continue }
      let known = dictionaries.languages(dictionary)
      switch selection {
      case .none: break
      case .all:
        mistakes.note(
          "\(name): true without queryLanguages means all languages with a list (\(known.count))")
      case .some(let languages):
        for language in languages where !known.contains(language) {
          mistakes.note("\(name): there is no list for the language \"\(language.rawValue)\"")
        }
      }
    }
  }
}
