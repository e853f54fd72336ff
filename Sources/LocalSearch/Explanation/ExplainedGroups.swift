/// A document of an index.
struct DocumentPlace: Hashable {
  let segment: Int
  let document: Int

  init(segment: Int, document: Int) { (self.segment, self.document) = (segment, document) }
  init(_ record: RankedDocument) {
    (segment, document) = (record.segment, record.document)
  }
}

/// The groups of `distinct`, by their records.
struct ExplainedGroups {
  let groups: DistinctGroups
  private let numbering: GroupNumbering
  /// The place of the group of each kept record.
  private var placeOfMember: [DocumentPlace: Int] = [:]
  /// For each ranked record the place of the last one before it that its group keeps, or -1.
  let hitBefore: [Int]
  /// The first record of each group with a value.
  private var best: [Int: RankedDocument] = [:]

  init(_ ranked: [RankedDocument], _ execution: SearchExecution) throws {
    let cancellation = execution.cancellation
    numbering = try execution.snapshot.groups(cancellation)
    groups = try DistinctGroups(
      ranked, size: execution.search.hitsPerGroup, numbering: numbering, cancellation)
    for place in 0..<groups.count {
      for (number, member) in groups[place..<place + 1].enumerated() {
        try cancellation.count()
        placeOfMember[DocumentPlace(member.record)] = place
        if number == 0, let group = numbering.group(of: member.record) {
          best[group] = member.record
        }
      }
    }
    var hit = -1
    var hitBefore: [Int] = []
    for (place, record) in ranked.enumerated() {
      try cancellation.count()
      hitBefore.append(hit)
      if placeOfMember[DocumentPlace(record)] != nil { hit = place }
    }
    self.hitBefore = hitBefore
  }

  /// Returns the place of a kept record's group, or `nil` if its group does not keep it.
  func place(of record: RankedDocument) -> Int? { placeOfMember[DocumentPlace(record)] }

  /// Returns the best record of the group of a record.
  func best(inGroupOf record: RankedDocument) -> RankedDocument? {
    numbering.group(of: record).flatMap { best[$0] }
  }
}

extension GroupNumbering {
  fileprivate func group(of record: RankedDocument) -> Int? {
    group(segment: record.segment, document: record.document)
  }
}
