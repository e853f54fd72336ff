/// Finds the keys that occur more than once in an object and marks all but the last.
///
/// With the marks a reader takes the first unmarked key that matches, from wherever it starts to
/// look, and still gets the last member. Keys are compared as text without normalisation, as
/// RFC 8259 section 8.3 advises.
struct RepeatedKeys {
  /// Up to this many members every pair is compared, which costs less than hashing.
  private static let pairwiseLimit = 24

  /// The tape indices of the object's keys; scratch space, kept from object to object.
  private var keys: [Int] = []
  /// The latest key of each hash; scratch space too.
  private var latest: [Int: Int] = [:]

  /// Marks the repeated keys of a complete object.
  mutating func mark(ofObjectAt object: Int, in tape: inout JSONTape, _ text: PaddedText) {
    keys.removeAll(keepingCapacity: keys.capacity <= 8 * tape[object].size)
    var hasEscapes = false
    var members = tape.children(of: object)
    while let key = members.nextKey(on: tape) {
      keys.append(key)
      if tape[key].isEscaped { hasEscapes = true }
    }
    if keys.count <= Self.pairwiseLimit, !hasEscapes {
      markPairwise(in: &tape, text)
    } else {
      markHashed(in: &tape, text)
    }
  }

  private func markPairwise(in tape: inout JSONTape, _ text: PaddedText) {
    for later in keys.indices.dropFirst().reversed() {
      let key = tape[keys[later]]
      for earlier in 0..<later {
        let other = tape[keys[earlier]]
        if other.size == key.size, !other.isSuperseded,
          text.isSame(at: key.offset, and: other.offset, count: key.size)
        {
          tape[keys[earlier]] = other.superseded
        }
      }
    }
  }

  /// One pass with a table from hash to the latest key; the hash is seeded per process, so no input
  /// can be made to collide.
  private mutating func markHashed(in tape: inout JSONTape, _ text: PaddedText) {
    // Emptying costs as much as the table is large, which must not be more than the object.
    latest.removeAll(keepingCapacity: latest.capacity <= 8 * keys.count)
    latest.reserveCapacity(keys.count)
    for index in keys {
      let key = tape[index]
      var slot = Self.hash(of: key, in: text)
      while let earlier = latest[slot] {
        if Self.isSameText(tape[earlier], key, in: text) {
          tape[earlier] = tape[earlier].superseded
          break
        }
        slot &+= 1
      }
      latest[slot] = index
    }
  }

  private static func hash(of key: JSONWord, in text: PaddedText) -> Int {
    var hasher = Hasher()
    let range = key.offset..<key.offset + key.size
    if key.isEscaped {
      unsafe EscapedText.bytes(text, range).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    } else {
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer(text.buffer(range)))
    }
    return hasher.finalize()
  }

  private static func isSameText(
    _ left: JSONWord, _ right: JSONWord, in text: PaddedText
  ) -> Bool {
    if !left.isEscaped, !right.isEscaped {
      return left.size == right.size
        && text.isSame(at: left.offset, and: right.offset, count: left.size)
    }
    return EscapedText.bytes(text, left.offset..<left.offset + left.size)
      == EscapedText.bytes(text, right.offset..<right.offset + right.size)
  }
}
