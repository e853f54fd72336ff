/// Groups the records of a search, ranking no more of them than the page needs.
struct DistinctSearch {
  private let execution: SearchExecution
  private let records: MatchedRecords
  private let documents: [Bitmap]
  private let numbering: GroupNumbering
  /// The number of matching groups.
  let groupCount: Int

  /// Counts the groups of the matches.
  init(execution: SearchExecution, records: MatchedRecords, documents: [Bitmap]) throws {
    self.execution = execution
    self.records = records
    self.documents = documents
    numbering = try execution.snapshot.groups(execution.cancellation)
    groupCount = try numbering.groupCount(of: documents, execution.cancellation)
  }

  private var size: Int { execution.search.hitsPerGroup }

  /// Returns all groups, which requires ranking every record.
  func all() throws -> DistinctGroups {
    try DistinctGroups(
      execution.ranked(records, limit: nil), size: size, numbering: numbering,
      execution.cancellation)
  }

  /// Returns the records of a range of groups, best first.
  ///
  /// An increasing number of the best records is ranked until they belong to enough groups. The
  /// other members of these groups, which may rank far below, are then ranked separately.
  func groups(_ range: Range<Int>) throws -> ArraySlice<DistinctGroups.Member> {
    if range.isEmpty { return [] }
    let total = documents.reduce(0) { $0 + $1.cardinality }
    var limit = 4 * range.upperBound
    while true {
      let ranked = try execution.ranked(records, limit: min(limit, total))
      let groups = try DistinctGroups(
        ranked, size: size, numbering: numbering, execution.cancellation)
      if ranked.count >= total { return groups[range] }
      if groups.count >= range.upperBound {
        return size == 1 ? groups[range] : try completed(groups[range])
      }
      let (next, overflow) = limit.multipliedReportingOverflow(by: 8)
      limit = overflow ? total : next
    }
  }

  /// Returns the groups of some members, with all of their best members.
  private func completed(
    _ members: ArraySlice<DistinctGroups.Member>
  ) throws -> ArraySlice<DistinctGroups.Member> {
    var wanted: Set<Int> = []
    var subset = documents.map { Bitmap(count: $0.count) }
    for member in members {
      let (segment, document) = (member.record.segment, member.record.document)
      if let group = numbering.group(segment: segment, document: document) {
        wanted.insert(group)
      } else {
        subset[segment][document] = true
      }
    }
    let members = try numbering.members(of: wanted, among: documents, execution.cancellation)
    for (segment, members) in members.enumerated() { subset[segment].formUnion(members) }
    let ranked = try execution.ranked(records.intersecting(subset), limit: nil)
    let groups = try DistinctGroups(
      ranked, size: size, numbering: numbering, execution.cancellation)
    return groups[0..<groups.count]
  }
}

/// Ranked records in groups of equal value, best group first. Groups keep their best members only.
struct DistinctGroups: Sendable {
  /// A kept record, and its index in its group.
  struct Member: Sendable {
    var record: RankedDocument
    var sequence: Int
  }

  private var members: [Member] = []
  /// The start of each group in `members`, and the end of the last one.
  private var starts: [Int] = []

  /// Groups ranked records. A record without a value is a separate group.
  ///
  /// - Parameters:
  ///   - size: The number of members that a group keeps, at least 1.
  ///   - numbering: The groups of the documents.
  init(
    _ ranked: [RankedDocument], size: Int, numbering: GroupNumbering,
    _ cancellation: CancellationCheck
  ) throws {
    var lists: [[RankedDocument]] = []
    var listOfGroup: [Int: Int] = [:]
    for record in ranked {
      try cancellation.count()
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

  /// All kept records.
  var all: [Member] { members }

  /// Returns the records of a range of groups.
  subscript(groups: Range<Int>) -> ArraySlice<Member> {
    groups.isEmpty ? [] : members[starts[groups.lowerBound]..<starts[groups.upperBound]]
  }
}
