/// The synonyms of an index, arranged for lookup by the words of a query.
///
/// The words of inputs and outputs are normalized like the words of records. Inputs are sorted, so
/// that the inputs with a common beginning are a range.
final class SynonymTable: Sendable {
  /// A word or phrase that finds others.
  private struct Input {
    /// The words, as an index of ``phrases``.
    let phrase: Int32
    /// The sets whose members it finds, as indices of ``sets``. Most inputs have one.
    let firstSet: Int32
    var otherSets: [Int32] = []
    /// The text as it was written, or `nil` if it is the normalized one.
    let text: String?

    var sets: [Int] { [Int(firstSet)] + otherSets.map(Int.init) }
  }

  /// Words and phrases that an input finds.
  private struct OutputSet {
    /// The cost in typos, which is more than 0 for corrections.
    let cost: Int8
    /// Whether the member is a placeholder, which highlights never show.
    var isPlaceholder = false
    /// The members, as indices of ``phrases``.
    let phrases: [Int32]
  }

  /// A word or phrase.
  fileprivate enum Phrase: Hashable {
    /// One word, which can be one character of a script without spaces.
    case word(String, isCharacter: Bool)
    /// Several words, or one that is found by its pairs.
    case words([String], WordSequence)

    var words: [String] {
      switch self {
      case .word(let word, _): [word]
      case .words(let words, _): words
      }
    }

    var isWord: Bool {
      switch self {
      case .word: true
      case .words(let words, _): words.count == 1
      }
    }
  }

  /// What an input finds.
  struct Output: Hashable {
    fileprivate let phrase: Phrase
    /// The cost in typos.
    let cost: Int
    /// Whether it is a placeholder in records.
    let isPlaceholder: Bool

    /// Whether it is one word.
    var isWord: Bool { phrase.isWord }
    /// Whether it is one character of a script without spaces, which is the beginning of a word.
    var isCharacter: Bool {
      if case .word(_, let isCharacter) = phrase { isCharacter } else { false }
    }
    /// The words to find.
    var target: Alternative.Target {
      switch phrase {
      case .word(let word, _): .word(word)
      case .words(_, let sequence): .sequence(sequence)
      }
    }
  }

  /// The keys of the inputs, in ascending order: the words, each followed by a space.
  private let keyBytes: [UInt8]
  /// The start of each key, and the end of the last one.
  private let keyStarts: [Int]
  private let inputs: [Input]
  private let sets: [OutputSet]
  private let phrases: [Phrase]

  private init(
    inputs: [Input] = [], keyBytes: [UInt8] = [], keyStarts: [Int] = [0],
    sets: [OutputSet] = [], phrases: [Phrase] = []
  ) {
    self.inputs = inputs
    self.keyBytes = keyBytes
    self.keyStarts = keyStarts
    self.sets = sets
    self.phrases = phrases
  }

  /// A table without synonyms.
  static let empty = SynonymTable()

  private func key(_ input: Int) -> ArraySlice<UInt8> {
    keyBytes[keyStarts[input]..<keyStarts[input + 1]]
  }

  /// Whether no query has a synonym.
  var isEmpty: Bool { inputs.isEmpty }

  /// What follows each word of a key.
  private static let wordEnd = UInt8(ascii: " ")
}

extension SynonymTable {
  /// Collects synonyms.
  struct Builder {
    /// The inputs by their words with spaces, which no word contains.
    private var inputs: [String: Int] = [:]
    private var table: [Input] = []
    private var sets: [OutputSet] = []
    private var numbers: [Phrase: Int32] = [:]
    private var phrases: [Phrase] = []
    private let tokenizer: Tokenizer
    private let cancellation: CancellationCheck

    init(_ tokenizer: Tokenizer, _ cancellation: CancellationCheck) {
      self.tokenizer = tokenizer
      self.cancellation = cancellation
    }

