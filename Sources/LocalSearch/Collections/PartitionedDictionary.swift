/// A dictionary that may become long without a long step: it is made of many small dictionaries, of
/// which one at a time grows and moves its keys.
package struct PartitionedDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// One dictionary at first; the parts, a power of two, once there are many keys.
  private var parts: [[Key: Value]] = [[:]]

  /// How many keys the first dictionary has before it is divided.
  private static var divisionCount: Int { 4096 }
  private static var partitionCount: Int { 256 }

  /// Creates an empty dictionary.
  package init() {}

  /// How many keys the largest part has.
  package var largestPartCount: Int { parts.lazy.map(\.count).max() ?? 0 }

  /// The value of a key; `nil` when there is none.
  package subscript(key: Key) -> Value? { parts[part(of: key)][key] }

  /// Sets the value of a key; moving the keys of a part that grows is counted.
  package mutating func set(_ value: Value, for key: Key, _ checkpoint: Checkpoint) throws {
    if parts.count == 1, parts[0].count >= Self.divisionCount { try divide(checkpoint) }
    let part = part(of: key)
    if parts[part].count == parts[part].capacity { try checkpoint.count(parts[part].count) }
    parts[part][key] = value
  }

  /// Removes a key and gives its value; `nil` when there is none.
  package mutating func removeValue(forKey key: Key) -> Value? {
    parts[part(of: key)].removeValue(forKey: key)
  }

  private mutating func divide(_ checkpoint: Checkpoint) throws {
    let whole = parts[0]
    parts = Array(repeating: [:], count: Self.partitionCount)
    for (key, value) in whole {
      try checkpoint.count()
      parts[part(of: key)][key] = value
    }
  }

  /// The hash is seeded per process, so that crafted keys cannot all be in one part.
  private func part(of key: Key) -> Int {
    parts.count == 1 ? 0 : key.hashValue & (parts.count - 1)
  }
}

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
