import InstantSearchAPI
import InstantSearchJSON

/// The ways in which a search looked for the words of its query: the member `explain`.
///
/// Typos, and parts and compounds, are words of live records, in attributes that searches return.
struct MatchAlternatives {
  /// One way to find words of the query.
  struct Entry: Hashable {
    /// The name of the rule in the contract.
    let type: String
    let isOptional: Bool
    /// The normalized words to find.
    let words: [String]
    let typos: Int
    /// The query words that it replaces, or `nil` for words to exclude.
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
    let index = try VisibleWords(plan, snapshot, cancellation)
    for span in plan.graph.spans {
      for range in span.places {
        let place = spoken.place(of: range)
        let isOptional = plan.words[range].allSatisfy(\.isOptional)
        var known: Set<Entry> = []
        func add(_ type: String, _ words: [String], typos: Int) {
          let entry = Entry(
            type: type, isOptional: isOptional, words: words, typos: typos, place: place)
          if known.insert(entry).inserted { entries.append(entry) }
        }
        for alternative in span.alternatives {
          try cancellation.count()
          // These are words of the index.
          if alternative.kind == .split || alternative.kind == .compound,
            try !index.has(alternative)
          {
            continue
          }
          add(alternative.kind.contractName, alternative.target.words, typos: alternative.cost)
          for near in try index.words(near: alternative).prefix(Self.maximumCount) {
            add("typo", [near.word], typos: near.typos)
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

extension Alternative.Kind {
  /// The name of the rule in the contract.
  var contractName: String {
    switch self {
    case .original, .phrase: "original"
    case .part, .split: "split"
    case .concatenation: "concat"
    case .plural, .compound, .synonym: rawValue
    case .correction: "altCorrection"
    }
  }
}
