import InstantSearchAPI

/// The word lists of an engine: for each language its stop words, and the forms of its words.
///
/// The words are normalized like the words of an index, on first use.
final class Dictionaries: Sendable {
  /// The entries that the engine has by itself.
  static let standard = Dictionaries()

  private struct Key: Hashable {
    let language: Language
    let form: TextForm
  }

  private let stopWords = Lock<[Key: Set<String>]>([:])

  /// The maximum number of lists that are kept in the form of an index.
  private static let maximumKept = 500

  /// The languages with stop words, sorted.
  var stopWordLanguages: [Language] {
    StopWordList.texts.keys.sorted().map(Language.init(rawValue:))
  }
  /// The languages in which words have forms, sorted.
  var pluralLanguages: [Language] { [.english] }

  /// Returns the normalized stop words of a language, or none for a language without a list.
  func stopWords(
    _ language: Language, _ tokenizer: Tokenizer, _ cancellation: CancellationCheck
  ) throws -> Set<String> {
    guard let text = StopWordList.texts[language.rawValue] else { return [] }
    let key = Key(language: language, form: tokenizer.form)
    if let known = stopWords.withLock({ $0[key] }) { return known }
    var words: Set<String> = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      let row = try WordRow(Array(word.utf8), tokenizer, cancellation)
      if row.words.count == 1 { words.insert(row.words[0].word) }
    }
    stopWords.withLock { lists in
      if lists.count >= Self.maximumKept { lists.removeAll() }
      lists[key] = words
    }
    return words
  }

  /// Returns the other forms of a normalized word in a language.
  func forms(of word: String, _ language: Language) -> [String] {
    language == .english ? EnglishForms.forms(of: word) : []
  }
}
