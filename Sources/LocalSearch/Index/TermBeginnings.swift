/// The distinct beginnings of the words of a dictionary, of one to six characters, as a tree.
///
/// A search with typos looks at almost all of the short ones, and at few words behind them.
///
/// Beginnings are numbered by length, then in the order of the words.
final class TermBeginnings: Sendable {
  /// A beginning. The data that a search reads is contiguous in memory.
  struct Node: Sendable {
    /// The last character. The highest bit is set if the beginning is a word.
    fileprivate let content: UInt32
    /// The first word with the beginning.
    fileprivate(set) var firstTerm: UInt32
    /// The first beginning that continues it by one character.
    fileprivate var firstChild: UInt32

    fileprivate static let wordFlag: UInt32 = 0x8000_0000

    /// The last character.
    @inline(__always) var scalar: UInt32 { content & ~Self.wordFlag }
    /// Whether the beginning is itself a word.
    @inline(__always) var isWord: Bool { content & Self.wordFlag != 0 }
  }

  private let nodes: [Node]
  /// The beginnings of one character.
  let roots: Range<Int>

  /// The length of the longest beginnings, in characters.
  static let maximumLength = 6

  /// Finds the beginnings of sorted words.
  ///
  /// - Parameter shared: The length of the prefix that each word shares with the previous one, at
  ///   most 255 bytes.
  init(bytes: [UInt8], offsets: [Int], shared: [UInt8]) {
    var levels = [[Node]](repeating: [], count: Self.maximumLength + 1)
    /// The ends of the first characters of the last word, in bytes.
    var ends = [0]
    for term in shared.indices {
      let length = offsets[term + 1] - offsets[term]
      let common = term == 0 ? 0 : Int(shared[term])
      while let end = ends.last, end > common { ends.removeLast() }
      while let end = ends.last, end < length, ends.count <= Self.maximumLength {
        let (scalar, size) = UTF8Scalars.decode(
          bytes, at: offsets[term] + end, limit: offsets[term + 1])
        let level = ends.count - 1
        levels[level].append(
          Node(
            content: scalar.value | (end + size == length ? Node.wordFlag : 0),
            firstTerm: UInt32(truncatingIfNeeded: term),
            firstChild: UInt32(truncatingIfNeeded: levels[level + 1].count)))
        ends.append(end + size)
      }
    }
    var nodes: [Node] = []
    nodes.reserveCapacity(1 + levels.reduce(0) { $0 + $1.count })
    for level in levels {
      // The children were counted from the first of their length.
      let start = UInt32(truncatingIfNeeded: nodes.count + level.count)
      for var node in level {
        node.firstChild += start
        nodes.append(node)
      }
    }
    // The end of the last one's children.
    nodes.append(
      Node(
        content: 0, firstTerm: UInt32(truncatingIfNeeded: shared.count),
        firstChild: UInt32(truncatingIfNeeded: nodes.count)))
    self.nodes = nodes
    roots = levels[0].indices
  }

  /// The beginning with a number.
  @inline(__always)
  subscript(node: Int) -> Node { nodes[node] }

  /// Returns the node among siblings that ends with a character, or `nil`.
  func node(_ scalar: UInt32, among nodes: Range<Int>) -> Int? {
    let node = nodes.partitionPoint { self[$0].scalar < scalar }
    return node < nodes.upperBound && self[node].scalar == scalar ? node : nil
  }

  /// Returns the beginnings with one more character.
  @inline(__always)
  func children(of node: Int) -> Range<Int> {
    Int(nodes[node].firstChild)..<Int(nodes[node + 1].firstChild)
  }
}
