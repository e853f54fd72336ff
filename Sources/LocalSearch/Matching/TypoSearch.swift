/// Finds the words of a dictionary within an edit distance of a query word.
///
/// The dictionary is read in its order. Words with a common prefix share states of the automaton.
/// When a prefix is too far away, or cannot come nearer, all words with it are skipped at once.
package struct TypoSearch {
  /// Adjacent words of the dictionary that match at the same cost.
  package struct Found: Hashable {
    /// The words.
    package var terms: Range<Int>
    /// The cost in typos.
    package let typos: Int
  }

  private let word: [UInt32]
  private let maximumTypos: Int
  private let matchesPrefixes: Bool
  private let dictionary: TermDictionary
  private var found: [Found] = []

  /// Returns the words that match, best first and then in the order of the dictionary.
  ///
  /// - Parameters:
  ///   - word: The query word, as scalar values.
  ///   - maximumTypos: The maximum number of edits, 0 to 2. Words of more than
  ///     ``LevenshteinAutomaton/maximumLength`` characters have none.
  ///   - matchesPrefixes: Whether the query word matches prefixes, at the cost of the best prefix.
  ///   - dictionary: The words of a segment.
  ///   - cancellation: Counts the characters that are compared.
  package static func words(
    near word: [UInt32], maximumTypos: Int, matchesPrefixes: Bool, in dictionary: TermDictionary,
    _ cancellation: CancellationCheck
  ) throws -> [Found] {
    try cancellation.count()
    guard let first = word.first, let firstScalar = Unicode.Scalar(first) else { return [] }
    if maximumTypos == 0 || word.count > LevenshteinAutomaton.maximumLength {
      let bytes = Array(String(String.UnicodeScalarView(word.compactMap(Unicode.Scalar.init))).utf8)
      if matchesPrefixes {
        let terms = dictionary.terms(withPrefix: bytes)
        return terms.isEmpty ? [] : [Found(terms: terms, typos: 0)]
      }
      return dictionary.term(bytes).map { [Found(terms: $0..<$0 + 1, typos: 0)] } ?? []
    }
    // With at most one edit the first character must match.
    let range =
      maximumTypos == 1
      ? dictionary.terms(withPrefix: Array(String(Character(firstScalar)).utf8))
      : 0..<dictionary.count
    var search = TypoSearch(
      word: word, maximumTypos: min(maximumTypos, TypoRule.maximumTypos),
      matchesPrefixes: matchesPrefixes, dictionary: dictionary)
    try search.walk(range, cancellation)
    let found = search.found
    return (0...TypoRule.maximumTypos + 1).flatMap { typos in found.filter { $0.typos == typos }
    }
  }

  private init(
    word: [UInt32], maximumTypos: Int, matchesPrefixes: Bool, dictionary: TermDictionary
  ) {
    self.word = word
    self.maximumTypos = maximumTypos
    self.matchesPrefixes = matchesPrefixes
    self.dictionary = dictionary
  }

  private mutating func walk(_ range: Range<Int>, _ cancellation: CancellationCheck) throws {
    let bytes = dictionary.bytes
    var automaton = LevenshteinAutomaton(word: word, limit: maximumTypos)
    // By depth: the end of the character in the word, and the least distance of a prefix up to it.
    let maximumDepth = word.count + maximumTypos + 2
    var ends = [Int](repeating: 0, count: maximumDepth + 1)
    var best = [Int](repeating: maximumTypos + 1, count: maximumDepth + 1)
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
        try cancellation.count(element: steps)
        let (scalar, size) = UTF8Scalars.decode(bytes, at: start + ends[depth], limit: bytes.count)
        let minimum = automaton.push(scalar.value)
        ends[depth + 1] = ends[depth] + size
        best[depth + 1] = matchesPrefixes ? min(best[depth], automaton.distance) : maximumTypos + 1
        depth += 1
        if minimum >= best[depth] {
          let end = dictionary.endOfTerms(sharing: ends[depth], with: term)
          add(term..<min(end, range.upperBound), edits: best[depth], first: automaton.first)
          term = end
          continue walk
        }
      }
      let edits = matchesPrefixes ? best[depth] : automaton.distance
      add(term..<term + 1, edits: edits, first: automaton.first)
      term += 1
    }
  }

  private mutating func add(_ terms: Range<Int>, edits: Int, first: UInt32?) {
    guard
      let typos = TypoRule.cost(
        edits: edits, maximumTypos: maximumTypos, isFirstCharacterRight: first == word.first)
    else { return }
    if let last = found.last, last.terms.upperBound == terms.lowerBound, last.typos == typos {
      found[found.count - 1].terms = last.terms.lowerBound..<terms.upperBound
    } else {
      found.append(Found(terms: terms, typos: typos))
    }
  }
}

