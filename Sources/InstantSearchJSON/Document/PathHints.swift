import Synchronization

/// Where in the containers of a document the last path led, so that the next one, to a value behind
/// it, need not start at the first child: the paths to many values take time linear in their
/// number.
///
/// There is one hint for each depth, a child and its position. That a child stands at this depth
/// and inside a container proves that it is the container's own, so a hint never needs to be valid:
/// who finds it to be another container's goes without. Each is one atomic word, and any thread may
/// leave one.
struct PathHints: ~Copyable, Sendable {
  /// Depths beyond are walked without hints.
  static let depths = 128

  private let hint0 = Atomic<UInt64>(0)
  private let hint1 = Atomic<UInt64>(0)
  private let hint2 = Atomic<UInt64>(0)
  private let hint3 = Atomic<UInt64>(0)
  private let hint4 = Atomic<UInt64>(0)
  private let hint5 = Atomic<UInt64>(0)
  private let hint6 = Atomic<UInt64>(0)
  private let hint7 = Atomic<UInt64>(0)

  /// A child of a container and its position among the children.
  struct Hint {
    var child: Int
    var position: Int
  }

  /// The hint left last for a depth; nil when there is none.
  func hint(atDepth depth: Int) -> Hint? {
    let value = withWord(forDepth: depth) { $0.load(ordering: .relaxed) }
    // Depths eight apart share a word, which says whose it is.
    guard value != 0, depth < Self.depths, Int(value >> 60) == depth / 8 else { return nil }
    return Hint(
      child: Int(truncatingIfNeeded: value & 0xFFFF_FFFF),
      position: Int(truncatingIfNeeded: value >> 32 & 0xFFF_FFFF))
  }

  /// Leaves a hint for a depth.
  func leave(_ hint: Hint, atDepth depth: Int) {
    guard depth < Self.depths else { return }
    // Tape indices have 32 bits and the numbers of children 28; see ``JSONWord``.
    let value =
      UInt64(truncatingIfNeeded: depth / 8) << 60
      | (UInt64(truncatingIfNeeded: hint.position) & 0xFFF_FFFF) << 32
      | UInt64(truncatingIfNeeded: hint.child) & 0xFFFF_FFFF
    withWord(forDepth: depth) { $0.store(value, ordering: .relaxed) }
  }

  private func withWord<Value>(
    forDepth depth: Int, _ use: (borrowing Atomic<UInt64>) -> Value
  ) -> Value {
    switch depth % 8 {
    case 0: use(hint0)
    case 1: use(hint1)
    case 2: use(hint2)
    case 3: use(hint3)
    case 4: use(hint4)
    case 5: use(hint5)
    case 6: use(hint6)
    default: use(hint7)
    }
  }
}
