import InstantSearchJSON

/// The group of each document by the value of the attribute of `attributeForDistinct`.
///
/// Groups are numbered in the order of their values, so those of several segments are brought
/// together by merging sorted lists, which takes comparisons and no hashing of texts.
struct DistinctColumn: Sendable {
  /// The distinct values, sorted; of those that are equal in other Unicode forms one.
  let values: [String]
  private let numbers: [Int32]

  /// Collects the groups.
  struct Builder {
    /// The values, told apart by their bytes.
    private var texts = TermTable()
    /// The number of each document's value; -1 where there is none.
    private var numbers: [Int32] = []

    /// Sets the group of a document; documents come in ascending order.
    mutating func add(
      document: Int, value node: JSONNode, _ checkpoint: Checkpoint
    ) throws {
      guard numbers.count <= document, let text = Self.text(of: node) else { return }
      while numbers.count < document { numbers.append(-1) }
      let bytes = Array(text.utf8)
      try checkpoint.count(bytes: bytes.count)
      numbers.append(Int32(clamping: try texts.intern(bytes, bytes.indices, checkpoint)))
    }

    /// The finished column.
    consuming func build(count: Int, _ checkpoint: Checkpoint) throws -> DistinctColumn {
      var numbers = numbers
      while numbers.count < count { numbers.append(-1) }
      var unsorted: [(text: String, number: Int)] = []
      unsorted.reserveCapacity(texts.count)
      for number in 0..<texts.count {
        let bytes = texts.bytes(of: number)
        try checkpoint.count(bytes: bytes.count)
        unsorted.append((String(decoding: bytes, as: UTF8.self), number))
      }
      try checkpoint.sort(&unsorted, length: { $0.text.utf8.count }) { $0.text < $1.text }
      var values: [String] = []
      var groups = [Int32](repeating: 0, count: unsorted.count)
      for (text, number) in unsorted {
        try checkpoint.count(bytes: text.utf8.count)
        if values.last != text { values.append(text) }
        groups[number] = Int32(clamping: values.count - 1)
      }
      try checkpoint.forEach(numbers.indices) { document in
        if numbers[document] >= 0 { numbers[document] = groups[Int(numbers[document])] }
      }
      return DistinctColumn(values: values, numbers: numbers)
    }

    /// A string as it is, a number rounded to an integer; nothing else makes a group.
    private static func text(of node: JSONNode) -> String? {
      switch node.kind {
      case .string: return node.string
      case .number:
        guard let number = node.double else { return nil }
        let rounded = number.rounded()
        return Int64(exactly: rounded).map { String($0) } ?? String(rounded)
      default: return nil
      }
    }
  }

  private init(values: [String], numbers: [Int32]) {
    self.values = values
    self.numbers = numbers
  }

  /// The place in `values` of the group of a document; `nil` when it stands alone.
  subscript(document: Int) -> Int? {
    let number = numbers[document]
    return number < 0 ? nil : Int(number)
  }
}
