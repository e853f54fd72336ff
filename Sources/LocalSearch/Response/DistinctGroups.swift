/// Ranked records in groups of equal value, best group first; groups keep their best members only.
struct DistinctGroups: Sendable {
  /// A record that is kept and its place in its group.
  struct Member: Sendable {
    var record: RankedDocument
    var sequence: Int
  }

  private var members: [Member] = []
  /// Where each group begins in `members`, and the end of the last one.
  private var starts: [Int] = []

  /// Groups ranked records; a record without a value is a group by itself.
  ///
  /// - Parameters:
  ///   - size: How many members a group keeps, at least 1.
  ///   - columns: The groups of the documents, one column per segment.
  init(_ ranked: [RankedDocument], size: Int, columns: [DistinctColumn?], _ checkpoint: Checkpoint)
    throws
  {
    var numbering = GroupNumbering(columns)
    var lists: [[RankedDocument]] = []
    var listOfGroup: [Int: Int] = [:]
    for (place, record) in ranked.enumerated() {
      if place & 8191 == 8191 { try checkpoint.check() }
      if let group = numbering.group(segment: record.segment, document: record.document) {
        if let list = listOfGroup[group] {
          if lists[list].count < size { lists[list].append(record) }
          continue
        }
        listOfGroup[group] = lists.count
      }
      lists.append([record])
    }
    starts.reserveCapacity(lists.count + 1)
    for list in lists {
      starts.append(members.count)
      for (sequence, record) in list.enumerated() {
        members.append(Member(record: record, sequence: sequence))
      }
    }
    starts.append(members.count)
  }

  /// The number of groups.
  var count: Int { max(starts.count - 1, 0) }

  /// All records that are kept.
  var all: [Member] { members }

  /// The records of some of the groups.
  subscript(groups: Range<Int>) -> ArraySlice<Member> {
    groups.isEmpty ? [] : members[starts[groups.lowerBound]..<starts[groups.upperBound]]
  }
}

/// Numbers the groups of all segments alike: each segment has a numbering of its own.
struct GroupNumbering {
  private let columns: [DistinctColumn?]
  private var shared: [[Int]]
  private var numbers: [String: Int] = [:]

  /// Starts to number the groups of some segments.
  init(_ columns: [DistinctColumn?]) {
    self.columns = columns
    shared = columns.map { Array(repeating: -1, count: $0?.values.count ?? 0) }
  }

  /// The number of the group of a document; `nil` when it stands alone.
  mutating func group(segment: Int, document: Int) -> Int? {
    guard let column = columns[segment], let local = column[document] else { return nil }
    if shared[segment][local] >= 0 { return shared[segment][local] }
    let text = column.values[local]
    let number = numbers[text] ?? numbers.count
    numbers[text] = number
    shared[segment][local] = number
    return number
  }

  /// How many groups there are among some documents; one that stands alone counts as a group.
  mutating func groupCount(of documents: [Bitmap]) -> Int {
    var isSeen: [Bool] = []
    var count = 0
    for (segment, documents) in documents.enumerated() {
      documents.forEach { document in
        guard let group = group(segment: segment, document: document) else {
          count += 1
          return
        }
        while isSeen.count <= group { isSeen.append(false) }
        if !isSeen[group] {
          isSeen[group] = true
          count += 1
        }
      }
    }
    return count
  }

  /// The documents that are in one of some groups.
  mutating func members(of groups: Set<Int>, among documents: [Bitmap]) -> [Bitmap] {
    documents.enumerated().map { segment, documents in
      var result = Bitmap(count: documents.count)
      documents.forEach { document in
        if let group = group(segment: segment, document: document), groups.contains(group) {
          result[document] = true
        }
      }
      return result
    }
  }
}
