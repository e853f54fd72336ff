import InstantSearchJSON

/// Makes the values of a facet searchable: a segment in which each value is a document.
///
/// So a search for values follows the same rules as a search for records, beginnings and typos
/// included, and finds its words in a sorted dictionary.
enum FacetValueIndex {
  private static let attribute = "value"

  /// The segment of a column's values, in the order of the column.
  static func build(
    _ column: FacetColumn, settings: IndexSettings, _ checkpoint: Checkpoint
  ) throws -> Segment {
    var writer = JSONWriter(capacity: 32 * column.values.count)
    writer.beginArray()
    for value in column.values {
      try checkpoint.count(bytes: value.text.utf8.count)
      writer.beginObject()
      writer.key(attribute)
      writer.string(value.text)
      writer.endObject()
    }
    writer.endArray()
    var text = TextIndex.Builder(
      attributes: SearchableAttributes(), tokenizer: Tokenizer(settings: settings))
    var records = RecordStore.Builder(count: column.values.count)
    let nodes = try checkpoint.record(writer.bytes[...])?.elements.map { $0 } ?? []
    for (number, node) in nodes.enumerated() {
      try text.add(node, checkpoint)
      records.add(objectID: String(number).utf8, record: [])
    }
    let count = nodes.count
    return try Segment(
      count: count, records: records.build(checkpoint), text: text.build(checkpoint),
      attributes: AttributeColumns.Builder(settings: IndexSettings())
        .build(count: count, checkpoint),
      order: SegmentOrder(
        count: count, custom: [], sorting: [], objectIDOrder: { UInt32(truncatingIfNeeded: $0) },
        value: { _, _ in .missing }, checkpoint))
  }

  /// The settings by which values are searched: those of the index, but every word counts.
  static func settings(_ settings: IndexSettings) -> IndexSettings {
    var result = IndexSettings()
    result.separatorsToIndex = settings.separatorsToIndex
    result.keepDiacriticsOnCharacters = settings.keepDiacriticsOnCharacters
    result.typoTolerance = settings.typoTolerance
    result.minWordSizefor1Typo = settings.minWordSizefor1Typo
    result.minWordSizefor2Typos = settings.minWordSizefor2Typos
    result.allowTyposOnNumericTokens = settings.allowTyposOnNumericTokens
    result.disableTypoToleranceOnWords = settings.disableTypoToleranceOnWords
    return result
  }
}
