/// An immutable part of an index; its documents are numbered `0..<count`.
final class Segment: Sendable {
  /// The number of documents, deleted ones included.
  let count: Int
  /// The records.
  let records: RecordStore
  /// The words.
  let text: TextIndex
  /// Facets, numbers, sort keys and places.
  let attributes: AttributeColumns
  /// The orders that do not depend on a query.
  let order: SegmentOrder

  /// Puts the parts together; all must have the same number of documents.
  init(
    count: Int, records: RecordStore, text: TextIndex, attributes: AttributeColumns,
    order: SegmentOrder
  ) {
    self.count = count
    self.records = records
    self.text = text
    self.attributes = attributes
    self.order = order
  }
}

/// A segment and those of its documents that are neither deleted nor replaced.
struct SegmentView: Sendable {
  /// The segment.
  let segment: Segment
  /// The documents that exist.
  let live: Bitmap
  /// The number of documents that exist.
  let liveCount: Int

  /// Creates a view.
  init(segment: Segment, live: Bitmap) {
    self.segment = segment
    self.live = live
    liveCount = live.cardinality
  }
}
