import InstantSearchAPI

// Compound words that consist of other words of the index.
extension QueryPlan {
  /// Adds the parts of the query's compound words, and the compound words of records that contain
  /// the query's words.
  mutating func addCompounds(
    in snapshot: IndexSnapshot, _ cancellation: CancellationCheck
  ) throws {
    guard !options.compoundLanguages.isEmpty || !options.decompoundedAttributes.isEmpty else {
      return
    }
    let words = IndexWords(snapshot, cancellation)
    for number in graph.spans.indices where graph.spans[number].isWord {
      guard case .word? = graph.spans[number].alternatives.first?.target,
        let original = graph.spans[number].alternatives.first,
        original.scalars.count >= Decompounder.minimumPartLength
      else { continue }
      for language in options.compoundLanguages {
        guard let divider = Decompounder(language, isWord: words.contains),
          let parts = try divider.parts(of: original.scalars)
        else { continue }
        try graph.add(
          [.compound(of: parts.map(String.init(scalars:)))], toSpan: number, cancellation)
      }
      for list in options.decompoundedAttributes {
        guard let divider = Decompounder(list.language, isWord: words.contains) else { continue }
        // Of all segments, so that a merge of segments changes nothing.
        var found: [String: Range<Int>] = [:]
        for view in snapshot.segments {
          try findCompounds(with: original, in: view, words, divider, &found, cancellation)
        }
        var compounds = found.map { (word: $0, slice: $1) }
        try cancellation.sort(&compounds) {
          $0.word.utf8.count == $1.word.utf8.count
            ? $0.word.utf8.lexicographicallyPrecedes($1.word.utf8)
            : $0.word.utf8.count < $1.word.utf8.count
        }
        try graph.add(
          compounds.lazy.map {
            Alternative(.compound, .word($0.word), language: list.language, slice: $0.slice)
          }, toSpan: number, cancellation)
      }
    }
  }

  /// Finds the words of a segment with a query word inside them, and where it is.
  private func findCompounds(
    with original: Alternative, in view: SegmentView, _ words: IndexWords,
    _ divider: Decompounder, _ found: inout [String: Range<Int>],
    _ cancellation: CancellationCheck
  ) throws {
    let index = view.segment.text
    let part = original.scalars
    let text = Array(String(scalars: part).utf8)
    let suffixes = try index.compoundSuffixes.value {
      try CompoundSuffixes(index.terms, cancellation)
    }
    // Where the part is in each word, the first of several places.
    var places: [Int: Int] = [:]
    let isWord = try words.contains(part)
    for suffix in suffixes.beginning(with: text, of: index.terms) {
      try cancellation.count(8)
      let word = index.terms.word(of: Int(suffix.term)).unicodeScalars.map(\.value)
      let start = UTF8Scalars.values(
        of: index.terms.bytes(of: Int(suffix.term)).prefix(Int(suffix.offset))
      ).count
      let rest = word.dropFirst(start + part.count)
      var isPart = false
      if isWord {
        isPart = try rest.isEmpty || divider.isDivisible(rest, beginsWithLink: true)
      }
      if !isPart, original.allowsPrefix {
        isPart = try divider.isDivisible(word.dropFirst(start))
      }
      guard isPart, try divider.isDivisible(word.prefix(start), endsWithLink: true) else {
        continue
      }
      let term = Int(suffix.term)
      places[term] = min(start, places[term] ?? start)
    }
    for term in isWord ? index.terms.terms(withPrefix: text) : 0..<0 {
      try cancellation.count(8)
      let word = index.terms.word(of: term).unicodeScalars.map(\.value)
      guard word.count >= part.count + Decompounder.minimumPartLength,
        word.count <= Decompounder.maximumLength,
        try divider.isDivisible(word.dropFirst(part.count), beginsWithLink: true)
      else { continue }
      places[term] = 0
    }
    for (term, start) in places {
      try cancellation.count()
      guard try words.isLive(term, in: view) else { continue }
      found[index.terms.word(of: term)] = start..<start + part.count
    }
  }
}

/// The words that the live records of an index have.
private final class IndexWords {
  private let snapshot: IndexSnapshot
  private let cancellation: CancellationCheck
  private var known: [[UInt32]: Bool] = [:]

  init(_ snapshot: IndexSnapshot, _ cancellation: CancellationCheck) {
    self.snapshot = snapshot
    self.cancellation = cancellation
  }

  /// Whether a record has a word.
  func contains(_ word: [UInt32]) throws -> Bool {
    try cancellation.count()
    if let known = known[word] { return known }
    let bytes = Array(String(scalars: word).utf8)
    let isFound = try snapshot.segments.contains { view in
      try cancellation.count()
      return try view.segment.text.terms.term(bytes).map { try isLive($0, in: view) } ?? false
    }
    known[word] = isFound
    return isFound
  }

  /// Whether a live document of a segment has a word.
  func isLive(_ term: Int, in view: SegmentView) throws -> Bool {
    let lists = view.segment.text.postings
    for posting in lists.postings(of: term) {
      try cancellation.count(element: posting)
      if view.live[Int(lists.documents[posting])] { return true }
    }
    return false
  }
}
