import InstantSearchJSON

/// Finds the words of a query in texts, one text after the other.
///
/// The matches of distinct words are kept, up to a limit, because the hits of a page repeat many
/// words.
final class TextMatcher {
  private let plan: QueryPlan
  private let tokenizer: Tokenizer
  private let searchable: SearchableAttributes
  private let restricted: AttributeList
  private let camelCase: AttributeList
  /// Counts the work on texts, which may be long.
  let cancellation: CancellationCheck
  private var buffer = TokenBuffer()
  /// Filters that exclude most words, one for each way to match.
  let filters: [WordFilter]
  /// The alternatives of several words, by their first word.
  private let phrases: [[UInt8]: [MatchedPhrase]]
  /// Whether a query of one word marks words that equal it only.
  private let marksExactWordsOnly: Bool
  private var plainWord: [UInt8] = []
  /// The distinct words so far.
  private var words = TermTable()
  /// The matches of each distinct word, by ``Way/kind``: ``unknown``, ``none``, or a number of
  /// ``found``.
  private var known: [[Int32]]
  private var found: [WordMatches] = []
  /// The maximum number of words that are kept. A larger table would take long to grow and to
  /// release.
  private static let maximumWordCount = 10_000
  private static let (unknown, none): (Int32, Int32) = (-2, -1)

  /// How the words of an attribute match.
  struct Way {
    /// Whether its texts are searched.
    var isSearched = false
    /// Whether its numbers are searched.
    var searchesNumbers = false
    /// Whether its words are split at capitals and digits.
    var splitsCamelCase = false
    /// The languages whose compound words are found by their parts there, as numbers of
    /// ``MatchingOptions/decompoundedAttributes``.
    var decompounds: [Int] = []
    /// Whether typos and prefixes match there.
    var allowsTypos = false
    var allowsPrefixes = false

    /// The matching of an attribute that isn't searched.
    static let notSearched = Way()

    /// The number of the combination of typos, prefixes and compounds.
    var kind: Int {
      decompounds.reduce((allowsTypos ? 1 : 0) + (allowsPrefixes ? 2 : 0)) { $0 + 4 << $1 }
    }
  }

  /// The matches of a word of a text.
  struct WordMatches {
    /// The indices of the query words that match. Equal words share the array, so that marks are
    /// cheap to create and release.
    let queryWords: [Int]
    /// The number of characters of the normalized word in the longest match.
    let matchedCharacters: Int
    /// The number of characters before them.
    let skippedCharacters: Int
    /// The text to show instead of the word, or `nil` for the word.
    let replacement: [UInt8]?

    init(_ matches: [TokenMatch]) {
      queryWords = matches.map(\.wordIndex)
      let skipped = matches.map(\.skippedCharacters).min() ?? 0
      let end = matches.map { $0.skippedCharacters + $0.matchedCharacters }.max() ?? 0
      (skippedCharacters, matchedCharacters) = (skipped, end - skipped)
      // A word that the query contains too is shown as it is.
      let isReplaced = matches.allSatisfy { $0.replacement != nil }
      replacement = isReplaced ? matches.first?.replacement.map { Array($0.utf8) } : nil
    }
  }

  /// Creates a matcher for a query.
  ///
  /// - Parameter tokenizer: The tokenizer of the records.
  init(
    plan: QueryPlan, tokenizer: Tokenizer, lists: SettingsLists, _ cancellation: CancellationCheck
  ) throws {
    self.plan = plan
    self.cancellation = cancellation
    self.tokenizer = tokenizer
    camelCase = lists.camelCase
    searchable = lists.searchable
    restricted = plan.options.restrictedAttributes
    try cancellation.count(1 + plan.words.count &>> 2)
    filters = WordFilter.all(of: plan)
    phrases = Dictionary(grouping: MatchedPhrase.all(of: plan.graph)) { $0.words[0] }
    known = Array(repeating: [], count: 4 << plan.options.decompoundedAttributes.count)
    marksExactWordsOnly = plan.words.count == 1 && plan.options.singleWordExactness == .word
  }

  /// Whether words of a value may match.
  func searches(_ node: JSONNode, _ way: Way) -> Bool {
    !plan.words.isEmpty && (node.kind == .number ? way.searchesNumbers : way.isSearched)
  }

  /// Whether some separators are words.
  var indexesSeparators: Bool { tokenizer.indexesSeparators }
  /// Whether some alternatives are words that follow each other.
  var hasPhrases: Bool { !phrases.isEmpty }

