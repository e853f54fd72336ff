@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport

/// The highlights of a record, from the rules of the contract and of the decisions of the engine.
struct OracleHighlights {
  let search: OracleSearch
  private let splits: [Int: [String]]
  private let tokenizer: OracleTokens
  private var words: [QueryWord] { search.words }

  init(_ search: OracleSearch) {
    self.search = search
    splits = search.chosenSplits()
    tokenizer = OracleTokens(settings: search.settings)
  }

  /// The member `_highlightResult`, or `nil` without any highlight.
  func tree(of record: JSON) throws -> JSON? {
    try tree(of: record, "")
  }

  // MARK: Shape

  private func tree(of value: JSON, _ path: String) throws -> JSON? {
    switch value {
    case .string(let text):
      guard isHighlighted(path) else { return nil }
      return try leaf(text, path)
    case .int, .uint, .double, .number:
      guard isHighlighted(path) else { return nil }
      return Self.unmatched(value.facetText)
    case .null, .bool: return nil
    case .array(let elements): return try list(elements, path)
    case .object(let members):
      var result: [String: JSON] = [:]
      for (key, member) in members {
        let path = path.isEmpty ? key : path + "." + key
        // IDs and points have none, unless they are named.
        if ["objectID", "_geoloc"].contains(path) { continue }
        result[key] = try tree(of: member, path)
      }
      return result.isEmpty ? nil : .object(result)
    }
  }

  /// Every element keeps its index, unless those without a match are dropped.
  private func list(_ elements: [JSON], _ path: String) throws -> JSON? {
    let trees = try elements.map { try tree(of: $0, path) }
    guard trees.contains(where: { $0 != nil }) else { return nil }
    if search.query.restrictHighlightAndSnippetArrays
      ?? search.settings.restrictHighlightAndSnippetArrays
    {
      return .array(trees.compactMap(\.self).filter(Self.hasMatch))
    }
    return .array(
      zip(elements, trees).map { element, tree in
        if let tree { return tree }
        return switch element {
        case .object: [:]
        case .array: []
        case .null: Self.unmatched("")
        default: Self.unmatched(element.facetText)
        }
      })
  }

  private static func hasMatch(_ tree: JSON) -> Bool {
    if let level = tree["matchLevel"]?.stringValue { return level != "none" }
    let parts = tree.arrayValue ?? tree.objectValue.map { Array($0.values) } ?? []
    return parts.contains(where: hasMatch)
  }

  private static func unmatched(_ text: String) -> JSON {
    ["value": .string(text), "matchLevel": "none", "matchedWords": []]
  }

  /// Whether the texts of an attribute are highlighted: by default those that are searched.
  private func isHighlighted(_ path: String) -> Bool {
    let listed = search.query.attributesToHighlight ?? search.settings.attributesToHighlight
    if let listed { return listed.contains("*") || search.covers(listed, path) }
    return search.settings.searchableAttributes.isEmpty
      || OracleDocument.role(of: path, search.settings) != nil
  }

  // MARK: Words

  /// A marked part of a text, in bytes, and the query words that match there.
  private struct Mark {
    var range: Range<Int>
    var words: Set<Int>
    /// What is shown instead.
    var replacement: String?

    var order: (Int, Int, Int, Int) {
      (
        range.lowerBound, -range.upperBound, replacement == nil ? 0 : 1, words.min() ?? 0
      )
    }
  }

