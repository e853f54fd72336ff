/// A small number for each document, stored as the bits of all documents: plane `i` has bit `i` of
/// every number.
///
/// Adding to many documents at once, and finding the documents with the lowest or the highest
/// number, are operations on words of 64 documents.
package struct BitCounts: Sendable {
  /// The number of documents.
  package let count: Int
  /// The bits, lowest first. Missing ones are zero.
  package private(set) var planes: [Bitmap] = []

  /// Creates zeros for a number of documents.
  package init(count: Int) { self.count = count }

  /// The number of a document.
  package subscript(document: Int) -> Int {
    @inline(__always) get {
      var value = 0
      for plane in planes.indices where planes[plane][document] { value |= 1 &<< plane }
      return value
    }
    set {
      while newValue >> planes.count != 0 { planes.append(Bitmap(count: count)) }
      for plane in planes.indices { planes[plane][document] = newValue >> plane & 1 != 0 }
    }
  }

  /// Adds a number to each document's number.
  ///
  /// - Parameters:
  ///   - addend: The bits of the numbers, lowest first.
  ///   - times: How many times they are added.
  /// - Complexity: O(n log m / 64) for n documents and numbers up to m.
  package mutating func add(_ addend: [Bitmap], times: Int = 1) {
    for shift in 0..<Int.bitWidth where times >> shift != 0 && times >> shift & 1 != 0 {
      for (bit, bits) in addend.enumerated() { add(bits, at: bit + shift) }
    }
  }

  /// Adds `2^plane` to the numbers of some documents.
  private mutating func add(_ documents: Bitmap, at plane: Int) {
    var carry = documents
    var plane = plane
    while !carry.isEmpty {
      while plane >= planes.count { planes.append(Bitmap(count: count)) }
      carry = planes[plane].formSymmetricDifference(returningCommon: carry)
      plane += 1
    }
  }

  /// Calls `body` with the documents of a set, grouped by number, in ascending or descending order
  /// of the numbers, until it returns `false`.
  ///
  /// - Complexity: O(n log m / 64) for each group, with n documents and numbers up to m.
  package func forEachGroup(
    of set: Bitmap, descending: Bool = false, _ cancellation: CancellationCheck,
    _ body: (_ number: Int, Bitmap) throws -> Bool
  ) throws {
    _ = try visit(set, plane: planes.count - 1, number: 0, descending, cancellation, body)
  }

  private func visit(
    _ set: Bitmap, plane: Int, number: Int, _ descending: Bool, _ cancellation: CancellationCheck,
    _ body: (Int, Bitmap) throws -> Bool
  ) throws -> Bool {
    try cancellation.count(1 + set.count &>> 8)
    if set.isEmpty { return true }
    if plane < 0 { return try body(number, set) }
    for bit in descending ? [1, 0] : [0, 1] {
      var part = set
      if bit == 1 {
        part.formIntersection(planes[plane])
      } else {
        part.subtract(planes[plane])
      }
      guard
        try visit(
          part, plane: plane - 1, number: number | bit << plane, descending, cancellation, body)
      else { return false }
    }
    return true
  }
}
