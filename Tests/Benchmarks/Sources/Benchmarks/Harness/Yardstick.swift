/// A fixed routine whose processor time is the unit of the workloads.
///
/// It does what the library does, in equal parts: it hashes and scans bytes, sorts numbers,
/// allocates, and inserts strings into a dictionary. It uses nothing of the library, and must never
/// change: all ratios that are written down would change with it.
struct Yardstick {
  private let text: [UInt8]
  /// The state after each of eight states and each byte.
  private let states: [Int]
  private let numbers: [UInt32]
  private let words: [String]

  private final class Node {
    let number: Int
    let next: Node?

    init(number: Int, next: Node?) {
      self.number = number
      self.next = next
    }
  }

  init() {
    var state: UInt64 = 1
    func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
    text = (0..<30_000).map { _ in UInt8(32 + next() % 94) }
    states = (0..<8 << 8).map { _ in Int(next() % 8) }
    numbers = (0..<3_000).map { _ in UInt32(next()) }
    words = (0..<400).map { _ in "word number \(next() % 1_000_000_000)" }
  }

  /// Runs the routine once, which takes some 300 µs.
  ///
  /// - Returns: A number that depends on all of its work.
  @inline(never)
  func run() -> Int {
    hash() &+ scan() &+ sort() &+ allocate() &+ insert()
  }

  private func hash() -> Int {
    var hash: UInt64 = 14_695_981_039_346_656_037
    for byte in text { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
    return Int(truncatingIfNeeded: hash)
  }

  /// Reads the bytes with a table of states: each step waits for the one before, so that the time
  /// does not depend on where the linker puts the code.
  private func scan() -> Int {
    var state = 0
    var sum = 0
    for byte in text {
      state = states[state << 8 | Int(byte)]
      sum &+= state
    }
    return sum
  }

  private func sort() -> Int {
    Int(numbers.sorted()[numbers.count / 2])
  }

  private func allocate() -> Int {
    var list: Node?
    var arrays: [[Int]] = []
    for number in 0..<500 {
      list = Node(number: number, next: number.isMultiple(of: 20) ? nil : list)
      arrays.append(Array(repeating: number, count: 1 + number % 40))
    }
    var sum = 0
    while let node = list {
      sum &+= node.number
      list = node.next
    }
    return arrays.reduce(sum) { $0 &+ $1.count }
  }

  private func insert() -> Int {
    var counts: [String: Int] = [:]
    for word in words { counts[word, default: 0] += word.utf8.count }
    return words.reduce(0) { $0 &+ (counts[$1] ?? 0) }
  }
}