/// The cost of a match in typos.
///
/// The cost is the number of edits, plus one if the first characters differ. A word with at most
/// one edit must match in the first character.
package enum TypoRule {
  /// The greatest number of edits.
  package static let maximumTypos = 2

  /// Returns the cost of `edits`, or `nil` if they are too many.
  package static func cost(edits: Int, maximumTypos: Int, isFirstCharacterRight: Bool) -> Int? {
    guard edits <= maximumTypos else { return nil }
    if isFirstCharacterRight || edits == 0 { return edits }
    return maximumTypos >= 2 ? edits + 1 : nil
  }
}

/// The Damerau-Levenshtein distances between the prefixes of a word and a growing path of
/// characters.
///
/// Insertion, deletion, substitution and exchanging neighbors cost 1 each. Characters are neighbors
/// even if one character was inserted or removed between them (the distance of `ca` and `abc` is
/// 2). Distances above `limit`, at most 2, are not distinguished.
///
/// For each number of errors a 64-bit word holds the set of prefixes that are that near to the
/// path. Bit i is set for the first i characters. Adding a character to the path changes all sets
/// with a few bit operations. Paths with a common prefix share its states, to which ``pop(to:)``
/// returns.
package struct LevenshteinAutomaton {
  /// The greatest number of errors.
  package let limit: Int
  /// A character of the path, and the sets after it for no error, one and two.
  private struct Step {
    var none: UInt64
    var one: UInt64
    var two: UInt64
    /// The positions of the character in the word.
    var mask: UInt64 = 0
    var scalar: UInt32 = 0
  }

  private let count: Int
  private let valid: UInt64
  /// The positions of each ASCII character in the word, as a mask.
  private var asciiMasks: [UInt64]
  private var otherMasks: [UInt32: UInt64] = [:]
  private var depth = 0
  /// The empty path, and then each character.
  private var steps: [Step]

  /// The maximum length of a word with errors. Of longer words only this many characters are
  /// compared.
  package static let maximumLength = 60

  /// Creates an automaton in the state of the empty path.
  package init(word: [UInt32], limit: Int) {
    self.limit = min(max(0, limit), 2)
    count = min(word.count, Self.maximumLength)
    valid = (1 &<< UInt64(count + 1)) &- 1
    asciiMasks = Array(repeating: 0, count: 128)
    for (index, scalar) in word.prefix(count).enumerated() {
      let bit = 1 as UInt64 &<< UInt64(index)
      if scalar < 128 {
        asciiMasks[Int(scalar)] |= bit
      } else {
        otherMasks[scalar, default: 0] |= bit
      }
    }
    steps = [
      Step(
        none: 1, one: self.limit >= 1 ? 0b11 & valid : 0, two: self.limit == 2 ? 0b111 & valid : 0)
    ]
    steps.reserveCapacity(count + self.limit + 4)
  }

  /// The first character of the path.
  package var first: UInt32? { depth > 0 ? steps[1].scalar : nil }

  /// The distance between the word and the path. `limit + 1` means any greater one.
  @inline(__always)
  package var distance: Int {
    let step = steps[depth]
    let end = 1 as UInt64 &<< UInt64(count)
    if step.none & end != 0 { return 0 }
    if step.one & end != 0 { return 1 }
    return step.two & end != 0 ? 2 : limit + 1
  }

  /// Returns to the first `depth` characters of the path.
  @inline(__always)
  package mutating func pop(to depth: Int) { self.depth = min(self.depth, max(0, depth)) }

  /// Adds a character, and returns the least distance between a prefix of the word and the path. No
  /// longer path is nearer to the word.
  @inline(__always)
  package mutating func push(_ scalar: UInt32) -> Int {
    let mask = scalar < 128 ? asciiMasks[Int(scalar)] : otherMasks[scalar] ?? 0
    let last = steps[depth]
    var next = Step(none: (last.none & mask) &<< 1, one: 0, two: 0, mask: mask, scalar: scalar)
    if limit >= 1 {
      let before = depth >= 1 ? steps[depth &- 1] : Step(none: 0, one: 0, two: 0)
      let previousMask = last.mask
      let exchanged = mask & (previousMask &>> 1)
      next.one =
        ((last.one & mask) &<< 1) | last.none | (last.none &<< 1) | (next.none &<< 1)
        | ((before.none & exchanged) &<< 2)
      next.one &= valid
      if limit == 2 {
        next.two =
          ((last.two & mask) &<< 1) | last.one | (last.one &<< 1) | (next.one &<< 1)
          | ((before.one & exchanged) &<< 2)
          // Exchanged neighbors with one more character between them, in the word or in the path.
          | ((before.none & mask & (previousMask &>> 2)) &<< 3)
        if depth >= 2 {
          next.two |= (steps[depth &- 2].none & mask & (before.mask &>> 1)) &<< 2
        }
        next.two &= valid
      }
    }
    depth &+= 1
    if depth < steps.count { steps[depth] = next } else { steps.append(next) }
    return next.none != 0 ? 0 : next.one != 0 ? 1 : next.two != 0 ? 2 : limit + 1
  }
}