  /// Returns how the words of an attribute match. Numbers are searched only if their attribute is
  /// listed.
  func way(of path: String) throws -> Way {
    let isSearched =
      try searchable.role(of: path, cancellation) != nil && restricted.covers(path, cancellation)
    return Way(
      isSearched: isSearched, searchesNumbers: isSearched && !searchable.isEmpty,
      splitsCamelCase: try camelCase.covers(path, cancellation),
      decompounds: try plan.options.decompoundedAttributes.indices.filter {
        try plan.options.decompoundedAttributes[$0].attributes.covers(path, cancellation)
      },
      allowsTypos: try !marksExactWordsOnly
        && !plan.options.typoFreeAttributes.covers(path, cancellation),
      allowsPrefixes: try !marksExactWordsOnly
        && !plan.options.prefixFreeAttributes.covers(path, cancellation))
  }

  // MARK: Words of a text

  /// Reads the words of a text.
  ///
  /// - Parameter length: The number of bytes to read. Of a longer text, a word that reaches the end
  ///   of this part is left out, because it may go on.
  func readWords(of text: [UInt8], _ length: Int, _ way: Way) throws {
    let read = length == text.count ? text : Array(text[..<length])
    try tokenizer.tokenize(
      read, splitsCamelCase: way.splitsCamelCase, into: &buffer, cancellation)
    if length == text.count { return }
    buffer.removeWord(endingAt: length)
  }

  /// The words of the text. A joined word follows its parts.
  var items: PieceList<TokenBuffer.Item> { buffer.items }

  /// Returns the number of characters (Unicode scalars) of a character in the normalized word. A
  /// separator has none.
  func normalizedLength(of character: Character) throws -> Int {
    let utf8 = character.utf8
    if utf8.count == 1, let byte = utf8.first { return ScalarClass.ascii(byte) == .word ? 1 : 0 }
    return try tokenizer.tokens(of: String(character), cancellation).reduce(0) {
      $0 + $1.word.unicodeScalars.count
    }
  }

  /// Returns the number of scalars of a word of the text.
  func scalarCount(of item: TokenBuffer.Item) -> Int {
    buffer.bytes[item.word].reduce(0) { $1 & 0xC0 != 0x80 ? $0 &+ 1 : $0 }
  }

  /// Returns the query words that match a word of the text, or `nil` if none does.
  func matches(of item: TokenBuffer.Item, _ way: Way) throws -> WordMatches? {
    try matches(of: item.word, in: buffer.bytes, way)
  }

  /// Returns the query words that match an ASCII word of a text, or `nil` if none does.
  func matches(ofPlain word: Range<Int>, in text: [UInt8], _ way: Way) throws -> WordMatches? {
    plainWord.removeAll(keepingCapacity: true)
    for index in word { plainWord.append(TextNormalizer.lowercased(text[index])) }
    return try matches(of: plainWord.indices, in: plainWord, way)
  }

  private func matches(of word: Range<Int>, in bytes: [UInt8], _ way: Way) throws -> WordMatches? {
    try cancellation.count(bytes: word.count)
    if words.count >= Self.maximumWordCount {
      words = TermTable()
      known = Array(repeating: [], count: known.count)
      found.removeAll()
    }
    let term = try words.intern(bytes, word, cancellation)
    let kind = way.kind
    while known[kind].count <= term { known[kind].append(Self.unknown) }
    if known[kind][term] == Self.unknown { known[kind][term] = try find(bytes, word, way) }
    let number = known[kind][term]
    return number == Self.none ? nil : found[Int(number)]
  }

  /// Compares a word with the query words, and returns its index in ``found``, or ``none``.
  private func find(_ bytes: [UInt8], _ word: Range<Int>, _ way: Way) throws -> Int32 {
    try cancellation.count(1 + filters.count &>> 2)
    let shape = WordShape(bytes, word)
    guard filters.contains(where: { $0.mayMatch(shape) }) else { return Self.none }
    try cancellation.count(plan.graph.alternativeCount)
    let matches = plan.matches(
      ofToken: String(decoding: bytes[word], as: UTF8.self), allowsTypos: way.allowsTypos,
      allowsPrefixes: way.allowsPrefixes,
      decompounds: way.decompounds.map { plan.options.decompoundedAttributes[$0].language })
    if matches.isEmpty { return Self.none }
    found.append(WordMatches(matches))
    return Int32(truncatingIfNeeded: found.count - 1)
  }

