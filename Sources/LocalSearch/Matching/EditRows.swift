/// The Damerau-Levenshtein distances between a word and a growing path of characters, one row per character.
///
/// Insertion, deletion, substitution and the exchange of neighbours cost 1 each; neighbours also count as such
/// when one character was put in or left out between them (`ca` and `abc` are 2 apart). Distances above `limit`,
/// at most 2, are only known to be above it. A row has a band of `2 * limit + 1` cells.
///
/// Words with a common beginning share its rows: ``pop(to:)`` goes back to it.
package struct EditRows {
  /// The word compared with, as scalar values.
  package let word: [UInt32]
  /// The greatest distance of interest.
  package let limit: Int
  /// The characters pushed.
  private(set) var path: [UInt32] = []
  private var rows: [UInt8]
  private let width: Int
  private let cap: UInt8

  /// Creates the rows for the empty path.
  package init(word: [UInt32], limit: Int) {
    self.word = word
    self.limit = min(max(0, limit), 2)
    width = word.count + 1
    cap = UInt8(self.limit + 1)
    rows = Array(repeating: UInt8(self.limit + 1), count: width * (word.count + self.limit + 3))
    for index in 0...min(self.limit, word.count) { rows[index] = UInt8(index) }
  }

  /// The distance between the word and the path; `limit + 1` stands for anything greater.
  package var distance: Int {
    let depth = path.count
    return abs(depth - word.count) > limit ? limit + 1 : Int(rows[depth * width + word.count])
  }

  /// Goes back to the first `depth` characters.
  package mutating func pop(to depth: Int) {
    if depth < path.count { path.removeLast(path.count - depth) }
  }

  /// Adds a character, and returns the least distance between a beginning of the word and the path; no path that
  /// continues this one is nearer to the word than that.
  package mutating func push(_ scalar: UInt32) -> Int {
    let depth = path.count + 1
    defer { path.append(scalar) }
    let count = word.count
    let low = max(0, depth - limit)
    guard low <= count else { return limit + 1 }
    let high = min(count, depth + limit)
    let row = depth * width
    let above = row - width
    if low > 0 { rows[row + low - 1] = cap }
    if high < count { rows[row + high + 1] = cap }
    var minimum = cap
    if low == 0 {
      rows[row] = min(UInt8(truncatingIfNeeded: depth), cap)
      minimum = rows[row]
    }
    let previous = depth >= 2 ? path[depth - 2] : 0
    for index in max(1, low)..<high + 1 {
      let letter = word[index - 1]
      var value = rows[above + index - 1]
      if letter != scalar {
        value = min(value, rows[above + index], rows[row + index - 1]) + 1
        if depth >= 2, letter == previous, index >= 2, word[index - 2] == scalar {
          value = min(value, rows[above - width + index - 2] + 1)
        }
        if limit == 2 { value = min(value, exchangeAcrossGap(scalar, depth, index)) }
      }
      value = min(value, cap)
      rows[row + index] = value
      minimum = min(minimum, value)
    }
    return Int(minimum)
  }

  /// The cost of an exchange of two characters with one more between them, on either side.
  private func exchangeAcrossGap(_ scalar: UInt32, _ depth: Int, _ index: Int) -> UInt8 {
    let letter = word[index - 1]
    var value = cap
    if depth >= 3, index >= 2, letter == path[depth - 3], word[index - 2] == scalar {
      value = min(value, rows[(depth - 3) * width + index - 2] + 2)
    }
    if depth >= 2, index >= 3, letter == path[depth - 2], word[index - 3] == scalar {
      value = min(value, rows[(depth - 2) * width + index - 3] + 2)
    }
    return value
  }
}
