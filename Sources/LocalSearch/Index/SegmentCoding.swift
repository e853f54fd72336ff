import InstantSearchAPI

// The records and the index of a segment in a file.

extension RecordStore {
  /// Writes the records.
  func write(to writer: FileWriter) throws {
    try writer.write(bytes: bytes)
    try writer.write(offsets: offsets)
    try writer.write(bytes: idBytes)
    try writer.write(offsets: idOffsets)
    try writer.write(byID)
  }

  /// Reads records.
  convenience init(from reader: inout SectionReader) throws {
    let bytes = try reader.bytes()
    let offsets = try reader.offsets()
    let idBytes = try reader.bytes()
    let idOffsets = try reader.offsets(count: offsets.count)
    try reader.check(
      offsets.last == bytes.count && idOffsets.last == idBytes.count, "records end elsewhere")
    let count = offsets.count - 1
    self.init(
      bytes: bytes, offsets: offsets, idBytes: idBytes, idOffsets: idOffsets,
      byID: try reader.array(below: count, count: count))
  }
}

extension Segment {
  /// Writes everything but the records.
  func write(to writer: FileWriter) throws {
    try writer.write(count)
    try text.write(to: writer)
    try attributes.write(to: writer)
    try order.write(to: writer)
    // Sorted, so that equal indices have equal files.
    let indices = facetIndices.sorted { $0.key < $1.key }
    try writer.write(texts: indices.map(\.key))
    for (_, index) in indices {
      try index.records.write(to: writer)
      try index.write(to: writer)
    }
  }

  /// The parts of a segment other than its records. Both can be read at the same time.
  struct Contents: Sendable {
    fileprivate let count: Int
    fileprivate let text: TextIndex
    fileprivate let attributes: AttributeColumns
    fileprivate let order: SegmentOrder
    fileprivate let facetIndices: [String: Segment]
  }

  /// Creates the segment of some records, or returns `nil` if the contents belong to other records.
  convenience init?(_ records: RecordStore, _ contents: Contents) {
    guard records.count == contents.count else { return nil }
    self.init(
      count: contents.count, records: records, text: contents.text,
      attributes: contents.attributes, order: contents.order, facetIndices: contents.facetIndices)
  }
}

extension Segment.Contents {
  /// Reads everything but the records.
  init(from reader: inout SectionReader, isFacetIndex: Bool = false) throws {
    count = try reader.number(atMost: Int(UInt32.max))
    text = try TextIndex(from: &reader, count: count)
    attributes = try AttributeColumns(from: &reader, count: count)
    order = try SegmentOrder(from: &reader, count: count)
    var indices: [String: Segment] = [:]
    for name in try reader.texts() {
      try reader.check(!isFacetIndex, "an index of facet values has such indices itself")
      let values = try RecordStore(from: &reader)
      let contents = try Self(from: &reader, isFacetIndex: true)
      guard attributes.facet(name)?.values.count == values.count,
        let index = Segment(values, contents)
      else { throw FileProblem.damaged("facet values differ in number") }
      indices[name] = index
    }
    facetIndices = indices
  }
}

extension TextIndex {
  fileprivate func write(to writer: FileWriter) throws {
    try writer.write(texts: fields.map(\.path))
    try writer.write(fields.map { UInt32(clamping: $0.role.rank) })
    try writer.write(bytes: fields.map { $0.role.isOrdered ? 1 : 0 })
    try writer.write(bytes: terms.bytes)
    try writer.write(offsets: terms.offsets)
    try writer.write(postings.starts)
    try writer.write(postings.documents)
    try writer.write(postings.encodedOccurrences)
    try writer.write(postings.overflow)
  }

  fileprivate convenience init(from reader: inout SectionReader, count: Int) throws {
    let paths = try reader.texts()
    let ranks = try reader.array(of: UInt32.self, count: paths.count)
    let isOrdered = try reader.bytes(count: paths.count)
    try reader.check(paths.count <= Occurrence.maximumField + 1, "it has too many attributes")
    let fields = paths.indices.map {
      IndexedField(
        path: paths[$0],
        role: SearchableAttributes.Role(rank: Int(ranks[$0]), isOrdered: isOrdered[$0] == 1))
    }
    let bytes = try reader.bytes()
    let offsets = try reader.offsets()
    try reader.check(offsets.last == bytes.count, "words end elsewhere")
    let terms = TermDictionary(bytes: bytes, offsets: offsets)
    let postings = try PostingLists(
      from: &reader, termCount: terms.count, documentCount: count, fieldCount: fields.count)
    self.init(fields: fields, terms: terms, postings: postings)
  }
}

extension PostingLists {
  fileprivate convenience init(
    from reader: inout SectionReader, termCount: Int, documentCount: Int, fieldCount: Int
  ) throws {
    let starts: [UInt32] = try reader.starts(count: termCount + 1)
    let documents = try reader.array(below: documentCount, count: starts.last.map(Int.init))
    let occurrences = try reader.array(of: UInt32.self, count: documents.count)
    let overflow = try reader.array(of: UInt32.self)
    var largest: UInt32 = 0
    for (index, occurrence) in occurrences.enumerated() {
      try reader.cancellation.count(element: index)
      if occurrence & Self.overflowFlag == 0 {
        largest = max(largest, occurrence)
        continue
      }
      let start = Int(occurrence & ~Self.overflowFlag)
      let length = start < overflow.count ? Int(overflow[start]) : 0
      try reader.check(
        length > 0 && length < overflow.count - start, "occurrences are outside of their list")
      try reader.cancellation.count(1 + length &>> 4)
      for entry in start + 1...start + length { largest = max(largest, overflow[entry]) }
    }
    try reader.check(
      occurrences.isEmpty
        || largest < Self.overflowFlag && Occurrence(packed: largest).field < fieldCount,
      "an occurrence is in an unknown attribute")
    self.init(
      starts: starts, documents: documents, encodedOccurrences: occurrences, overflow: overflow)
  }
}

extension SegmentOrder {
  fileprivate func write(to writer: FileWriter) throws {
    try writer.write(customRanks)
    try writer.write(byCustomRank)
    let sorted = ranks.sorted {
      ($0.key.attribute, $0.key.isAscending ? 0 : 1)
        < ($1.key.attribute, $1.key.isAscending ? 0 : 1)
    }
    try writer.write(texts: sorted.map(\.key.attribute))
    for (criterion, ranks) in sorted {
      try writer.write(criterion.isAscending)
      try writer.write(ranks)
    }
  }

  fileprivate init(from reader: inout SectionReader, count: Int) throws {
    let customRanks = try reader.array(below: count, count: count)
    let byCustomRank = try reader.array(below: count, count: count)
    var ranks: [SortCriterion: [UInt32]] = [:]
    for attribute in try reader.texts() {
      let criterion = SortCriterion(attribute: attribute, isAscending: try reader.bool())
      ranks[criterion] = try reader.array(below: count, count: count)
    }
    self.init(customRanks: customRanks, byCustomRank: byCustomRank, ranks: ranks)
  }
}

extension Bitmap {
  /// Reads the members of a set.
  init(from reader: inout SectionReader, count: Int) throws {
    let words = try reader.array(of: UInt64.self, count: (count + 63) / 64)
    guard let bitmap = Bitmap(words: words, count: count) else {
      throw FileProblem.damaged("a set has members beyond its size")
    }
    self = bitmap
  }
}
