@testable import InstantSearchAPI
@testable import LocalSearch
import TestSupport

/// The highlights of a record, from the rules of the contract and of the decisions of the engine.
struct OracleHighlights {
  let search: OracleSearch
  private let splits: [Int: [String]]
  private let tokenizer: Tokenizer
  private var words: [QueryWord] { search.plan.words }

  init(_ search: OracleSearch) {
    self.search = search
    splits = search.chosenSplits()
    tokenizer = Tokenizer(settings: search.settings)
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
  }

  private func leaf(_ text: String, _ path: String) throws -> JSON {
    let isSearched =
      OracleDocument.role(of: path, search.settings) != nil && search.isSearched(path)
      && !["_tags", "_geoloc"].contains(path)
    guard isSearched, !words.isEmpty else { return Self.unmatched(text) }
    let bytes = Array(text.utf8)
    let tokens = try tokenizer.tokens(of: text, CancellationCheck())
    var marks: [Mark] = []
    let pairs = tokens.compactMap { token in mark(token, bytes, path).map { (token, $0) } }
    let found = pairs.compactMap { token, mark -> Mark? in
      if mark.range.upperBound == token.range.upperBound || mark.words.count < 2 { return mark }
      // The parts of a joined word are marked one by one, if they match the same query words.
      let parts = pairs.filter {
        $0.0.range != token.range && token.range.contains($0.0.range.lowerBound)
          && $0.0.range.upperBound <= token.range.upperBound
      }
      let words = parts.reduce(into: Set<Int>()) { $0.formUnion($1.1.words) }
      return !parts.isEmpty && words.isSuperset(of: mark.words) ? nil : mark
    }
    for mark in found.sorted(by: {
      ($0.range.lowerBound, -$0.range.upperBound) < ($1.range.lowerBound, -$1.range.upperBound)
    }) {
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
      value += Array("<em>".utf8) + bytes[mark.range] + Array("</em>".utf8)
      position = mark.range.upperBound
    }
    value += bytes[position...]
    let isFull = tokens.allSatisfy { token in
      marks.contains {
        $0.range.lowerBound <= token.range.lowerBound
          && token.range.upperBound <= $0.range.upperBound
      }
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
    guard let length = matches.values.map(\.length).max() else { return nil }
    let range = token.range
    let end = Self.end(of: length, token.word, bytes[range])
    return Mark(range: range.lowerBound..<end, words: Set(matches.keys))
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

  private typealias Match = (cost: Int, length: Int)

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
    for (index, query) in words.enumerated() {
      let allowsPrefix = query.allowsPrefix && allowsPrefixes
      if let match = Self.match(
        query.scalars, scalars, typos: allowsTypos ? query.maximumTypos : 0, isPrefix: allowsPrefix)
      {
        add(index, match)
      }
      guard allowsTypos else { continue }
      if let part = query.longPart, query.allowsSplitting,
        let match = Self.match(
          part.unicodeScalars.map(\.value), scalars, typos: 0, isPrefix: allowsPrefix)
      {
        add(index, (1, match.length))
      }
    }
    guard allowsTypos else { return matches }
    for (index, parts) in splits where parts.contains(word) { add(index, (1, scalars.count)) }
    for joined in WordConcatenation.all(of: search.plan.words, options: search.plan.options) {
      guard
        let match = Self.match(
          joined.word.unicodeScalars.map(\.value), scalars, typos: 0,
          isPrefix: joined.allowsPrefix && allowsPrefixes)
      else { continue }
      for index in joined.range { add(index, (1, match.length)) }
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
        ([$0, length == word.count ? 0 : 1, abs(length - query.count), -length], ($0, length))
      }
    }
    return found.min { $0.order.lexicographicallyPrecedes($1.order) }?.match
  }
}
