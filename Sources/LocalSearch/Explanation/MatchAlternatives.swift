import InstantSearchAPI
import InstantSearchJSON

/// The ways in which a search looked for the words of its query: the member `explain`.
///
/// Typos are words of live records, in attributes that searches return.
struct MatchAlternatives {
  /// One way to find words of the query.
  struct Entry: Hashable {
    /// The name of the rule in the contract.
    let type: String
    let isOptional: Bool
    /// The normalized words to find.
    let words: [String]
    let typos: Int
    /// The words of the query that it stands for, or `nil` for words to exclude.
    let place: Range<Int>?
  }

  /// The entries, in the order of the query, and then of the rules.
  private(set) var entries: [Entry] = []

  /// The maximum number of entries.
  private static let maximumCount = 1000

  /// Reads the plan of a search that ran.
  ///
  /// - Complexity: O(w) for the w words of the index that are near a word of the query.
  init(_ plan: QueryPlan, _ snapshot: IndexSnapshot, _ cancellation: CancellationCheck) throws {
    let spoken = SpokenWords(plan)
    for (number, word) in plan.stopWords.enumerated() {
      let place = spoken.removed[number]
      entries.append(
        Entry(
          type: "stopWord", isOptional: false, words: [word.word], typos: 0,
          place: place..<place + 1))
    }
    let nearby = try NearbyWords(plan, snapshot, cancellation)
    for span in plan.graph.spans {
      for range in span.places {
        let place = spoken.place(of: range)
        let isOptional = plan.words[range].allSatisfy(\.isOptional)
        func add(_ type: String, _ words: [String], typos: Int) {
          entries.append(
            Entry(type: type, isOptional: isOptional, words: words, typos: typos, place: place))
        }
        for alternative in span.alternatives {
          try cancellation.count()
          guard try nearby.mayShow(alternative) else { continue }
          add(alternative.kind.contractName, alternative.target.words, typos: alternative.cost)
          for (word, typos) in try nearby.words(of: alternative, limit: Self.maximumCount) {
            add("typo", [word], typos: typos)
          }
        }
      }
    }
    try cancellation.sort(&entries) {
      let (left, right) = ($0.place ?? 0..<0, $1.place ?? 0..<0)
      return left.lowerBound == right.lowerBound
        ? left.count < right.count : left.lowerBound < right.lowerBound
    }
    entries += plan.exclusions.map {
      Entry(type: "excluded", isOptional: false, words: $0.words, typos: 0, place: nil)
    }
    if entries.count > Self.maximumCount { entries.removeSubrange(Self.maximumCount...) }
  }

  /// Writes the object.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("match")
    writer.beginObject()
    writer.key("alternatives")
    writer.beginArray()
    for entry in entries {
      writer.beginObject()
      writer.key("types")
      Self.write([entry.type] + (entry.isOptional ? ["optional"] : []), to: &writer)
      writer.key("words")
      Self.write(entry.words, to: &writer)
      writer.key("typos")
      writer.int(entry.typos)
      if let place = entry.place {
        writer.key("offset")
        writer.int(place.lowerBound)
        writer.key("length")
        writer.int(place.count)
      }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    writer.endObject()
  }

  private static func write(_ texts: [String], to writer: inout JSONWriter) {
    writer.beginArray()
    for text in texts { writer.string(text) }
    writer.endArray()
  }
}

/// The numbers of the words in the query text, with the stop words that were removed.
private struct SpokenWords {
  /// The number of each stop word.
  private(set) var removed: [Int] = []
  /// The number of each other word.
  private var kept: [Int] = []

  init(_ plan: QueryPlan) {
    var number = 0
    for word in plan.words {
      while removed.count < plan.stopWords.count,
        plan.stopWords[removed.count].range.lowerBound < word.range.lowerBound
      {
        removed.append(number)
        number += 1
      }
      kept.append(number)
      number += 1
    }
    while removed.count < plan.stopWords.count {
      removed.append(number)
      number += 1
    }
  }

  /// Returns the numbers of some words, which are not empty.
  func place(of words: Range<Int>) -> Range<Int> {
    kept[words.lowerBound]..<kept[words.upperBound - 1] + 1
  }
}

/// The words of an index that are near a word of a query.
private struct NearbyWords {
  private let snapshot: IndexSnapshot
  private let lookups: [WordLookup]
  /// For each segment, whether searches return the attribute of a field.
  private let visible: [[Bool]]
  private let cancellation: CancellationCheck

  init(
    _ plan: QueryPlan, _ snapshot: IndexSnapshot, _ cancellation: CancellationCheck
  ) throws {
    self.snapshot = snapshot
    self.cancellation = cancellation
    lookups = try snapshot.segments.map {
      try WordLookup(options: plan.options, segment: $0.segment, cancellation)
    }
    let settings = snapshot.settings
    visible = snapshot.segments.map { view in
      view.segment.text.fields.map { !settings.hides($0.path) }
    }
  }

  /// Returns whether an alternative tells nothing about attributes that searches do not return.
  ///
  /// Compounds are words of the index.
  func mayShow(_ alternative: Alternative) throws -> Bool {
    guard alternative.language != nil else { return true }
    for (number, lookup) in lookups.enumerated() {
      for source in try lookup.sources(of: alternative) {
        for term in source.terms where try isVisible(term, of: source, number) { return true }
      }
    }
    return false
  }

  /// Returns the words within the typos of an alternative, nearest first and then by name.
  func words(
    of alternative: Alternative, limit: Int
  ) throws -> ArraySlice<(key: String, value: Int)> {
    guard case .word = alternative.target, alternative.maximumTypos > 0 else { return [] }
    var typos: [String: Int] = [:]
    for (number, lookup) in lookups.enumerated() {
      let terms = snapshot.segments[number].segment.text.terms
      for source in try lookup.sources(of: alternative) where source.typos > alternative.cost {
        for term in source.terms where try isVisible(term, of: source, number) {
          typos[terms.word(of: term), default: .max].formMinimum(source.typos)
        }
      }
    }
    var sorted = Array(typos)
    try cancellation.sort(&sorted) {
      $0.value == $1.value
        ? $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) : $0.value < $1.value
    }
    return sorted.prefix(limit)
  }

  /// Whether a live record has a word in an attribute that counts and that searches return.
  private func isVisible(_ term: Int, of source: PostingSource, _ number: Int) throws -> Bool {
    let (lists, live) = (source.lists, snapshot.segments[number].live)
    for posting in lists.postings(of: term) {
      try cancellation.count(element: posting)
      if live[Int(lists.documents[posting])],
        lists.containsOccurrence(
          in: lists.encodedOccurrences[posting],
          where: { (source.fields?[$0.field] ?? true) && visible[number][$0.field] })
      {
        return true
      }
    }
    return false
  }
}

extension Alternative.Kind {
  /// The name of the rule in the contract.
  fileprivate var contractName: String {
    switch self {
    case .original, .phrase: "original"
    case .part, .split: "split"
    case .concatenation: "concat"
    case .plural, .compound, .synonym: rawValue
    case .correction: "altCorrection"
    }
  }
}

extension Int {
  fileprivate mutating func formMinimum(_ other: Int) { self = Swift.min(self, other) }
}
