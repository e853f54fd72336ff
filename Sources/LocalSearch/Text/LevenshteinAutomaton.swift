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
  @inline(__always)
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