  private func leaf(_ text: String, _ path: String) throws -> JSON {
    let isSearched =
      OracleDocument.role(of: path, search.settings) != nil && search.isSearched(path)
      && !["_tags", "_geoloc"].contains(path)
    guard isSearched, !words.isEmpty else { return Self.unmatched(text) }
    let bytes = Array(text.utf8)
    let tokens = try tokenizer.tokens(of: text, at: path)
    var marks: [Mark] = []
    let pairs = tokens.compactMap { token in mark(token, bytes, path).map { (token, $0) } }
    var found = pairs.compactMap { token, mark -> Mark? in
      if mark.range.upperBound == token.range.upperBound || mark.words.count < 2 { return mark }
      // The parts of a joined word are marked one by one, if they match the same query words.
      let parts = pairs.filter {
        $0.0.range != token.range && token.range.contains($0.0.range.lowerBound)
          && $0.0.range.upperBound <= token.range.upperBound
      }
      let words = parts.reduce(into: Set<Int>()) { $0.formUnion($1.1.words) }
      return !parts.isEmpty && words.isSuperset(of: mark.words) ? nil : mark
    }
    found += phraseMarks(tokens)
    for mark in found.sorted(by: { $0.order < $1.order }) {
      // A joined word and its parts: the longest is marked, for all their words.
      if let last = marks.last, mark.range.lowerBound < last.range.upperBound {
        marks[marks.count - 1].words.formUnion(mark.words)
      } else {
        marks.append(mark)
      }
    }
    if marks.isEmpty { return Self.unmatched(text) }
    var value: [UInt8] = []
    var position = 0
    for mark in marks {
      value += bytes[position..<mark.range.lowerBound]
      value +=
        Array("<em>".utf8) + (mark.replacement.map { Array($0.utf8) } ?? Array(bytes[mark.range]))
        + Array("</em>".utf8)
      position = mark.range.upperBound
    }
    value += bytes[position...]
    // Several marks can cover a run of a script without spaces.
    let isFull = tokens.allSatisfy { token in
      token.range.allSatisfy { byte in marks.contains { $0.range.contains(byte) } }
    }
    let matched = marks.reduce(into: Set<Int>()) { $0.formUnion($1.words) }
    var texts: [String] = []
    for word in matched.sorted() where !texts.contains(words[word].word) {
      texts.append(words[word].word)
    }
    return [
      "value": .string(String(decoding: value, as: UTF8.self)),
      "matchLevel": matched.count == words.count ? "full" : "partial",
      "fullyHighlighted": .bool(isFull), "matchedWords": .array(texts.map { .string($0) }),
    ]
  }

  private func mark(_ token: Token, _ bytes: [UInt8], _ path: String) -> Mark? {
    let matches = matches(of: token.word, path)
    guard let length = matches.values.map({ $0.skipped + $0.length }).max(),
      let skipped = matches.values.map(\.skipped).min()
    else { return nil }
    let range = token.range
    let end = Self.end(of: length, token.word, bytes[range])
    let start =
      skipped == 0 ? range.lowerBound : Self.end(of: skipped, token.word, bytes[range])
    // A word that the query has too is shown as it is.
    let isReplaced = matches.values.allSatisfy { $0.replacement != nil }
    let replacement = isReplaced ? matches.min { $0.key < $1.key }?.value.replacement : nil
    return Mark(
      range: start..<end, words: Set(matches.keys), replacement: replacement)
  }

  /// Words that follow each other in a text: synonyms of several words, and the pairs of runs in
  /// scripts without spaces.
  private func phraseMarks(_ tokens: [Token]) -> [Mark] {
    var marks: [Mark] = []
    func mark(_ row: [String], _ words: Set<Int>, _ replacement: String? = nil) {
      let pairs = OracleUnspaced.sequence(row)
      for first in tokens where first.word == pairs.words[0] {
        let found = zip(pairs.words, pairs.offsets).compactMap { word, offset in
          tokens.first { $0.position == first.position + offset && $0.word == word }
        }
        guard found.count == pairs.words.count else { continue }
        let ranges = [first.range] + found.dropFirst().map(\.range)
        if let replacement {
          let end = ranges.map(\.upperBound).max() ?? 0
          marks.append(
            Mark(range: first.range.lowerBound..<end, words: words, replacement: replacement))
          continue
        }
        // Pairs overlap.
        var joined: [Range<Int>] = []
        for range in ranges {
          if let last = joined.last, range.lowerBound < last.upperBound {
            joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
          } else {
            joined.append(range)
          }
        }
        marks += joined.map { Mark(range: $0, words: words) }
      }
    }
    for alternative in search.alternatives {
      let pairs = OracleUnspaced.sequence(alternative.words)
      if pairs.span > 0 { mark(alternative.words, Set(alternative.range), alternative.replacement) }
    }
    for (index, word) in words.enumerated() where word.phrase == nil {
      if OracleUnspaced.sequence([word.word]).span > 0 { mark([word.word], [index]) }
    }
    for phrase in search.phrases {
      let row = phrase.range.map { words[$0].word }
      if row.contains(where: { OracleUnspaced.isUnspaced($0) }) { mark(row, Set(phrase.range)) }
    }
    return marks
  }

  /// The byte after the first letters of a word. What joins the parts of a word is not a letter.
  private static func end(of length: Int, _ word: String, _ bytes: ArraySlice<UInt8>) -> Int {
    if length >= word.unicodeScalars.count { return bytes.endIndex }
    var end = bytes.startIndex
    var left = length
    for character in String(decoding: bytes, as: UTF8.self) where left > 0 {
      end += character.utf8.count
      if character.isLetter || character.isNumber { left -= character == "ß" ? 2 : 1 }
    }
    return end
  }

  private struct Match {
    var cost: Int
    var length: Int
    var replacement: String?
    /// The letters before the match.
    var skipped = 0
  }

