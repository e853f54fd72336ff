import InstantSearchJSON

/// Makes a segment of records, or of other segments.
struct SegmentBuilder {
  private let settings: IndexSettings
  private var records: RecordStore.Builder
  private var attributes: AttributeColumns.Builder
  private var text: TextIndex.Builder
  private var count = 0

  /// Creates a builder with room for `count` records of `byteCount` bytes together.
  init(settings: IndexSettings, count: Int = 0, byteCount: Int = 0) {
    self.settings = settings
    records = RecordStore.Builder(count: count, byteCount: byteCount)
    attributes = AttributeColumns.Builder(settings: settings)
    text = TextIndex.Builder(
      attributes: SearchableAttributes(settings.searchableAttributes),
      tokenizer: Tokenizer(settings: settings))
  }

  /// Adds the next document. Object IDs must differ; a record that is not JSON can be found by nothing but its ID.
  mutating func add(objectID: String, record: [UInt8]) {
    let root = (try? JSONDocument(record))?.root
    records.add(objectID: objectID.utf8, record: record)
    if let root { attributes.add(document: count, record: root) }
    text.add(root)
    count += 1
  }

  /// Makes the segment.
  consuming func build() -> Segment {
    let count = self.count
    let settings = self.settings
    let text = self.text.build()
    return Self.segment(
      count: count, settings: settings, records: records.build(), text: text,
      attributes: attributes.build(count: count))
  }

  /// Merges the live documents of several segments, in their order.
  ///
  /// Words are merged list by list, without reading the texts again.
  static func merging(_ views: [SegmentView], settings: IndexSettings) -> Segment {
    let count = views.reduce(0) { $0 + $1.liveCount }
    var records = RecordStore.Builder(
      count: count, byteCount: views.reduce(0) { $0 + $1.segment.records.byteCount })
    var attributes = AttributeColumns.Builder(settings: settings)
    var sources: [TextIndex.MergeSource] = []
    var next = 0
    for view in views {
      let segment = view.segment
      var newDocument = [UInt32](repeating: TextIndex.MergeSource.deleted, count: segment.count)
      view.live.forEach { document in
        let record = segment.records.bytes(of: document)
        newDocument[document] = UInt32(truncatingIfNeeded: next)
        records.add(objectID: segment.records.objectIDBytes(of: document), record: record)
        if let root = (try? JSONDocument(Array(record)))?.root {
          attributes.add(document: next, record: root)
        }
        next += 1
      }
      sources.append(TextIndex.MergeSource(index: segment.text, newDocument: newDocument))
    }
    return segment(
      count: count, settings: settings, records: records.build(), text: .merging(sources),
      attributes: attributes.build(count: count))
  }

  private static func segment(
    count: Int, settings: IndexSettings, records: RecordStore, text: TextIndex,
    attributes: AttributeColumns
  ) -> Segment {
    let order = SegmentOrder(
      count: count, custom: settings.customRanking.compactMap(SortCriterion.init),
      sorting: settings.ranking.compactMap(SortCriterion.init),
      objectIDOrder: { records.objectIDOrder(of: $0) },
      value: { attributes.rankingValue(of: $0, document: $1) })
    return Segment(count: count, records: records, text: text, attributes: attributes, order: order)
  }
}
