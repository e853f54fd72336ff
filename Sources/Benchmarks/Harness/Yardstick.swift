/// A fixed routine whose processor time is the unit of the workloads.
///
/// It does what the library does, in equal parts: it hashes and scans bytes, sorts numbers,
/// allocates, and inserts strings into a dictionary. It uses nothing of the library, and must never
/// change: all ratios that are written down would change with it.
struct Yardstick {
  private let text: [UInt8]
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
    text = (0..<60_000).map { _ in UInt8(32 + next() % 94) }
    numbers = (0..<1_500).map { _ in UInt32(next()) }
    words = (0..<400).map { _ in "word number \(next() % 1_000_000_000)" }
  }

  /// Runs the routine once, which takes some 400 µs.
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

  private func scan() -> Int {
    var (quotes, depth, deepest, digits) = (0, 0, 0, 0)
    var isEscaped = false
    for byte in text {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "\""): quotes += 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += Int(byte)
      default: break
      }
    }
    return quotes &+ deepest &+ digits
  }

  private func sort() -> Int {
    Int(numbers.sorted()[numbers.count / 2])
  }

  private func allocate() -> Int {
    var list: Node?
    var arrays: [[Int]] = []
    for number in 0..<1_000 {
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
