/// One row of the screen: texts at columns.
struct ScreenLine: Hashable {
  struct Piece: Hashable {
    let column: Int
    let text: StyledText
  }

  private(set) var pieces: [Piece] = []

  /// Adds text at a column that is not to the left of the end of the line, in at most `width`
  /// cells.
  mutating func add(_ text: StyledText, at column: Int = 0, width: Int) {
    let text = text.cut(to: width)
    if text.width > 0 { pieces.append(Piece(column: column, text: text)) }
  }

  /// The text without styles.
  var plain: String {
    pieces.reduce(into: "") { text, piece in
      text += String(repeating: " ", count: max(0, piece.column - text.cellWidth))
      text += piece.text.plain
    }
  }

  /// The line with escape sequences, as it is written to a row of `columns` cells.
  ///
  /// Each text begins at its column, even if the terminal measures the characters before it in
  /// another way.
  func escaped(columns: Int) -> String {
    var line = ""
    var end = 0
    for piece in pieces {
      line += String(repeating: " ", count: max(0, piece.column - end))
      if piece.column > 0 { line += "\u{1B}[\(piece.column + 1)G" }
      line += piece.text.escaped
      end = piece.column + piece.text.width
    }
    // After a full line, the cursor is still in its last cell, which must not be cleared.
    return end < columns ? line + "\u{1B}[K" : line
  }
}

/// What a terminal shows at one moment: its lines and the cursor.
struct Frame: Equatable {
  /// A cell, counted from 0.
  struct Position: Hashable {
    var row: Int
    var column: Int
  }

  let size: ScreenSize
  /// One line for each row.
  private(set) var lines: [ScreenLine]
  /// The cursor; `nil` while it is hidden.
  var cursor: Position?

  init(size: ScreenSize) {
    self.size = size
    lines = Array(repeating: ScreenLine(), count: max(0, size.rows))
  }

  /// Adds text to a row, cut at the end of the row. A row that the screen does not have is ignored.
  mutating func add(_ text: StyledText, row: Int?, column: Int = 0, width: Int? = nil) {
    guard let row, lines.indices.contains(row) else { return }
    let free = max(0, size.columns - column)
    lines[row].add(text, at: column, width: min(width ?? free, free))
  }

  /// The output that makes the terminal show this frame: only lines that differ from the previous
  /// frame, and nothing is cleared before it is written again.
  func output(after previous: Frame?) -> String {
    let known = previous?.size == size ? previous : nil
    if let known, known == self { return "" }
    var output = "\u{1B}[?25l"
    for (row, line) in lines.enumerated() where line != known?.lines[row] {
      output += "\u{1B}[\(row + 1);1H" + line.escaped(columns: size.columns)
    }
    if let cursor {
      output += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
    }
    return output
  }
}
