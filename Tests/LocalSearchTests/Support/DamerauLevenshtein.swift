/// The textbook algorithm over the full matrix with the last position of each letter.
enum DamerauLevenshtein {
  static func distance(_ left: [UInt32], _ right: [UInt32]) -> Int {
    let far = left.count + right.count
    var lastRow: [UInt32: Int] = [:]
    var matrix = Array(
      repeating: Array(repeating: far, count: right.count + 2), count: left.count + 2)
    for row in 0...left.count { matrix[row + 1][1] = row }
    for column in 0...right.count { matrix[1][column + 1] = column }
    for row in left.indices.map({ $0 + 1 }) {
      var lastColumn = 0
      for column in right.indices.map({ $0 + 1 }) {
        let matchRow = lastRow[right[column - 1]] ?? 0
        let matchColumn = lastColumn
        var substitution = 1
        if left[row - 1] == right[column - 1] {
          substitution = 0
          lastColumn = column
        }
        matrix[row + 1][column + 1] = min(
          matrix[row][column] + substitution, matrix[row + 1][column] + 1,
          matrix[row][column + 1] + 1,
          matrix[matchRow][matchColumn] + (row - matchRow - 1) + 1 + (column - matchColumn - 1))
      }
      lastRow[left[row - 1]] = row
    }
    return matrix[left.count + 1][right.count + 1]
  }

  /// The cost of a match by the rules of the engine.
  static func cost(
    _ query: [UInt32], _ word: [UInt32], maximumTypos: Int, matchesPrefixes: Bool
  ) -> Int? {
    let lengths = matchesPrefixes ? Array(1...word.count) : [word.count]
    return lengths.compactMap { length in
      let edits = distance(query, Array(word[..<length]))
      guard edits <= maximumTypos else { return nil }
      if edits == 0 || query.first == word.first { return edits }
      return maximumTypos == 2 ? edits + 1 : nil
    }.min()
  }
}
