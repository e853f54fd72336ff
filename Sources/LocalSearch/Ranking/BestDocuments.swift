/// The first of the added documents in an order, as a heap with the last one on top.
///
/// A document has several values. The first value that differs decides. Smaller values come first.
package struct BestDocuments {
  /// The number of documents to keep.
  package let limit: Int
  /// The number of values of a document.
  package let width: Int
  /// Whether more documents come than are kept.
  private let isSelective: Bool
  /// The values of all slots, one slot after the other.
  private var values: [Int] = []
  /// The documents of the slots.
  private var documents: [UInt32] = []
  /// The slots as a heap: a parent is not before its children. Empty until the limit is reached.
  private var heap: [Int] = []

  /// Creates an empty selection.
  ///
  /// - Parameters:
  ///   - limit: The number of documents to keep, at least 1.
  ///   - count: The number of documents that come.
  ///   - width: The number of values of a document.
  ///   - bound: The first values of a document that is known to be behind `limit` other documents.
  ///     Documents behind it are not kept. Empty without a bound.
  package init(limit: Int, of count: Int, width: Int, bound: ArraySlice<Int> = []) {
    self.limit = limit
    isSelective = limit < count || !bound.isEmpty
    self.width = width
    guard !bound.isEmpty else { return }
    // The bound takes all slots until better documents replace it.
    let place = bound.prefix(width) + Array(repeating: .max, count: max(0, width - bound.count))
    values = Array(repeatElement(place, count: limit).joined())
    documents = Array(repeating: Self.noDocument, count: limit)
    heap = Array(documents.indices)
  }

  /// The document number of a slot that the bound takes. No document of a segment has this number.
  private static let noDocument = UInt32.max

  /// Whether a document is added only in place of another one.
  @inline(__always)
  package var isFull: Bool { isSelective && documents.count >= limit }

  /// A value of the last document. The selection must be full.
  @inline(__always)
  package func lastValue(_ index: Int) -> Int { values[heap[0] &* width &+ index] }

  /// Whether a document with some values is before the last one. The selection must be full.
  func isBeforeLast(_ newValues: [Int]) -> Bool {
    for index in 0..<width {
      let last = lastValue(index)
      if newValues[index] != last { return newValues[index] < last }
    }
    return false
  }

  /// Adds a document. If the selection is full, it replaces the last one, and must be before it.
  ///
  /// - Returns: The number of its slot, below ``limit``.
  package mutating func add(_ document: UInt32, _ newValues: [Int]) -> Int {
    guard isFull else {
      documents.append(document)
      values.append(contentsOf: newValues)
      let slot = documents.count - 1
      if isFull { makeHeap() }
      return slot
    }
    let slot = heap[0]
    documents[slot] = document
    for index in 0..<width { values[slot &* width &+ index] = newValues[index] }
    sink(0)
    return slot
  }

  /// The slots in order, with their documents.
  package func sorted(_ cancellation: CancellationCheck) throws -> [(slot: Int, document: UInt32)] {
    var slots = documents.indices.filter { documents[$0] != Self.noDocument }
    try cancellation.sort(&slots) { precedes($0, $1) }
    return try cancellation.map(slots) { ($0, documents[$0]) }
  }

  @inline(__always)
  private func precedes(_ left: Int, _ right: Int) -> Bool {
    for index in 0..<width {
      let (first, second) = (values[left &* width &+ index], values[right &* width &+ index])
      if first != second { return first < second }
    }
    return false
  }

  private mutating func makeHeap() {
    heap = Array(documents.indices)
    for index in (0..<heap.count / 2).reversed() { sink(index) }
  }

  private mutating func sink(_ start: Int) {
    var parent = start
    while true {
      var last = parent
      for child in 2 &* parent &+ 1...2 &* parent &+ 2 where child < heap.count {
        if precedes(heap[last], heap[child]) { last = child }
      }
      if last == parent { return }
      heap.swapAt(parent, last)
      parent = last
    }
  }
}
