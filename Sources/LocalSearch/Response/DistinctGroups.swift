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
  ///   - numbering: The groups of the documents.
  init(
    _ ranked: [RankedDocument], size: Int, numbering: GroupNumbering, _ checkpoint: Checkpoint
  ) throws {
    var lists: [[RankedDocument]] = []
    var listOfGroup: [Int: Int] = [:]
    for record in ranked {
      try checkpoint.count()
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
