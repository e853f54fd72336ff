#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Finds secrets in texts without regard to case: keys, whole or in part, and words, whole or
/// truncated, each also in base64 and in hexadecimal digits.
///
/// It examines each byte of a text a bounded number of times, regardless of the number of secrets.
/// Of a text that is made of parts of secrets, everything after many of them counts as a secret.
package struct SecretFinder: Sendable {
  /// The number of consecutive bytes of a key that count as a part of it.
  private static let runLength = 8
  /// The number of bytes that identify a truncated word.
  private static let beginningLength = 6
  /// The maximum number of bytes that are compared at one position. Longer secrets count as keys.
  package static let longestWord = 129
  /// The average number of comparisons for a byte of a text. Ordinary texts need less than two.
  private static let comparisonsPerByte = 8

  private var runs: Runs
  private var words = Words()

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - keys: Random secrets, of which no text contains a part by chance.
  ///   - words: Secrets that may be words or begin with one.
  package init(keys: some Sequence<String>, words: some Sequence<String>) {
    var runs: [UInt64] = []
    func add(_ bytes: [UInt8], isKey: Bool) {
      let bytes = bytes.map(Self.folded)
      if bytes.count > Self.longestWord || isKey && bytes.count >= Self.runLength {
        var run: UInt64 = 0
        for (offset, byte) in bytes.enumerated() {
          run = run << 8 | UInt64(byte)
          if offset >= Self.runLength - 1 { runs.append(run) }
        }
      } else {
        self.words.insert(bytes)
      }
    }
    self.runs = Runs([])
    for (secrets, isKey) in [(Array(keys), true), (Array(words), false)] {
      for secret in secrets {
        // The secret as it is, and with everything in it decoded that looks encoded.
        for level in EncodedText.levels(of: Array(secret.utf8)) {
          add(level.bytes, isKey: isKey)
          if let joined = level.joined() { add(joined.bytes, isKey: isKey) }
          for text in Base64Text.forms(of: level.bytes) { add(text, isKey: true) }
          add(level.bytes.flatMap(Self.hexadecimal), isKey: true)
        }
      }
    }
    self.runs = Runs(runs)
  }

  /// The ranges of the secrets in a form of a text.
  package func ranges(in text: EncodedText) -> [Range<Int>] {
    let ranges = runs.isEmpty ? [] : rangesOfRuns(in: text.bytes)
    return words.isEmpty ? ranges : ranges + rangesOfWords(in: text)
  }

  private func rangesOfRuns(in text: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    let folding = Self.folding
    var last = Self.runLength - 1
    while last < text.count {
      let isPossible = runs.mayHave(
        folding[Int(text[last - 1])], folding[Int(text[last])])
      guard isPossible else {
        // No run contains these two bytes.
        last += Self.runLength - 1
        continue
      }
      let start = last + 1 - Self.runLength
      var run: UInt64 = 0
      for offset in start...last { run = run << 8 | UInt64(folding[Int(text[offset])]) }
      if runs.contains(run) {
        if let previous = ranges.last, start <= previous.upperBound {
          ranges[ranges.count - 1] = previous.lowerBound..<(last + 1)
        } else {
          ranges.append(start..<(last + 1))
        }
      }
      last += 1
    }
    return ranges
  }

  private func rangesOfWords(in form: EncodedText) -> [Range<Int>] {
    let text = form.bytes
    var ranges: [Range<Int>] = []
    let folding = Self.folding
    let isFirst = words.isFirst
    var comparisonsLeft = Self.comparisonsPerByte * (text.count + Self.longestWord)
    var offset = 0
    while offset < text.count {
      guard isFirst[Int(folding[Int(text[offset])])] else {
        offset += 1
        continue
      }
      let (whole, matching, isInWord) = words.length(at: offset, of: text)
      comparisonsLeft -= matching
      if comparisonsLeft < 0 { return ranges + [offset..<text.count] }
      let end = offset + matching
      let isCut =
        matching >= Self.beginningLength && Self.isCut(text, offset..<end, isInWord: isInWord)
      let length = max(whole, isCut ? matching : 0)
      if length > 0, form.isText(offset..<(offset + length)) {
        ranges.append(offset..<(offset + length))
      }
      offset += max(length, 1)
    }
    return ranges
  }

  /// Whether a text contains a part of a secret that was cut: the text ends there or continues with
  /// an ellipsis, or the part stands alone and contains a digit, or it is in quotes and ends in the
  /// middle of a word of the secret.
  private static func isCut(_ text: [UInt8], _ part: Range<Int>, isInWord: Bool) -> Bool {
    let rest = text[part.upperBound...]
    if rest.isEmpty || rest.starts(with: "...".utf8) || rest.starts(with: "…".utf8) { return true }
    let before = part.lowerBound > 0 ? text[part.lowerBound - 1] : nil
    guard let after = rest.first, !isWordByte(after), !(before.map(isWordByte) ?? false) else {
      return false
    }
    let isQuoted = before == after && "\"'`".utf8.contains(after)
    return isQuoted && isInWord || text[part].contains(where: \.isASCIIDigit)
  }

  private static func hexadecimal(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  package static func isWordByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit
  }

  private static let folding = (UInt8.min...UInt8.max).map(folded)

  /// Folds upper case to lower case, and the two alphabets of base64 to one.
  fileprivate static func folded(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
    case UInt8(ascii: "-"): UInt8(ascii: "+")
    case UInt8(ascii: "_"): UInt8(ascii: "/")
    default: byte
    }
  }
}

