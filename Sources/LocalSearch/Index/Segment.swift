import InstantSearchJSON

/// An immutable part of an index, with documents numbered `0..<count`.
final class Segment: Sendable {
  /// The number of documents, including deleted ones.
  let count: Int
  /// The records.
  let records: RecordStore
  /// The words.
  let text: TextIndex
  /// Facets, numbers, ranking values and points.
  let attributes: AttributeColumns
  /// The orders that do not depend on a query.
  let order: SegmentOrder
  let facetIndices: [String: Segment]
  /// The scans of records for attributes.
  let scans = AttributeScans()

  /// Creates a segment from parts with the same number of documents.
  init(
    count: Int, records: RecordStore, text: TextIndex, attributes: AttributeColumns,
    order: SegmentOrder, facetIndices: [String: Segment] = [:]
  ) {
    self.count = count
    self.records = records
    self.text = text
    self.attributes = attributes
    self.order = order
    self.facetIndices = facetIndices
  }

  /// Returns the index of a searchable facet's values, numbered as in the column, or `nil` if the
  /// facet is not searchable.
  func facetIndex(_ attribute: String) -> Segment? { facetIndices[attribute] }
}

/// A segment with its live documents, which are neither deleted nor replaced.
struct SegmentView: Sendable {
  /// The segment.
  let segment: Segment
  /// The live documents.
  let live: Bitmap
  /// The number of live documents.
  let liveCount: Int

  /// Creates a view.
  init(segment: Segment, live: Bitmap) {
    self.segment = segment
    self.live = live
    liveCount = live.cardinality
  }
}

/// Builds a segment from records, or from other segments.
struct SegmentBuilder {
  private let form: IndexForm
  private(set) var records: RecordStore.Builder
  /// The attributes of the records, for both other builders.
  private var tree: AttributePaths
  private var attributes: AttributeColumns.Builder
  private var text: TextIndex.Builder
  private let byteCount: Int
  private var isCapacityReserved = false
  private let cancellation: CancellationCheck

  /// The number of bytes of records from which memory for all of them is reserved.
  private static let sampleSize = 1 << 20
  /// The maximum number of bytes of records for which memory is reserved.
  private static let maximumReservation = 1 << 30

  /// Creates a builder with capacity for `count` records of `byteCount` bytes in total.
  init(
    form: IndexForm, count: Int = 0, byteCount: Int = 0, _ cancellation: CancellationCheck
  ) throws {
    self.form = form
    self.cancellation = cancellation
    self.byteCount = byteCount
    records = RecordStore.Builder(count: count)
    attributes = AttributeColumns.Builder(settings: form.settings, cancellation)
    text = try TextIndex.Builder(form, cancellation)
    tree = AttributePaths(listed: attributes.listed + text.listed)
  }

  /// Adds the next document. A record that is not JSON is found by its ID only.
  mutating func add(objectID: String, record: [UInt8]) throws {
    // The record is stored when nothing of its document is in memory.
    try index(cancellation.record(record[...]))
    records.add(objectID: objectID.utf8, record: record)
    reserveCapacity()
  }

  /// Adds the next document.
  ///
  /// - Parameter root: The value of the record, or `nil` if it is not JSON.
  mutating func add(objectID: String, record: ArraySlice<UInt8>, root: JSONNode?) throws {
    try index(root)
    records.add(objectID: objectID.utf8, record: record)
    reserveCapacity()
  }

  private mutating func index(_ root: JSONNode?) throws {
    if let root {
      try attributes.add(document: records.count, record: root, in: &tree)
    }
    try text.add(root, in: &tree)
  }

  /// Reserves memory for the other records, once.
  private mutating func reserveCapacity() {
    guard !isCapacityReserved, records.byteCount >= Self.sampleSize else { return }
    isCapacityReserved = true
    // The size of a file can be wrong, so it must not allocate more memory at once.
    let expected = min(byteCount, Self.maximumReservation)
    if expected > records.byteCount { records.reserveCapacity(expected) }
  }

  /// Returns the finished segment. The builder is empty then.
  mutating func build() throws -> Segment {
    let count = records.count
    var built = AttributeColumns.Builder(settings: form.settings, cancellation)
    swap(&built, &attributes)
    tree = AttributePaths(listed: attributes.listed + text.listed)
    let columns = try built.build(count: count)
    return try Self.segment(
      settings: form.settings, records: records.build(cancellation), text: text.build(),
      attributes: columns, cancellation)
  }

  /// Indexes records that another segment has too.
  ///
  /// - Parameter live: The documents to index. The others stay empty.
  static func indexing(
    _ records: RecordStore, _ live: Bitmap, form: IndexForm, _ cancellation: CancellationCheck
  ) throws -> Segment {
    var attributes = AttributeColumns.Builder(settings: form.settings, cancellation)
    var text = try TextIndex.Builder(form, cancellation)
    var tree = AttributePaths(listed: attributes.listed + text.listed)
    for document in 0..<records.count {
      try cancellation.count()
      let root = live[document] ? try cancellation.record(records.bytes(of: document)) : nil
      if let root {
        try attributes.add(document: document, record: root, in: &tree)
      }
      try text.add(root, in: &tree)
    }
    return try segment(
      settings: form.settings, records: records, text: text.build(),
      attributes: attributes.build(count: records.count), cancellation)
  }

