/// The Damerau-Levenshtein distances between the beginnings of a word and a growing path of
/// characters.
///
/// Insertion, deletion, substitution and the exchange of neighbours cost 1 each; neighbours also
/// count as such when one character was put in or left out between them (`ca` and `abc` are 2
/// apart). Distances above `limit`, at most 2, are only known to be above it.
///
/// For each number of errors a machine word holds the set of beginnings of the word that are that
/// near to the path: bit i is set for the first i characters. A character added to the path moves
/// all sets with a few bit operations. Paths with a common beginning share its states: ``pop(to:)``
/// goes back to it.
package struct EditAutomaton {
  /// The greatest number of errors.
  package let limit: Int
  /// The characters pushed.
  package var path: ArraySlice<UInt32> { characters[..<depth] }

  /// The sets for no error, one and two.
  private struct State {
    var none: UInt64
    var one: UInt64
    var two: UInt64
  }

  private let count: Int
  private let valid: UInt64
  /// Where each ASCII character stands in the word.
  private var asciiMasks: [UInt64]
  private var otherMasks: [UInt32: UInt64] = [:]
  private var depth = 0
  /// The state after each number of characters.
  private var states: [State]
  private var characters: [UInt32]
  /// Where each character of the path stands in the word.
  private var masks: [UInt64]

  /// The longest word that may differ at all; of longer ones only the first so many characters are
  /// compared.
  package static let maximumLength = 60

  /// Creates an automaton in the state of the empty path.
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
    let capacity = count + self.limit + 3
    states = [
      State(
        none: 1, one: self.limit >= 1 ? 0b11 & valid : 0, two: self.limit == 2 ? 0b111 & valid : 0)
    ]
    states.reserveCapacity(capacity)
    characters = []
    characters.reserveCapacity(capacity)
    masks = []
    masks.reserveCapacity(capacity)
  }

  /// The distance between the word and the path; `limit + 1` stands for anything greater.
  @inline(__always)
  package var distance: Int {
    let state = states[depth]
    let end = 1 as UInt64 &<< UInt64(count)
    if state.none & end != 0 { return 0 }
    if state.one & end != 0 { return 1 }
    return state.two & end != 0 ? 2 : limit + 1
  }

  /// Goes back to the first `depth` characters.
  @inline(__always)
  package mutating func pop(to depth: Int) { self.depth = min(self.depth, max(0, depth)) }

  /// Adds a character, and returns the least distance between a beginning of the word and the path;
  /// no path that continues this one is nearer to the word than that.
  @inline(__always)
  package mutating func push(_ scalar: UInt32) -> Int {
    let mask = scalar < 128 ? asciiMasks[Int(scalar)] : otherMasks[scalar] ?? 0
    let state = states[depth]
    var next = State(none: (state.none & mask) &<< 1, one: 0, two: 0)
    if limit >= 1 {
      let before = depth >= 1 ? states[depth &- 1] : State(none: 0, one: 0, two: 0)
      let previousMask = depth >= 1 ? masks[depth &- 1] : 0
      let exchanged = mask & (previousMask &>> 1)
      next.one =
        ((state.one & mask) &<< 1) | state.none | (state.none &<< 1) | (next.none &<< 1)
        | ((before.none & exchanged) &<< 2)
      next.one &= valid
      if limit == 2 {
        next.two =
          ((state.two & mask) &<< 1) | state.one | (state.one &<< 1) | (next.one &<< 1)
          | ((before.one & exchanged) &<< 2)
          // Exchanged neighbours with a character more between them, in the word or in the path.
          | ((before.none & mask & (previousMask &>> 2)) &<< 3)
        if depth >= 2 {
          next.two |= (states[depth &- 2].none & mask & (masks[depth &- 2] &>> 1)) &<< 2
        }
        next.two &= valid
      }
    }
    if depth &+ 1 < states.count {
      states[depth &+ 1] = next
      characters[depth] = scalar
      masks[depth] = mask
    } else {
      states.append(next)
      characters.append(scalar)
      masks.append(mask)
    }
    depth &+= 1
    return next.none != 0 ? 0 : next.one != 0 ? 1 : next.two != 0 ? 2 : limit + 1
  }
}
