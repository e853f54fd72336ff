/// Finds the keys that occur more than once in an object and marks all but the last.
///
/// With the marks a reader takes the first unmarked key that matches, from wherever it starts to
/// look, and still gets the last member. Keys are compared as text without normalisation, as
/// RFC 8259 section 8.3 advises.
struct RepeatedKeys {
  /// Up to this many members every pair is compared, which costs less than hashing.
  private static let pairwiseLimit = 24

  /// Scratch space of the hashed search, kept from object to object.
  private var latest: [Int: Int] = [:]

  /// Marks the repeated keys among `words[start...]`, which are keys and values in turn.
  mutating func mark(in words: inout [JSONWord], from start: Int, bytes: [UInt8]) {
    let keys = stride(from: start, to: words.count, by: 2)
    if (words.count - start) / 2 <= Self.pairwiseLimit,
      !keys.contains(where: { words[$0].isEscaped })
    {
      markPairwise(in: &words, from: start, bytes: bytes)
    } else {
      markHashed(in: &words, from: start, bytes: bytes)
    }
  }

  private func markPairwise(in words: inout [JSONWord], from start: Int, bytes: [UInt8]) {
    var later = words.count - 2
    while later > start {
      let key = words[later]
      var earlier = start
      while earlier < later {
        let other = words[earlier]
        if other.size == key.size, !other.isSuperseded,
          Self.sameBytes(key.offset, other.offset, count: key.size, in: bytes)
        {
          words[earlier] = other.superseded
        }
        earlier += 2
      }
      later -= 2
    }
  }

  /// One pass with a table from hash to the latest key; the hash is seeded per process, so no input
  /// can be made to collide.
  private mutating func markHashed(in words: inout [JSONWord], from start: Int, bytes: [UInt8]) {
    let count = (words.count - start) / 2
    // Emptying costs as much as the table is large, which must not be more than the object.
    if latest.capacity > 8 * count { latest = [:] } else { latest.removeAll(keepingCapacity: true) }
    latest.reserveCapacity(count)
    for index in stride(from: start, to: words.count, by: 2) {
      let key = words[index]
      var slot = Self.hash(of: key, in: bytes)
      while let earlier = latest[slot] {
        if Self.sameText(words[earlier], key, in: bytes) {
          words[earlier] = words[earlier].superseded
          break
        }
        slot &+= 1
      }
      latest[slot] = index
    }
  }

  private static func hash(of key: JSONWord, in bytes: [UInt8]) -> Int {
    if key.isEscaped {
      let text = JSONText.unescaped(bytes, key.offset..<key.offset + key.size)
      return hash(of: text, 0..<text.count)
    }
    return hash(of: bytes, key.offset..<key.offset + key.size)
  }

  private static func hash(of bytes: [UInt8], _ range: Range<Int>) -> Int {
    var hasher = Hasher()
    var index = range.lowerBound
    while index < range.upperBound {
      let end = Swift.min(index + 8, range.upperBound)
      var chunk: UInt64 = 0
      while index < end {
        chunk = chunk << 8 | UInt64(bytes[index])
        index += 1
      }
      hasher.combine(chunk)
    }
    hasher.combine(range.count)
    return hasher.finalize()
  }

  private static func sameText(_ left: JSONWord, _ right: JSONWord, in bytes: [UInt8]) -> Bool {
    if !left.isEscaped, !right.isEscaped {
      return left.size == right.size
        && sameBytes(left.offset, right.offset, count: left.size, in: bytes)
    }
    return JSONText.unescaped(bytes, left.offset..<left.offset + left.size)
      == JSONText.unescaped(bytes, right.offset..<right.offset + right.size)
  }

  private static func sameBytes(
    _ left: Int, _ right: Int, count: Int, in bytes: [UInt8]
  ) -> Bool {
    var index = 0
    while index < count {
      if bytes[left + index] != bytes[right + index] { return false }
      index += 1
    }
    return true
  }
}
