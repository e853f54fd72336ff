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
  private let automaton: LevenshteinAutomaton
  /// The paths of the last visited word, by the number of characters after the starting path.
  private var paths: [Path] = []
  /// The number of characters that were walked.
  private var steps = 0
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
    guard !word.isEmpty else { return [] }
    if maximumTypos == 0 || word.count > LevenshteinAutomaton.maximumLength {
      let bytes = Array(String(String.UnicodeScalarView(word.compactMap(Unicode.Scalar.init))).utf8)
      if matchesPrefixes {
        let terms = dictionary.terms(withPrefix: bytes)
        return terms.isEmpty ? [] : [Found(terms: terms, typos: 0)]
      }
      return dictionary.term(bytes).map { [Found(terms: $0..<$0 + 1, typos: 0)] } ?? []
    }
    var search = TypoSearch(
      word: word, maximumTypos: min(maximumTypos, TypoRule.maximumTypos),
      matchesPrefixes: matchesPrefixes, dictionary: dictionary)
    let beginnings = dictionary.beginnings
    try search.visit(
      beginnings.roots, of: beginnings, after: Path(search.automaton), end: dictionary.count,
      cancellation)
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
    automaton = LevenshteinAutomaton(word: word, limit: maximumTypos)
  }

  /// The characters so far.
  private struct Path {
    /// The number of characters, and of their bytes.
    var depth = 0
    var size = 0
    var first: UInt32?
    /// The least distance of a beginning.
    var best: Int
    var state: LevenshteinAutomaton.State

    init(_ automaton: LevenshteinAutomaton) {
      state = automaton.state
      best = automaton.limit + 1
    }
  }

  /// Returns a path with one more character.
  @inline(__always)
  private func lengthened(_ path: Path, by scalar: UInt32, size: Int, _ mask: UInt64) -> Path {
    var path = path
    path.state = automaton.state(after: path.state, mask)
    path.depth += 1
    path.size += size
    if path.first == nil { path.first = scalar }
    if matchesPrefixes { path.best = min(path.best, automaton.distance(in: path.state)) }
    return path
  }

  /// Adds the word that a path spells.
  private mutating func addWord(_ term: Int, _ path: Path) {
    let edits = matchesPrefixes ? path.best : automaton.distance(in: path.state)
    add(term..<term + 1, edits: edits, first: path.first)
  }

  /// Visits the words with some beginnings, which differ in their last character.
  ///
  /// - Parameters:
  ///   - path: The characters before the last ones.
  ///   - end: The end of the words with the last beginning.
  private mutating func visit(
    _ nodes: Range<Int>, of beginnings: TermBeginnings, after path: Path, end: Int,
    _ cancellation: CancellationCheck
  ) throws {
    let next = automaton.nextPositions(after: path.state)
    for node in nodes {
      try cancellation.count(element: node)
      let beginning = beginnings[node]
      let scalar = beginning.scalar
      // With at most one edit the first character must match.
      if path.depth == 0, maximumTypos == 1, scalar != word[0] { continue }
      let mask = automaton.mask(of: scalar)
      // Most characters lead away from the word.
      if path.best > maximumTypos, next != .max, mask & next == 0 { continue }
      let longer = lengthened(path, by: scalar, size: UTF8Scalars.size(of: scalar), mask)
      var start = Int(beginning.firstTerm)
      let end = node + 1 < nodes.upperBound ? Int(beginnings[node + 1].firstTerm) : end
      guard automaton.leastDistance(in: longer.state) < longer.best else {
        add(start..<end, edits: longer.best, first: longer.first)
        continue
      }
      if beginning.isWord {
        addWord(start, longer)
        start += 1
      }
      if longer.depth < TermBeginnings.maximumLength {
        try visit(
          beginnings.children(of: node), of: beginnings, after: longer, end: end, cancellation)
      } else if start < end {
        try walk(start..<end, after: longer, cancellation)
      }
    }
  }

  /// Visits words that begin with a path.
  private mutating func walk(
    _ range: Range<Int>, after path: Path, _ cancellation: CancellationCheck
  ) throws {
    let bytes = dictionary.bytes
    paths.removeAll(keepingCapacity: true)
    paths.append(path)
    var term = range.lowerBound
    var shared = path.size
    walk: while term < range.upperBound {
      let start = dictionary.offsets[term]
      let length = dictionary.length(of: term)
      while paths.count > 1, paths[paths.count - 1].size > shared { paths.removeLast() }
      var path = paths[paths.count - 1]
      while path.size < length {
        steps += 1
        try cancellation.count(element: steps)
        let (scalar, size) = UTF8Scalars.decode(bytes, at: start + path.size, limit: start + length)
        path = lengthened(path, by: scalar.value, size: size, automaton.mask(of: scalar.value))
        if automaton.leastDistance(in: path.state) < path.best {
          paths.append(path)
          continue
        }
        let end = min(dictionary.endOfTerms(sharing: path.size, with: term), range.upperBound)
        add(term..<end, edits: path.best, first: path.first)
        term = end
        if term < range.upperBound { shared = dictionary.sharedLength(term) }
        continue walk
      }
      addWord(term, path)
      term += 1
      if term < range.upperBound { shared = dictionary.sharedLength(term) }
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
/// with a few bit operations. Paths with a common prefix share its state.
package struct LevenshteinAutomaton {
  /// The greatest number of errors.
  package let limit: Int

  /// The sets after a character for no error, one and two.
  fileprivate struct Step {
    var none: UInt64 = 0
    var one: UInt64 = 0
    var two: UInt64 = 0
    /// The positions of the character in the word.
    var mask: UInt64 = 0
  }

  /// The state of a path: the sets after its last three characters.
  package struct State {
    fileprivate var last: Step
    fileprivate var before = Step()
    fileprivate var twoBefore = Step()
  }

  /// The state of the empty path.
  package let state: State
  private let count: Int
  private let valid: UInt64
  /// The positions of each ASCII character in the word, as a mask.
  private var asciiMasks: [UInt64]
  private var otherMasks: [UInt32: UInt64] = [:]

  /// The maximum length of a word with errors. Of longer words only this many characters are
  /// compared.
  package static let maximumLength = 60

  /// Creates an automaton for a word.
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
    state = State(
      last: Step(
        none: 1, one: self.limit >= 1 ? 0b11 & valid : 0, two: self.limit == 2 ? 0b111 & valid : 0))
  }

  /// Returns the distance between the word and a path. `limit + 1` means any greater one.
  @inline(__always)
  package func distance(in state: State) -> Int {
    let end = 1 as UInt64 &<< UInt64(count)
    if state.last.none & end != 0 { return 0 }
    if state.last.one & end != 0 { return 1 }
    return state.last.two & end != 0 ? 2 : limit + 1
  }

  /// Returns the least distance between a prefix of the word and a path. No longer path is nearer
  /// to the word.
  @inline(__always)
  package func leastDistance(in state: State) -> Int {
    state.last.none != 0 ? 0 : state.last.one != 0 ? 1 : state.last.two != 0 ? 2 : limit + 1
  }

  /// Returns the positions of a character in the word, as a mask.
  @inline(__always)
  package func mask(of scalar: UInt32) -> UInt64 {
    scalar < 128 ? asciiMasks[Int(scalar)] : otherMasks[scalar] ?? 0
  }

  /// Returns the positions of the word at which the next character must occur. A character at no
  /// such position leads too far from the word. All positions mean that any character is allowed.
  func nextPositions(after state: State) -> UInt64 {
    let (last, before) = (state.last, state.before)
    if limit < 2 { return last.none != 0 ? .max : last.one | before.none }
    if last.none | last.one != 0 { return .max }
    // The sets that ``state(after:_:)`` intersects with the positions of the character.
    return last.two | before.one | before.none | state.twoBefore.none
  }

  /// Returns the state after one more character, given its positions in the word.
  @inline(__always)
  package func state(after state: State, _ mask: UInt64) -> State {
    let (last, before) = (state.last, state.before)
    var next = Step(none: (last.none & mask) &<< 1, mask: mask)
    if limit >= 1 {
      let exchanged = mask & (last.mask &>> 1)
      next.one =
        ((last.one & mask) &<< 1) | last.none | (last.none &<< 1) | (next.none &<< 1)
        | ((before.none & exchanged) &<< 2)
      next.one &= valid
      if limit == 2 {
        next.two =
          ((last.two & mask) &<< 1) | last.one | (last.one &<< 1) | (next.one &<< 1)
          | ((before.one & exchanged) &<< 2)
          // Exchanged neighbors with one more character between them, in the word or in the path.
          | ((before.none & mask & (last.mask &>> 2)) &<< 3)
          | ((state.twoBefore.none & mask & (before.mask &>> 1)) &<< 2)
        next.two &= valid
      }
    }
    return State(last: next, before: last, twoBefore: before)
  }
}
