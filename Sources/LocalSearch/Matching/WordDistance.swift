/// How far apart two words of a record stand.
///
/// Neighbours in the order of the query are 1 apart; in the other order one is added. Beyond
/// ``maximum``, in another value or in another attribute words count as that far apart.
enum WordDistance {
  /// The greatest distance.
  static let maximum = 8

  /// Returns the distance from a match that stands at `first` to the next at `second`, in one
  /// attribute.
  ///
  /// - Parameters:
  ///   - first: The positions of the first match, last one included.
  ///   - second: The positions of the second match, last one included.
  @inline(__always)
  static func between(first: (start: Int, end: Int), second: (start: Int, end: Int)) -> Int {
    let distance =
      second.start > first.end
      ? second.start - first.end : max(0, first.start - second.end) + 1
    return min(distance, maximum)
  }
}
