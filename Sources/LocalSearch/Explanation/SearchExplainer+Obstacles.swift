import InstantSearchJSON

// Records that do not match.
extension SearchExplainer {
  /// Returns what kept a record out, in the order of the search.
  func obstacle(_ segment: Int, _ document: Int) throws -> Explanation.Obstacle {
    let view = snapshot.segments[segment]
    let evaluator = FilterEvaluator(
      segment: view.segment, numericDeclarations: search.numbers, cancellation: cancellation)
    for filter in search.filters.required where try !evaluator.documents(filter)[document] {
      return .filter(filter.text)
    }
    if let geo = search.geo {
      let near = try geo.documents(
        in: view.segment.attributes.geo, count: view.segment.count, cancellation)
      if !near[document] { return .place }
    }
    let number = UInt32(truncatingIfNeeded: document)
    let lookup = try WordLookup(options: plan.options, segment: view.segment, cancellation)
    for exclusion in plan.exclusions {
      let sources = try lookup.sources(excluding: exclusion)
      if try sources.contains(where: { try $0.occurs(in: number, cancellation) }) {
        return .excluded(exclusion.words.joined(separator: " "))
      }
    }
    let matcher = records.segments[segment].matcher
    let costs = try matcher.leastCosts(of: number, cancellation)
    var matchedWords: Set<Int> = []
    for (unit, cost) in zip(matcher.units, costs) where cost != nil {
      matchedWords.formUnion(unit.words)
    }
    for (index, word) in plan.words.enumerated()
    where !word.isOptional && !matchedWords.contains(index) {
      return try missing(word.word, view, document)
    }
    if matchedWords.count < max(records.requiredWordCount, plan.words.isEmpty ? 0 : 1) {
      if matchedWords.isEmpty, plan.words.count == 1 {
        return try missing(plan.words[0].word, view, document)
      }
      return .tooFewWords(matchedWords.count, required: max(1, records.requiredWordCount))
    }
    if let allowed = records.maximumTypos {
      var cover = WordCover(wordCount: plan.words.count, units: matcher.units)
      cover.choose { costs[$0] ?? MatchLevels.absent }
      if cover.cost > allowed { return .typos(cover.cost, allowed: allowed) }
    }
    return .automaticRadius(automaticRadius ?? 0)
  }

  /// Describes a word that nothing in a record matches.
  private func missing(
    _ word: String, _ view: SegmentView, _ document: Int
  ) throws -> Explanation.Obstacle {
    guard
      let root = try cancellation.record(view.segment.records.bytes(of: document))
    else { return .word(word, nearest: nil, attribute: nil) }
    let tokenizer = try snapshot.tokenizer(cancellation)
    let lists = try snapshot.lists(cancellation)
    var words: Set<String> = []
    var unsearched: String?
    func read(_ node: JSONNode, _ path: String) throws {
      try cancellation.count()
      switch node.kind {
      case .object:
        for member in node.currentMembers {
          try read(member.value, path.isEmpty ? member.key : path + "." + member.key)
        }
      case .array: for element in node.elements { try read(element, path) }
      case .string, .number, .bool:
        var text: [UInt8] = []
        if let bool = node.bool {
          text = Array(String(bool).utf8)
        } else {
          node.readSearchedText(into: &text)
        }
        let found = try tokenizer.tokens(of: String(decoding: text, as: UTF8.self), cancellation)
          .map(\.word)
        let isSearched =
          try lists.searchable.role(of: path, cancellation) != nil
          && plan.options.restrictedAttributes.covers(path, cancellation)
        if isSearched {
          words.formUnion(found)
        } else if unsearched == nil, found.contains(word) {
          unsearched = path
        }
      case .null: break
      }
    }
    try read(root, "")
    // A word that is near has about as many letters.
    let length = word.unicodeScalars.count
    var near: [String] = []
    for other in words {
      try cancellation.count()
      if abs(other.unicodeScalars.count - length) <= NearestName.maximumDistance {
        near.append(other)
      }
    }
    try cancellation.sort(&near, by: <)
    try cancellation.count(near.count * (1 + length &>> 2))
    let nearest = NearestName.find(word, among: near, limit: .max) { _ in true }
    return .word(word, nearest: nearest, attribute: unsearched)
  }
}

extension SegmentMatcher {
  /// Returns the least cost of each unit in a document, or `nil` if it does not match.
  func leastCosts(
    of document: UInt32, _ cancellation: CancellationCheck
  ) throws -> [UInt8?] {
    let costs = try expansions.map { expansion in
      try expansion.sources.first { try $0.occurs(in: document, cancellation) }
        .map { UInt8(clamping: $0.typos) }
    }
    return units.map { costs[$0.expansion] }
  }
}

extension PostingSource {
  /// Whether a document has a term.
  func occurs(in document: UInt32, _ cancellation: CancellationCheck) throws -> Bool {
    for term in terms {
      try cancellation.count()
      guard let encoded = encodedOccurrences(of: term, in: document) else { continue }
      if lists.containsOccurrence(in: encoded, where: { fields?[$0.field] ?? true }) { return true }
    }
    return false
  }

  /// Returns the terms that a document has, each with its first place in each attribute.
  func occurrences(
    in document: UInt32, _ cancellation: CancellationCheck
  ) throws -> [(occurrence: Occurrence, term: Int)] {
    var found: [(occurrence: Occurrence, term: Int)] = []
    for term in terms {
      try cancellation.count()
      guard let encoded = encodedOccurrences(of: term, in: document) else { continue }
      var first: [Int: Occurrence] = [:]
      lists.forEachOccurrence(in: encoded) { occurrence in
        guard fields?[occurrence.field] ?? true else { return }
        if first[occurrence.field].map({ occurrence.position < $0.position }) ?? true {
          first[occurrence.field] = occurrence
        }
      }
      found += first.values.map { ($0, term) }
    }
    return found
  }

  private func encodedOccurrences(
    of term: Int, in document: UInt32
  ) -> UInt32? {
    let range = lists.postings(of: term)
    let posting = lists.firstPosting(in: range, notBefore: document)
    guard posting < range.upperBound, lists.documents[posting] == document else { return nil }
    return lists.encodedOccurrences[posting]
  }
}