extension SecretFinder {
  /// The runs of eight bytes of all keys, in a hash table with open addressing.
  private struct Runs: Sendable {
    private var slots: [UInt64]
    private let shift: Int
    /// Whether a run may contain these two adjacent bytes.
    private var pairs = [Bool](repeating: false, count: 4096)
    let isEmpty: Bool

    init(_ runs: [UInt64]) {
      // The table is at most a quarter full. A run of zeros only is not part of a key.
      let bits = max(4, Int.bitWidth - (runs.count * 4).leadingZeroBitCount)
      slots = [UInt64](repeating: 0, count: 1 << bits)
      shift = UInt64.bitWidth - bits
      isEmpty = runs.isEmpty
      for run in runs {
        for shift in stride(from: UInt64(0), through: 48, by: 8) {
          let pair = run >> shift
          pairs[Self.pair(UInt8(truncatingIfNeeded: pair >> 8), UInt8(truncatingIfNeeded: pair))] =
            true
        }
        var slot = start(of: run)
        while slots[slot] != 0, slots[slot] != run { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = run
      }
    }

    func mayHave(_ first: UInt8, _ second: UInt8) -> Bool { pairs[Self.pair(first, second)] }

    private static func pair(_ first: UInt8, _ second: UInt8) -> Int {
      (Int(first) << 5 ^ Int(second)) & 4095
    }

    func contains(_ run: UInt64) -> Bool {
      guard run != 0 else { return false }
      var slot = start(of: run)
      while slots[slot] != 0 {
        if slots[slot] == run { return true }
        slot = (slot + 1) & (slots.count - 1)
      }
      return false
    }

    private func start(of run: UInt64) -> Int {
      Int(truncatingIfNeeded: (run &* 0x9E37_79B9_7F4A_7C15) >> UInt64(shift))
    }
  }

  /// All words, as a trie of their bytes.
  private struct Words: Sendable {
    /// The next node for a node and a byte. The root is 0.
    private var children: [UInt64: UInt32] = [:]
    private var isEnd: [Bool] = [false]
    /// Whether a word continues after a node with a letter or a digit.
    private var isInWord: [Bool] = [false]
    private(set) var isFirst = [Bool](repeating: false, count: 256)

    var isEmpty: Bool { children.isEmpty }

    mutating func insert(_ word: [UInt8]) {
      guard let first = word.first else { return }
      isFirst[Int(first)] = true
      var node: UInt32 = 0
      for byte in word {
        if SecretFinder.isWordByte(byte) { isInWord[Int(node)] = true }
        let edge = UInt64(node) << 8 | UInt64(byte)
        if let next = children[edge] {
          node = next
        } else {
          node = UInt32(truncatingIfNeeded: isEnd.count)
          children[edge] = node
          isEnd.append(false)
          isInWord.append(false)
        }
      }
      isEnd[Int(node)] = true
    }

    /// The length of the longest word at a position, 0 for none, and the length of the longest
    /// match of any part of a word, and whether that part ends in the middle of a word.
    func length(
      at offset: Int, of text: [UInt8]
    ) -> (whole: Int, matching: Int, isInWord: Bool) {
      var node: UInt32 = 0
      var whole = 0
      var end = offset
      while end < text.count,
        let next = children[UInt64(node) << 8 | UInt64(SecretFinder.folded(text[end]))]
      {
        node = next
        end += 1
        if isEnd[Int(node)] { whole = end - offset }
      }
      return (whole, end - offset, isInWord[Int(node)])
    }
  }
}

/// A secret as a part of a longer text in base64.
private enum Base64Text {
  /// The characters that represent some bytes alone, for each of the three positions at which they
  /// can begin in the groups of three bytes. At most one more character at each end represents bits
  /// of them.
  static func forms(of bytes: [UInt8]) -> [[UInt8]] {
    (0..<3).compactMap { position in
      let padded = [UInt8](repeating: 0, count: position) + bytes
      let characters = Array(Data(padded).base64EncodedString().utf8)
      let first = (position * 8 + 5) / 6
      let end = padded.count * 8 / 6
      return end - first >= 4 ? Array(characters[first..<end]) : nil
    }
  }
}
