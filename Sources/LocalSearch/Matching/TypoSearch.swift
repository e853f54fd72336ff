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
