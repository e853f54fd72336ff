/// Finds the words of a dictionary that are near to a query word.
///
/// The dictionary is walked in its order; words with a common beginning share the states of the
/// automaton, and as soon as a beginning is too far away, or cannot come nearer, all words with it
/// are passed over at once.
package struct TypoSearch {
  /// Neighbouring words of the dictionary that match at the same cost.
  package struct Found: Hashable {
    /// The words.
    package var terms: Range<Int>
    /// The cost in typos.
    package let typos: Int
  }

  private let word: [UInt32]
  private let allowance: Int
  private let matchesBeginnings: Bool
  private let dictionary: TermDictionary
  private var found: [Found] = []

  /// Returns the words that match, best first and then in the order of the dictionary.
  ///
  /// - Parameters:
  ///   - word: The query word, as scalar values.
  ///   - allowance: The number of edits allowed, 0 to 2; none in words of more than
  ///     ``EditAutomaton/maximumLength`` characters.
  ///   - matchesBeginnings: Whether the beginning of a word may match; the cost is that of the best
  ///     beginning.
  ///   - dictionary: The words of a segment.
  ///   - checkpoint: Where the characters that are compared are counted.
  package static func words(
    near word: [UInt32], allowance: Int, matchesBeginnings: Bool, in dictionary: TermDictionary,
    _ checkpoint: Checkpoint
  ) throws -> [Found] {
    try checkpoint.count()
    guard let first = word.first, let firstScalar = Unicode.Scalar(first) else { return [] }
    if allowance == 0 || word.count > EditAutomaton.maximumLength {
      let bytes = Array(String(String.UnicodeScalarView(word.compactMap(Unicode.Scalar.init))).utf8)
      if matchesBeginnings {
        let terms = dictionary.terms(withPrefix: bytes)
        return terms.isEmpty ? [] : [Found(terms: terms, typos: 0)]
      }
      return dictionary.term(bytes).map { [Found(terms: $0..<$0 + 1, typos: 0)] } ?? []
    }
    // With one edit allowed the first character must be right.
    let range =
      allowance == 1
      ? dictionary.terms(withPrefix: Array(String(Character(firstScalar)).utf8))
      : 0..<dictionary.count
    var search = TypoSearch(
      word: word, allowance: min(allowance, TypoRule.maximumAllowance),
      matchesBeginnings: matchesBeginnings, dictionary: dictionary)
    try search.walk(range, checkpoint)
    let found = search.found
    return (0...TypoRule.maximumAllowance + 1).flatMap { typos in found.filter { $0.typos == typos }
    }
  }

  private init(
    word: [UInt32], allowance: Int, matchesBeginnings: Bool, dictionary: TermDictionary
  ) {
    self.word = word
    self.allowance = allowance
    self.matchesBeginnings = matchesBeginnings
    self.dictionary = dictionary
  }

  /// How many characters, as a mask of their number, are compared between two counts.
  private static let blockMask = 63
  /// How many steps these are.
  private static let stepsPerBlock = 4

  private mutating func walk(_ range: Range<Int>, _ checkpoint: Checkpoint) throws {
    let bytes = dictionary.bytes
    var automaton = EditAutomaton(word: word, limit: allowance)
    // By depth: where the character ends in the word, and the least distance of a beginning up to
    // there.
    let maximumDepth = word.count + allowance + 2
    var ends = [Int](repeating: 0, count: maximumDepth + 1)
    var best = [Int](repeating: allowance + 1, count: maximumDepth + 1)
    var depth = 0
    var term = range.lowerBound
    var isFirst = true
    var steps = 0
    walk: while term < range.upperBound {
      let start = dictionary.offsets[term]
      let length = dictionary.offsets[term + 1] - start
      let shared = isFirst ? 0 : dictionary.sharedLength(term)
      isFirst = false
      while ends[depth] > shared { depth -= 1 }
      automaton.pop(to: depth)
      while ends[depth] < length {
        steps += 1
        if steps & Self.blockMask == 0 { try checkpoint.count(Self.stepsPerBlock) }
        let (scalar, size) = UTF8Scalars.decode(bytes, at: start + ends[depth], limit: bytes.count)
        let minimum = automaton.push(scalar.value)
        ends[depth + 1] = ends[depth] + size
        best[depth + 1] = matchesBeginnings ? min(best[depth], automaton.distance) : allowance + 1
        depth += 1
        if minimum >= best[depth] {
          let end = dictionary.endOfTerms(sharing: ends[depth], with: term)
          add(term..<min(end, range.upperBound), edits: best[depth], first: automaton.path.first)
          term = end
          continue walk
        }
      }
      let edits = matchesBeginnings ? best[depth] : automaton.distance
      add(term..<term + 1, edits: edits, first: automaton.path.first)
      term += 1
    }
  }

  private mutating func add(_ terms: Range<Int>, edits: Int, first: UInt32?) {
    guard
      let typos = TypoRule.cost(
        edits: edits, allowance: allowance, isFirstCharacterRight: first == word.first)
    else { return }
    if let last = found.last, last.terms.upperBound == terms.lowerBound, last.typos == typos {
      found[found.count - 1].terms = last.terms.lowerBound..<terms.upperBound
    } else {
      found.append(Found(terms: terms, typos: typos))
    }
  }
}
