extension Bitmap {
  /// How many documents are in both sets.
  func intersectionCount(with other: Bitmap) -> Int {
    let left = words
    let right = other.words
    var count = 0
    for index in 0..<min(left.count, right.count) {
      count += (left[index] & right[index]).nonzeroBitCount
    }
    return count
  }
}
