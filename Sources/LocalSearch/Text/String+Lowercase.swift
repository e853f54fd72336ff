extension String {
  /// How many scalars are put into lower case between two checks.
  private static let scalarsInPiece = 1024

  /// The text in lower case, as `lowercased()` makes it; the text itself where it is so already.
  ///
  /// A long text is made piece by piece, which is the same: each scalar has a lower case of its
  /// own, whatever stands beside it. A short text is a part of the step of the caller.
  func lowercased(_ checkpoint: Checkpoint) throws -> String {
    if utf8.count <= Self.scalarsInPiece {
      try checkpoint.count(utf8.count &>> 6)
      let result = lowercased()
      return result.utf8.elementsEqual(utf8) ? self : result
    }
    let scalars = unicodeScalars
    var result = ""
    var index = scalars.startIndex
    while index < scalars.endIndex {
      let end =
        scalars.index(index, offsetBy: Self.scalarsInPiece, limitedBy: scalars.endIndex)
        ?? scalars.endIndex
      let piece = String(scalars[index..<end])
      try checkpoint.count(piece.utf8.count &>> 6)
      result += piece.lowercased()
      index = end
    }
    return result.utf8.elementsEqual(utf8) ? self : result
  }
}