  /// Calls `body` with each phrase in the text that was read, and with the items of its words.
  func forEachPhrase(
    _ body: (_ phrase: MatchedPhrase, _ items: [TokenBuffer.Item]) throws -> Void
  ) throws {
    var itemsAtPosition: [Int: [TokenBuffer.Item]]?
    for item in items {
      try cancellation.count(bytes: item.word.count)
      for phrase in phrases[Array(buffer.bytes[item.word])] ?? [] {
        let known = try itemsAtPosition ?? itemsByPosition()
        itemsAtPosition = known
        try cancellation.count(phrase.words.count)
        var found = [item]
        for (word, offset) in zip(phrase.words, phrase.offsets).dropFirst() {
          let candidates = known[item.position + offset] ?? []
          guard
            let next = candidates.first(where: { buffer.bytes[$0.word].elementsEqual(word) })
          else { break }
          found.append(next)
        }
        if found.count == phrase.words.count { try body(phrase, found) }
      }
    }
  }

  private func itemsByPosition() throws -> [Int: [TokenBuffer.Item]] {
    var result: [Int: [TokenBuffer.Item]] = [:]
    for item in items {
      try cancellation.count()
      result[item.position, default: []].append(item)
    }
    return result
  }

  // MARK: Query words

  /// Returns the level for distinct matched query words.
  func level(of matched: [Int]) -> HighlightLevel {
    if matched.isEmpty { return .none }
    return matched.count >= plan.words.count ? .full : .partial
  }

  /// Returns the query words with some indices, in the order of the query, each once.
  func text(of matched: [Int]) -> [String] {
    var seen: Set<String> = []
    var result: [String] = []
    for number in matched where plan.words.indices.contains(number) {
      let text = plan.words[number].word
      if seen.insert(text).inserted { result.append(text) }
    }
    return result
  }
}

/// A cheap summary of a word, compared before its characters: its letters, length and first
/// character.
struct WordShape {
  /// A bit for each ASCII character, some of which share one, and one for all others.
  let letters: UInt32
  /// The number of scalars.
  let length: Int
  /// The first scalar if it is ASCII, or 0.
  let first: UInt32

  /// The shape of a word that was read.
  init(letters: UInt32, length: Int, first: UInt32) {
    self.letters = letters
    self.length = length
    self.first = first
  }

  /// The shape of a normalized word.
  init(_ bytes: [UInt8], _ word: Range<Int>) {
    var (letters, length): (UInt32, Int) = (0, 0)
    for index in word {
      letters |= Self.bit(of: UInt32(bytes[index]))
      // Bytes that continue a scalar begin with the bits 10.
      if bytes[index] & 0xC0 != 0x80 { length &+= 1 }
    }
    self.letters = letters
    self.length = length
    first = word.isEmpty ? 0 : Self.ascii(UInt32(bytes[word.lowerBound]))
  }

  /// The shape of a query word.
  init(_ scalars: [UInt32]) {
    letters = scalars.reduce(0) { $0 | Self.bit(of: $1) }
    length = scalars.count
    first = Self.ascii(scalars.first ?? 0)
  }

  @inline(__always)
  static func bit(of value: UInt32) -> UInt32 { value < 0x80 ? 1 &<< (value & 31) : 1 }

  @inline(__always)
  private static func ascii(_ value: UInt32) -> UInt32 { value < 0x80 ? value : 0 }
}

/// Excludes most words that a query word does not match, without comparing their characters.
struct WordFilter {
  private let shape: WordShape
  private let maximumTypos: Int
  private let matchesPrefixes: Bool

  /// Returns the filters of a plan, one for each word to find.
  static func all(of plan: QueryPlan) -> [WordFilter] {
    var filters: [WordFilter] = []
    for alternative in plan.graph.spans.lazy.flatMap(\.alternatives) {
      switch alternative.target {
      case .word:
        filters.append(
          WordFilter(
            shape: WordShape(alternative.scalars), maximumTypos: alternative.maximumTypos,
            matchesPrefixes: alternative.allowsPrefix))
      case .sequence, .all:
        for word in alternative.target.words {
          filters.append(
            WordFilter(
              shape: WordShape(word.unicodeScalars.map(\.value)), maximumTypos: 0,
              matchesPrefixes: false))
        }
      }
    }
    return filters
  }

  /// Whether a word may match. An edit changes the length by one, and adds one letter at most.
  @inline(__always)
  func mayMatch(_ word: WordShape) -> Bool {
    if word.length < shape.length - maximumTypos { return false }
    if !matchesPrefixes, word.length > shape.length + maximumTypos { return false }
    if maximumTypos < 2, word.first != shape.first { return false }
    return (shape.letters & ~word.letters).nonzeroBitCount <= maximumTypos
  }
}