    /// Adds a synonym. Members without words have no effect, and neither have corrections of
    /// several words.
    mutating func add(_ synonym: Synonym) throws {
      switch synonym.kind {
      case .equivalent(let members): try add(members)
      case .oneWay(let input, let outputs): try add(outputs, of: input, cost: 0)
      case .oneTypo(let word, let corrections): try add(corrections, of: word, cost: 1)
      case .twoTypos(let word, let corrections): try add(corrections, of: word, cost: 2)
      case .placeholder(let text, let words): try add(placeholder: text, for: words)
      }
    }

    private mutating func add(placeholder text: String, for words: [String]) throws {
      let token = number(.word(text, isCharacter: false))
      sets.append(OutputSet(cost: 0, isPlaceholder: true, phrases: [token]))
      for word in words {
        if let input = try phrase(word) { addInput(input, word) }
      }
    }

    private mutating func add(_ members: [String]) throws {
      let found = try members.compactMap { text in try phrase(text).map { ($0, text) } }
      sets.append(OutputSet(cost: 0, phrases: found.map(\.0)))
      for (phrase, text) in found { addInput(phrase, text) }
    }

    private mutating func add(_ outputs: [String], of input: String, cost: Int8) throws {
      guard let inputPhrase = try phrase(input) else { return }
      let found = try outputs.compactMap { try phrase($0) }
      sets.append(
        OutputSet(
          cost: cost, phrases: cost == 0 ? found : found.filter { phrases[Int($0)].isWord }))
      addInput(inputPhrase, input)
    }

    /// Lets an input find the members of the last set.
    private mutating func addInput(_ phrase: Int32, _ text: String) {
      let set = Int32(sets.count - 1)
      // An input that finds nothing is none.
      guard sets[sets.count - 1].phrases.contains(where: { $0 != phrase }) else { return }
      let words = phrases[Int(phrase)].words.joined(separator: " ")
      if let known = inputs[words] {
        if (table[known].otherSets.last ?? table[known].firstSet) != set {
          table[known].otherSets.append(set)
        }
        return
      }
      inputs[words] = table.count
      table.append(Input(phrase: phrase, firstSet: set, text: text == words ? nil : text))
    }

    private mutating func phrase(_ text: String) throws -> Int32? {
      try cancellation.count(bytes: text.utf8.count)
      let row = try WordRow(Array(text.utf8), tokenizer, cancellation)
      guard let sequence = row.sequence else { return nil }
      if row.words.count == 1, sequence.words.count == 1, sequence.span == 0 {
        return number(
          .word(
            sequence.words[0],
            isCharacter: row.words[0].isUnspaced && row.words[0].pairs == nil))
      }
      return number(.words(row.words.map(\.word), sequence))
    }

    private mutating func number(_ phrase: Phrase) -> Int32 {
      if let known = numbers[phrase] { return known }
      let number = Int32(truncatingIfNeeded: phrases.count)
      numbers[phrase] = number
      phrases.append(phrase)
      return number
    }

    /// Returns the table.
    consuming func build() throws -> SynonymTable {
      let (phrases, table) = (phrases, table)
      numbers = [:]
      inputs = [:]
      var keyBytes: [UInt8] = []
      var starts = [0]
      for input in table {
        for word in phrases[Int(input.phrase)].words {
          keyBytes += word.utf8
          keyBytes.append(SynonymTable.wordEnd)
        }
        starts.append(keyBytes.count)
      }
      let order = try ByteStringOrder.sorted(count: table.count, cancellation) {
        keyBytes[starts[$0]..<starts[$0 + 1]]
      }
      var sortedBytes: [UInt8] = []
      sortedBytes.reserveCapacity(keyBytes.count)
      var sortedStarts = [0]
      for number in order {
        sortedBytes += keyBytes[starts[Int(number)]..<starts[Int(number) + 1]]
        sortedStarts.append(sortedBytes.count)
      }
      return SynonymTable(
        inputs: order.map { table[Int($0)] }, keyBytes: sortedBytes, keyStarts: sortedStarts,
        sets: sets, phrases: phrases)
    }
  }
}

extension SynonymTable {
  /// Words of a query that are an input, or that begin one.
  struct Match: Hashable {
    /// The query words.
    private(set) var words: Range<Int>
    /// The number of the input.
    let input: Int
    /// Whether the last word is the whole last word of the input. Otherwise it is a prefix of it.
    let isWhole: Bool
    /// Whether the prefix begins more inputs than ``maximumPrefixInputs``.
    var isCut = false