  /// The query words that match a word, and the number of letters that each matches.
  private func matches(of word: String, _ path: String) -> [Int: Match] {
    let scalars = word.unicodeScalars.map(\.value)
    let exactness = search.query.exactOnSingleWordQuery ?? search.settings.exactOnSingleWordQuery
    let isExact = words.count == 1 && exactness == .word
    let allowsTypos = search.allowsTypos(in: path) && !isExact
    let allowsPrefixes = search.allowsPrefixes(in: path) && !isExact
    var matches: [Int: Match] = [:]
    func add(_ index: Int, _ match: Match) {
      if match.cost < matches[index]?.cost ?? .max { matches[index] = match }
    }
    func addSynonyms(of range: Range<Int>, areForms: Bool = false) {
      for alternative in search.alternatives
      where alternative.range == range && alternative.isForm == areForms {
        let pairs = OracleUnspaced.sequence(alternative.words)
        let isFound =
          pairs.isCharacter ? word.hasPrefix(pairs.words[0]) : alternative.words == [word]
        guard isFound, pairs.span == 0 else { continue }
        for index in range {
          add(
            index,
            Match(
              cost: alternative.cost, length: pairs.isCharacter ? 1 : scalars.count,
              replacement: alternative.replacement))
        }
      }
    }
    for (index, query) in words.enumerated() {
      // Runs of several characters are found by their pairs, and words of phrases too.
      let isRun = OracleUnspaced.isUnspaced(query.word)
      if isRun, query.phrase != nil || query.word.count > 1 {
        addSynonyms(of: index..<index + 1)
        continue
      }
      if let phrase = query.phrase,
        search.phrases[phrase].range.contains(where: {
          OracleUnspaced.isUnspaced(words[$0].word)
        })
      {
        continue
      }
      let allowsPrefix = query.allowsPrefix && (allowsPrefixes || isRun)
      if let match = Self.match(
        query.scalars, scalars, typos: allowsTypos ? query.maximumTypos : 0, isPrefix: allowsPrefix)
      {
        add(index, match)
      }
      if allowsTypos, let part = query.longPart, query.allowsSplitting,
        let match = Self.match(
          part.unicodeScalars.map(\.value), scalars, typos: 0, isPrefix: allowsPrefix)
      {
        add(index, Match(cost: 1, length: match.length))
      }
      let place = search.compounds.place(of: query, in: word, at: path)
      func addCompound() {
        guard let place else { return }
        add(index, Match(cost: 0, length: query.scalars.count, skipped: place.start))
      }
      // Forms and entries come before synonyms, and the words of the index after them.
      addSynonyms(of: index..<index + 1, areForms: true)
      let parts = search.compounds.parts(of: query)
      func addPart(_ isFromEntry: Bool) {
        guard parts.contains(where: { $0.isFromEntry == isFromEntry && $0.words.contains(word) })
        else { return }
        add(index, Match(cost: 0, length: scalars.count))
      }
      addPart(true)
      if place?.isFromEntry == true { addCompound() }
      addSynonyms(of: index..<index + 1)
      addPart(false)
      if place?.isFromEntry == false { addCompound() }
      if allowsTypos, splits[index]?.contains(word) == true {
        add(index, Match(cost: 1, length: scalars.count))
      }
    }
    var joinedRanges: [Range<Int>] = []
    for joined in WordConcatenation.all(of: search.words, options: search.plan.options) {
      joinedRanges.append(joined.range)
      if allowsTypos,
        let match = Self.match(
          joined.word.unicodeScalars.map(\.value), scalars, typos: 0,
          isPrefix: joined.allowsPrefix && allowsPrefixes)
      {
        for index in joined.range { add(index, Match(cost: 1, length: match.length)) }
      }
      addSynonyms(of: joined.range)
    }
    for range in Set(search.alternatives.map(\.range))
    where range.count > 1 && !joinedRanges.contains(range) {
      addSynonyms(of: range)
    }
    return matches
  }

  /// The best of a word and its beginnings: with the fewest typos, then the whole word, then the
  /// beginning whose length is nearest to the query word's, then the longer one.
  private static func match(
    _ query: [UInt32], _ word: [UInt32], typos: Int, isPrefix: Bool
  ) -> Match? {
    let lengths = isPrefix ? Array(1...word.count) : [word.count]
    let found = lengths.compactMap { length -> (order: [Int], match: Match)? in
      let cost = DamerauLevenshtein.cost(
        query, Array(word[..<length]), maximumTypos: typos, matchesPrefixes: false)
      return cost.map {
        (
          [$0, length == word.count ? 0 : 1, abs(length - query.count), -length],
          Match(cost: $0, length: length)
        )
      }
    }
    return found.min { $0.order.lexicographicallyPrecedes($1.order) }?.match
  }
}
