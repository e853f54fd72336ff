import InstantSearchJSON

/// The group of each document by the value of `attributeForDistinct`.
///
/// Groups are numbered in the order of their values. So the groups of several segments are combined
/// by merging sorted lists, without hashing texts.
struct DistinctColumn: Sendable {
  /// The distinct values, sorted. Values that are equal in different Unicode forms appear once.
  let values: [String]
  let numbers: [Int32]

  /// Collects the groups.
  ///
  /// Documents form a group if their attributes have equal texts and numbers in the same order. So
  /// an array of one value equals the value.
  struct Builder {
    private let cancellation: CancellationCheck
    /// The values, distinguished by their bytes.
    private var texts = TermTable()
    /// The number of each document's value, or -1.
    private var numbers: [Int32] = []
    /// The last document with a value, which may have more of them.
    private var document = -1
    /// Its values so far, in a form that is equal for equal values, and their number.
    private var key: [UInt8] = []
    private var valueCount = 0

    init(_ cancellation: CancellationCheck) { self.cancellation = cancellation }

    /// Adds a value of a document's attribute. Documents must have ascending numbers.
    mutating func add(document: Int, value node: JSONNode) throws {
      guard let text = Self.text(of: node) else { return }
      try cancellation.count(bytes: text.utf8.count)
      if document != self.document { try finishDocument() }
      self.document = document
      if valueCount == 1 { key.insert(contentsOf: Self.mark, at: 0) }
      if valueCount > 0 { key += Self.mark }
      if text.utf8.contains(0) {
        for byte in text.utf8 { key += byte == 0 ? [0, 1] : [byte] }
      } else {
        key += text.utf8
      }
      valueCount += 1
    }

    /// Precedes each of several values. No value contains it.
    private static let mark: [UInt8] = [0, 2]

    private mutating func finishDocument() throws {
      guard valueCount > 0 else { return }
      while numbers.count < document { numbers.append(-1) }
      try cancellation.count(bytes: key.count)
      numbers.append(Int32(clamping: try texts.intern(key, key.indices, cancellation)))
      key.removeAll(keepingCapacity: key.count < 1000)
      valueCount = 0
    }

    /// Returns the finished column.
    consuming func build(count: Int) throws -> DistinctColumn {
      try finishDocument()
      while numbers.count < count { numbers.append(-1) }
      var entries: [Entry] = []
      entries.reserveCapacity(texts.count)
      for number in 0..<texts.count {
        let bytes = texts.bytes(of: number)
        try cancellation.count(bytes: bytes.count)
        entries.append((String(decoding: bytes, as: UTF8.self), 0, number))
      }
      let (values, groups) = try numbered(entries, counts: [entries.count], cancellation)
      try cancellation.forEach(numbers.indices) { document in
        if numbers[document] >= 0 { numbers[document] = groups[0][Int(numbers[document])] }
      }
      return DistinctColumn(values: values, numbers: numbers)
    }

    /// Returns a string unchanged, or a number rounded to an integer. Other values do not form
    /// groups.
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

  /// A value of one of several lists, with its number there.
  typealias Entry = (text: String, list: Int, number: Int)

  /// Numbers the values of several lists in the order of their texts. Equal ones have one number.
  ///
  /// - Parameter counts: The number of values of each list.
  /// - Returns: The texts, and the number of each value of the lists.
  static func numbered(
    _ entries: [Entry], counts: [Int], _ cancellation: CancellationCheck
  ) throws -> (values: [String], numbers: [[Int32]]) {
    var sorted = entries
    // The sort benefits from lists that are sorted already.
    try cancellation.sort(&sorted, length: { $0.text.utf8.count }) { $0.text < $1.text }
    var values: [String] = []
    var numbers = counts.map { [Int32](repeating: 0, count: $0) }
    for (text, list, number) in sorted {
      try cancellation.count(bytes: text.utf8.count)
      if values.last != text { values.append(text) }
      numbers[list][number] = Int32(clamping: values.count - 1)
    }
    return (values, numbers)
  }

  /// Creates a column from its arrays.
  init(values: [String], numbers: [Int32]) {
    self.values = values
    self.numbers = numbers
  }

  /// Returns the index in `values` of a document's group, or `nil` if it has none.
  subscript(document: Int) -> Int? {
    let number = numbers[document]
    return number < 0 ? nil : Int(number)
  }
}

/// Numbers the groups of all segments consistently, because each segment has separate numbers.
///
/// A snapshot creates the numbering once, so that a search reads numbers and no values.
struct GroupNumbering: Sendable {
  /// The groups of each segment, or `nil` if no record can have one.
  private let columns: [DistinctColumn?]
  /// The shared number for each number of a segment. `nil` if only one segment has groups, whose
  /// numbers are then used directly.
  private let shared: [[Int32]]?
  /// The number of groups.
  private let count: Int

  /// Numbers the groups of some segments.
  init(_ columns: [DistinctColumn?], _ cancellation: CancellationCheck) throws {
    self.columns = columns
    let counts = columns.map { $0?.values.count ?? 0 }
    if counts.lazy.filter({ $0 > 0 }).count <= 1 {
      shared = nil
      count = counts.reduce(0, +)
      return
    }
    var entries: [DistinctColumn.Entry] = []
    entries.reserveCapacity(counts.reduce(0, +))
    for (segment, column) in columns.enumerated() {
      for (number, text) in (column?.values ?? []).enumerated() {
        try cancellation.count(element: number)
        entries.append((text, segment, number))
      }
    }
    let (values, shared) = try DistinctColumn.numbered(entries, counts: counts, cancellation)
    self.shared = shared
    count = values.count
  }

  /// Returns the number of a document's group, or `nil` if it has none.
  func group(segment: Int, document: Int) -> Int? {
    guard let local = columns[segment]?[document] else { return nil }
    return shared.map { Int($0[segment][local]) } ?? local
  }

  /// Returns the number of groups among some documents. A document without a group counts as one.
  func groupCount(of documents: [Bitmap], _ cancellation: CancellationCheck) throws -> Int {
    var seen = Bitmap(count: count)
    var alone = 0
    for (segment, documents) in documents.enumerated() {
      try documents.forEach { document in
        try cancellation.count()
        if let group = group(segment: segment, document: document) {
          seen.insert(group)
        } else {
          alone += 1
        }
      }
    }
    return seen.cardinality + alone
  }

  /// Returns the documents that are in one of some groups.
  func members(
    of groups: Set<Int>, among documents: [Bitmap], _ cancellation: CancellationCheck
  ) throws -> [Bitmap] {
    try documents.enumerated().map { segment, documents in
      var result = Bitmap(count: documents.count)
      try documents.forEach { document in
        try cancellation.count()
        if let group = group(segment: segment, document: document), groups.contains(group) {
          result[document] = true
        }
      }
      return result
    }
  }
}