    /// Returns the match of words that have other numbers.
    func at(_ words: Range<Int>) -> Match {
      var result = self
      result.words = words
      return result
    }
  }

  /// The maximum number of inputs that a prefix finds.
  static let maximumPrefixInputs = 50

  /// The maximum number of inputs in a query, after which its further words have no synonyms.
  private static let maximumMatches = 10_000

  /// Finds the inputs among the words of a query. Words of phrases have no synonyms.
  ///
  /// A word that matches prefixes also finds inputs that continue it, the shortest first and then
  /// in the order of the bytes.
  ///
  /// - Complexity: O(w log n) comparisons for w words that begin inputs, and O(p) for p inputs with
  ///   a prefix.
  func matches(_ words: [QueryWord], _ cancellation: CancellationCheck) throws -> [Match] {
    guard !isEmpty else { return [] }
    var found: [Match] = []
    for start in words.indices {
      var range = inputs.indices
      var key: [UInt8] = []
      var end = start
      while end < words.count, words[end].phrase == nil, !range.isEmpty,
        found.count < Self.maximumMatches
      {
        let word = words[end]
        end += 1
        key += word.word.utf8
        try cancellation.count(1 + key.count &>> 4)
        if word.allowsPrefix {
          range = inputsBeginning(with: key, in: range)
          let (inputs, isCut) = try continuations(of: key, in: range, cancellation)
          found += inputs.map {
            Match(words: start..<end, input: $0, isWhole: false, isCut: isCut)
          }
        }
        key.append(Self.wordEnd)
        range = inputsBeginning(with: key, in: range)
        if let first = range.first, self.key(first).count == key.count {
          found.append(Match(words: start..<end, input: first, isWhole: true))
        }
      }
    }
    return found
  }

  /// Returns the inputs whose last word continues the last word of a key, and whether there are
  /// more.
  private func continuations(
    of key: [UInt8], in range: Range<Int>, _ cancellation: CancellationCheck
  ) throws -> (inputs: [Int], isCut: Bool) {
    // The shortest so far, in order.
    var shortest: [Int] = []
    var isCut = false
    for input in range {
      try cancellation.count(element: input)
      let bytes = self.key(input)
      let rest = bytes.dropFirst(key.count)
      guard let next = rest.first, next != Self.wordEnd,
        rest.firstIndex(of: Self.wordEnd) == bytes.endIndex - 1
      else { continue }
      if shortest.count == Self.maximumPrefixInputs {
        isCut = true
        guard let last = shortest.last, bytes.count < self.key(last).count else { continue }
        shortest.removeLast()
      }
      let place = shortest.firstIndex { self.key($0).count > bytes.count } ?? shortest.count
      shortest.insert(input, at: place)
    }
    return (shortest, isCut)
  }

  private func inputsBeginning(with key: [UInt8], in range: Range<Int>) -> Range<Int> {
    let start = range.partitionPoint { self.key($0).lexicographicallyPrecedes(key) }
    let rest = start..<range.upperBound
    return start..<rest.partitionPoint { self.key($0).starts(with: key) }
  }

  /// Returns the text of an input as it was written.
  func text(of input: Int) -> String {
    inputs[input].text ?? phrases[Int(inputs[input].phrase)].words.joined(separator: " ")
  }

  /// Whether an input is one word.
  func isWord(_ input: Int) -> Bool { phrases[Int(inputs[input].phrase)].isWord }

  /// Calls `body` with the outputs of an input, without itself, in the order of the synonyms and
  /// their members, until it returns `false`.
  func forEachOutput(
    of input: Int, _ cancellation: CancellationCheck, _ body: (Output) -> Bool
  ) throws {
    for set in inputs[input].sets {
      for phrase in sets[set].phrases where phrase != inputs[input].phrase {
        try cancellation.count()
        guard
          body(
            Output(
              phrase: phrases[Int(phrase)], cost: Int(sets[set].cost),
              isPlaceholder: sets[set].isPlaceholder))
        else { return }
      }
    }
  }
}
