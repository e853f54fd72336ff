/// A dictionary that grows without long steps. It consists of many small dictionaries, and only one
/// of them at a time grows and moves its keys.
package struct PartitionedDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// One dictionary for few keys, later ``partitionCount`` of them, a power of two.
  private var parts: [[Key: Value]] = [[:]]

  /// The number of keys at which the first dictionary is divided.
  private static var divisionCount: Int { 4096 }
  private static var partitionCount: Int { 256 }

  /// Creates an empty dictionary.
  package init() {}

  /// The number of keys of the largest part.
  package var largestPartCount: Int { parts.lazy.map(\.count).max() ?? 0 }

  /// The value of a key, or `nil`.
  package subscript(key: Key) -> Value? { parts[part(of: key)][key] }

  /// Sets the value of a key. Moving the keys of a growing part is counted.
  package mutating func set(_ value: Value, for key: Key, _ cancellation: CancellationCheck) throws
  {
    if parts.count == 1, parts[0].count >= Self.divisionCount { try divide(cancellation) }
    let part = part(of: key)
    if parts[part].count == parts[part].capacity { try cancellation.count(parts[part].count) }
    parts[part][key] = value
  }

  /// Removes a key, and returns its value or `nil`.
  package mutating func removeValue(forKey key: Key) -> Value? {
    parts[part(of: key)].removeValue(forKey: key)
  }

  private mutating func divide(_ cancellation: CancellationCheck) throws {
    let whole = parts[0]
    parts = Array(repeating: [:], count: Self.partitionCount)
    for (key, value) in whole {
      try cancellation.count()
      parts[part(of: key)][key] = value
    }
  }

  /// The hash is seeded per process, so crafted keys cannot all be in one part.
  private func part(of key: Key) -> Int {
    parts.count == 1 ? 0 : key.hashValue & (parts.count - 1)
  }
}

/// A list that grows without copying its elements. It consists of pieces of one length.
package struct PieceList<Element: Sendable>: Sendable {
  private var pieces: [[Element]] = []
  /// The number of elements.
  package private(set) var count = 0

  /// The length of a piece, as a power of two.
  private static var shift: Int { 13 }
  private static var pieceLength: Int { 1 << shift }

  /// Creates an empty list.
  package init() {}

  /// The number of elements of the longest piece.
  package var longestPieceCount: Int { pieces.lazy.map(\.count).max() ?? 0 }

  /// Adds an element.
  ///
  /// - Complexity: O(1). The first piece grows like an array.
  package mutating func append(_ element: Element) {
    let piece = count >> Self.shift
    if piece == pieces.count {
      pieces.append([])
      if piece > 0 { pieces[piece].reserveCapacity(Self.pieceLength) }
    }
    pieces[piece].append(element)
    count += 1
  }

  /// Removes the last element, if there is one.
  mutating func discardLast() {
    guard count > 0 else { return }
    count -= 1
    pieces[count >> Self.shift].removeLast()
    // The piece after this one begins with the next element.
    if count & (Self.pieceLength - 1) == 0, count > 0 { pieces.removeLast() }
  }

  /// Removes all elements, and keeps the memory of the first piece.
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
