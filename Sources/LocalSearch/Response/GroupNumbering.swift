/// Numbers the groups of all segments alike: each segment has a numbering of its own.
///
/// Made once for a snapshot, so that a search reads numbers and no values.
struct GroupNumbering: Sendable {
  /// The groups of each segment; `nil` where no record can have a group.
  private let columns: [DistinctColumn?]
  /// The number for each of a segment's own numbers; `nil` where only one segment has groups, whose
  /// numbers are used as they are.
  private let shared: [[Int32]]?
  /// How many groups there are.
  private let count: Int

  /// Numbers the groups of some segments.
  init(_ columns: [DistinctColumn?], _ checkpoint: Checkpoint) throws {
    self.columns = columns
    let counts = columns.map { $0?.values.count ?? 0 }
    if counts.lazy.filter({ $0 > 0 }).count <= 1 {
      shared = nil
      count = counts.reduce(0, +)
      return
    }
    var values: [(text: String, segment: Int, number: Int)] = []
    values.reserveCapacity(counts.reduce(0, +))
    for (segment, column) in columns.enumerated() {
      for (number, text) in (column?.values ?? []).enumerated() {
        if number & 15 == 0 { try checkpoint.count() }
        values.append((text, segment, number))
      }
    }
    // The lists of the segments are sorted, which this sorting makes use of.
    try checkpoint.sort(&values, length: { $0.text.utf8.count }) { $0.text < $1.text }
    var shared = counts.map { [Int32](repeating: 0, count: $0) }
    var count = 0
    for (index, value) in values.enumerated() {
      try checkpoint.count(bytes: value.text.utf8.count)
      if index == 0 || values[index - 1].text != value.text { count += 1 }
      shared[value.segment][value.number] = Int32(clamping: count - 1)
    }
    self.shared = shared
    self.count = count
  }

  /// The number of the group of a document; `nil` when it stands alone.
  func group(segment: Int, document: Int) -> Int? {
    guard let local = columns[segment]?[document] else { return nil }
    return shared.map { Int($0[segment][local]) } ?? local
  }

  /// How many groups there are among some documents; one that stands alone counts as a group.
  func groupCount(of documents: [Bitmap], _ checkpoint: Checkpoint) throws -> Int {
    var seen = Bitmap(count: count)
    var alone = 0
    for (segment, documents) in documents.enumerated() {
      try documents.forEach { document in
        try checkpoint.count()
        if let group = group(segment: segment, document: document) {
          seen.insert(group)
        } else {
          alone += 1
        }
      }
    }
    return seen.cardinality + alone
  }

  /// The documents that are in one of some groups.
  func members(
    of groups: Set<Int>, among documents: [Bitmap], _ checkpoint: Checkpoint
  ) throws -> [Bitmap] {
    try documents.enumerated().map { segment, documents in
      var result = Bitmap(count: documents.count)
      try documents.forEach { document in
        try checkpoint.count()
        if let group = group(segment: segment, document: document), groups.contains(group) {
          result[document] = true
        }
      }
      return result
    }
  }
}

extension Snapshot {
  /// The groups of the records, numbered when they are first asked for.
  func groups(_ checkpoint: Checkpoint) throws -> GroupNumbering {
    try knownGroups.value {
      try GroupNumbering(segments.map(\.segment.attributes.distinct), checkpoint)
    }
  }
}
