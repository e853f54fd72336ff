/// The endings of the long words of a segment, sorted, so that the words with a part inside them
/// are found by its letters.
struct CompoundSuffixes: Sendable {
  /// The end of a word from a character on.
  struct Suffix: Sendable {
    let term: UInt32
    /// The offset of the character, in bytes.
    let offset: UInt32
  }

  private let suffixes: [Suffix]

  /// Finds the endings that can be parts: after at least four characters, and of at least four.
  ///
  /// - Complexity: O(n log n) for n endings. It is not part of the budget of the call.
  init(_ terms: TermDictionary, _ cancellation: CancellationCheck) throws {
    let cancellation = cancellation.withoutBudget()
    var suffixes: [Suffix] = []
    let least = Decompounder.minimumPartLength
    for term in 0..<terms.count {
      try cancellation.count(element: term)
      let bytes = terms.bytes(of: term)
      guard bytes.count >= 2 * least else { continue }
      let starts = bytes.indices.filter { bytes[$0] & 0xC0 != 0x80 }
      guard starts.count >= 2 * least, starts.count <= Decompounder.maximumLength else { continue }
      for start in starts[least...(starts.count - least)] {
        suffixes.append(
          Suffix(
            term: UInt32(truncatingIfNeeded: term),
            offset: UInt32(truncatingIfNeeded: start - bytes.startIndex)))
      }
    }
    let order = try ByteStringOrder.sorted(count: suffixes.count, cancellation) {
      Self.bytes(suffixes[$0], terms)
    }
    self.suffixes = order.map { suffixes[Int($0)] }
  }

  private static func bytes(_ suffix: Suffix, _ terms: TermDictionary) -> ArraySlice<UInt8> {
    terms.bytes(of: Int(suffix.term)).dropFirst(Int(suffix.offset))
  }

  /// Returns the endings that begin with a text.
  ///
  /// - Complexity: O(log n).
  func beginning(with text: [UInt8], of terms: TermDictionary) -> ArraySlice<Suffix> {
    let start = suffixes.partitionPoint {
      Self.bytes($0, terms).lexicographicallyPrecedes(text)
    }
    let rest = suffixes[start...]
    return rest[..<rest.partitionPoint { Self.bytes($0, terms).starts(with: text) }]
  }
}
