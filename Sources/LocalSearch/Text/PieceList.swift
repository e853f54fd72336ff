/// A list that grows without copying what it holds: it is made of pieces of one length.
package struct PieceList<Element: Sendable>: Sendable {
  private var pieces: [[Element]] = []
  /// How many elements there are.
  package private(set) var count = 0

  /// How many elements a piece has, as a power of two.
  private static var shift: Int { 13 }
  private static var pieceLength: Int { 1 << shift }

  /// Creates an empty list.
  package init() {}

  /// How many elements the longest piece has.
  package var longestPieceCount: Int { pieces.lazy.map(\.count).max() ?? 0 }

  /// Adds an element.
  ///
  /// - Complexity: O(1); the first piece grows like an array.
  package mutating func append(_ element: Element) {
    let piece = count >> Self.shift
    if piece == pieces.count {
      pieces.append([])
      if piece > 0 { pieces[piece].reserveCapacity(Self.pieceLength) }
    }
    pieces[piece].append(element)
    count += 1
  }

  /// Forgets all elements, keeping the memory of the first piece.
  package mutating func removeAll() {
    pieces.removeSubrange(Swift.min(1, pieces.count)...)
    if !pieces.isEmpty { pieces[0].removeAll(keepingCapacity: true) }
    count = 0
  }
}

extension PieceList: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  package subscript(index: Int) -> Element {
    @inline(__always) get { pieces[index >> Self.shift][index & (Self.pieceLength - 1)] }
  }
}
