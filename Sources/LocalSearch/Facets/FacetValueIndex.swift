import InstantSearchJSON

/// Makes the values of a facet searchable: a segment in which each value is a document.
///
/// So a search for values follows the same rules as a search for records, beginnings and typos
/// included, and finds its words in a sorted dictionary.
enum FacetValueIndex {
  private static let attribute = "value"

  /// The segment of a column's values, in the order of the column.
  static func build(_ column: FacetColumn, settings: IndexSettings) -> Segment {
    var writer = JSONWriter(capacity: 32 * column.values.count)
    writer.beginArray()
    for value in column.values {
      writer.beginObject()
      writer.key(attribute)
      writer.string(value.text)
      writer.endObject()
    }
    writer.endArray()
    var text = TextIndex.Builder(
      attributes: SearchableAttributes([]), tokenizer: Tokenizer(settings: settings))
    var records = RecordStore.Builder(count: column.values.count)
    let nodes = (try? JSONDocument(writer.bytes))?.root.elements.map { $0 } ?? []
    for (number, node) in nodes.enumerated() {
      text.add(node)
      records.add(objectID: String(number).utf8, record: [])
    }
    let count = nodes.count
    return Segment(
      count: count, records: records.build(), text: text.build(),
      attributes: AttributeColumns.Builder(settings: IndexSettings()).build(count: count),
      order: SegmentOrder(
        count: count, custom: [], sorting: [], objectIDOrder: { UInt32(truncatingIfNeeded: $0) },
        value: { _, _ in .missing }))
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
