import InstantSearchJSON

/// Makes a segment of records, or of other segments.
struct SegmentBuilder {
  private let settings: IndexSettings
  private var records: RecordStore.Builder
  private var attributes: AttributeColumns.Builder
  private var text: TextIndex.Builder
  private var count = 0

  /// Creates a builder with room for `count` records of `byteCount` bytes together.
  init(
    settings: IndexSettings, count: Int = 0, byteCount: Int = 0, _ checkpoint: Checkpoint
  ) throws {
    self.settings = settings
    records = RecordStore.Builder(count: count, byteCount: byteCount)
    attributes = AttributeColumns.Builder(settings: settings)
    text = try TextIndex.Builder(
      attributes: SearchableAttributes(settings.searchableAttributes, checkpoint),
      tokenizer: Tokenizer(settings: settings))
  }

  /// Adds the next document. Object IDs must differ; a record that is not JSON can be found by
  /// nothing but its ID.
  mutating func add(
    objectID: String, record: ArraySlice<UInt8>, _ checkpoint: Checkpoint
  ) throws {
    let root = try checkpoint.record(record)
    records.add(objectID: objectID.utf8, record: record)
    if let root { try attributes.add(document: count, record: root, checkpoint) }
    try text.add(root, checkpoint)
    count += 1
  }

  /// Makes the segment.
  consuming func build(_ checkpoint: Checkpoint) throws -> Segment {
    let count = self.count
    let settings = self.settings
    let text = try self.text.build(checkpoint)
    return try Self.segment(
      count: count, settings: settings, records: records.build(checkpoint), text: text,
      attributes: attributes.build(count: count, checkpoint), checkpoint)
  }

  /// Merges the live documents of several segments, in their order.
  ///
  /// Words are merged list by list, without reading the texts again.
  static func merging(
    _ views: [SegmentView], settings: IndexSettings, _ checkpoint: Checkpoint
  ) throws -> Segment {
    let count = views.reduce(0) { $0 + $1.liveCount }
    var records = RecordStore.Builder(
      count: count, byteCount: views.reduce(0) { $0 + $1.segment.records.byteCount })
    var attributes = AttributeColumns.Builder(settings: settings)
    var sources: [TextIndex.MergeSource] = []
    var next = 0
    for view in views {
      let segment = view.segment
      var newDocument = [UInt32](repeating: TextIndex.MergeSource.deleted, count: segment.count)
      try view.live.forEach { document in
        let record = segment.records.bytes(of: document)
        newDocument[document] = UInt32(truncatingIfNeeded: next)
        records.add(objectID: segment.records.objectIDBytes(of: document), record: record)
        if let root = try checkpoint.record(record) {
          try attributes.add(document: next, record: root, checkpoint)
        }
        next += 1
      }
      sources.append(TextIndex.MergeSource(index: segment.text, newDocument: newDocument))
    }
    return try segment(
      count: count, settings: settings, records: records.build(checkpoint),
      text: .merging(sources, checkpoint),
      attributes: attributes.build(count: count, checkpoint), checkpoint)
  }

  private static func segment(
    count: Int, settings: IndexSettings, records: RecordStore, text: TextIndex,
    attributes: AttributeColumns, _ checkpoint: Checkpoint
  ) throws -> Segment {
    let order = try SegmentOrder(
      count: count, custom: settings.customRanking.compactMap(SortCriterion.init),
      sorting: settings.ranking.compactMap(SortCriterion.init),
      objectIDOrder: { records.objectIDOrder(of: $0) },
      value: { try attributes.rankingValue(of: $0, document: $1, checkpoint) }, checkpoint)
    return Segment(count: count, records: records, text: text, attributes: attributes, order: order)
  }
}