  /// Merges the live documents of several segments, in order.
  ///
  /// Posting lists and columns are merged, without reading the records again.
  static func merging(
    _ views: [SegmentView], settings: IndexSettings, _ cancellation: CancellationCheck
  ) throws -> Segment {
    let count = views.reduce(0) { $0 + $1.liveCount }
    var records = RecordStore.Builder(
      count: count, byteCount: views.reduce(0) { $0 + $1.segment.records.byteCount })
    let sources = try views.map { view in
      let segment = view.segment
      var newDocuments = [UInt32](repeating: .deleted, count: segment.count)
      try view.live.forEach { document in
        let record = segment.records.bytes(of: document)
        try cancellation.count(bytes: record.count)
        newDocuments[document] = UInt32(truncatingIfNeeded: records.count)
        records.add(objectID: segment.records.objectIDBytes(of: document), record: record)
      }
      return MergeSource(content: segment, newDocuments: newDocuments)
    }
    return try segment(
      settings: settings, records: records.build(cancellation),
      text: .merging(sources.map { $0.map(\.text) }, cancellation),
      attributes: .merging(sources.map { $0.map(\.attributes) }, count: count, cancellation),
      cancellation)
  }

  private static func segment(
    settings: IndexSettings, records: RecordStore, text: TextIndex,
    attributes: AttributeColumns, _ cancellation: CancellationCheck
  ) throws -> Segment {
    let count = records.count
    let order = try SegmentOrder(
      count: count, custom: settings.customRanking.compactMap(SortCriterion.init),
      sorting: settings.ranking.compactMap(SortCriterion.init),
      objectIDOrder: { records.objectIDOrder(of: $0) },
      value: { try attributes.rankingValue(of: $0, document: $1, cancellation) }, cancellation)
    return Segment(
      count: count, records: records, text: text, attributes: attributes, order: order,
      facetIndices: try FacetValueIndex.all(in: attributes, settings: settings, cancellation))
  }
}

/// Makes the values of a facet searchable, as a segment in which each value is a document.
///
/// So a search for values follows the rules of a search for records, including prefixes and typos,
/// and uses a sorted dictionary.
enum FacetValueIndex {
  /// The attribute of the documents that has the value.
  static let attribute = "value"

  /// Returns the segments of the searchable facets, by attribute.
  static func all(
    in attributes: AttributeColumns, settings: IndexSettings, _ cancellation: CancellationCheck
  ) throws -> [String: Segment] {
    var indices: [String: Segment] = [:]
    for declaration in FacetDeclaration.all(in: settings) where declaration.isSearchable {
      indices[declaration.attribute] = try attributes.facet(declaration.attribute).map {
        try build($0, settings: settings, cancellation)
      }
    }
    return indices
  }

  /// Returns the segment of a column's values, in the order of the column.
  static func build(
    _ column: FacetColumn, settings: IndexSettings, _ cancellation: CancellationCheck
  ) throws -> Segment {
    var text = TextIndex.Builder(
      attributes: SearchableAttributes(), tokenizer: Tokenizer(settings: settings),
      cancellation)
    var tree = AttributePaths(listed: text.listed)
    var records = RecordStore.Builder(count: column.values.count)
    for (number, value) in column.values.enumerated() {
      try cancellation.count(bytes: value.text.utf8.count)
      try text.add(value.text, of: attribute, in: &tree)
      records.add(objectID: String(number).utf8, record: [])
    }
    let count = column.values.count
    return try Segment(
      count: count, records: records.build(cancellation), text: text.build(),
      attributes: AttributeColumns.Builder(settings: IndexSettings(), cancellation)
        .build(count: count),
      order: SegmentOrder(
        count: count, custom: [], sorting: [], objectIDOrder: { UInt32(truncatingIfNeeded: $0) },
        value: { _, _ in .missing }, cancellation))
  }

  /// Returns the settings for searching values: the index settings, but every word counts.
  static func settings(_ settings: IndexSettings) -> IndexSettings {
    var result = IndexSettings()
    result.separatorsToIndex = settings.separatorsToIndex
    result.additionalSettings["customNormalization"] =
      settings.additionalSettings["customNormalization"]
    result.keepDiacriticsOnCharacters = settings.keepDiacriticsOnCharacters
    result.typoTolerance = settings.typoTolerance
    result.minWordSizefor1Typo = settings.minWordSizefor1Typo
    result.minWordSizefor2Typos = settings.minWordSizefor2Typos
    result.allowTyposOnNumericTokens = settings.allowTyposOnNumericTokens
    result.disableTypoToleranceOnWords = settings.disableTypoToleranceOnWords
    return result
  }
}
