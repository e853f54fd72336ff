package import InstantSearchAPI

/// The values by which the engine would find a record, for a back end with an index of its own.
///
/// They are read from a segment of the engine, so that both agree about words, values, numbers and
/// groups.
package struct IndexedRecord: Sendable {
  /// The words of the values of one attribute.
  package struct Text: Sendable, Hashable {
    /// The dotted path of the attribute.
    package let path: String
    /// The words of each value, in order.
    package fileprivate(set) var values: [[String]] = []
    /// The joined words, such as `helloworld` of `hello.world`, and the like.
    package fileprivate(set) var joined: [String] = []
  }

  /// The value by which a record ranks, in ascending order of its cases and values.
  package enum RankingKey: Sendable, Hashable {
    case bool(Bool)
    case number(Double)
    /// The first bytes of a text.
    case text([UInt8])
  }

  /// The ID of the record.
  package let objectID: String
  /// The record as JSON.
  package let bytes: [UInt8]
  /// The searched attributes, in the order of their paths.
  package fileprivate(set) var texts: [Text] = []
  /// The values of each facet, without repetitions, and the number of a value that is one.
  package fileprivate(set) var facets: [String: [(text: String, number: Double?)]] = [:]
  /// The values of `_tags`.
  package fileprivate(set) var tags: [String] = []
  /// The numbers of each attribute.
  package fileprivate(set) var numbers: [String: [Double]] = [:]
  /// The value of each ranking attribute.
  package fileprivate(set) var rankings: [String: RankingKey] = [:]
  /// The group by `attributeForDistinct`, or `nil` if the record is one by itself.
  package fileprivate(set) var group: String?
  /// The points of `_geoloc`.
  package fileprivate(set) var points: [Point] = []
}

extension IndexedRecord {
  /// Reads the values of records.
  ///
  /// - Parameter settings: The settings of the index.
  /// - Throws: `CancellationError`, or `timedOut` after the deadline.
  package static func all(
    in records: [EncodedRecord], settings: IndexSettings, _ cancellation: CancellationCheck
  ) throws -> [IndexedRecord] {
    guard !records.isEmpty else { return [] }
    var builder = try SegmentBuilder(
      form: IndexForm(settings), count: records.count,
      byteCount: records.reduce(0) { $0 + $1.bytes.count }, cancellation)
    for record in records { try builder.add(objectID: record.objectID, record: record.bytes) }
    let segment = try builder.build()
    var result = records.map { IndexedRecord(objectID: $0.objectID, bytes: $0.bytes) }
    try readWords(of: segment.text, into: &result, cancellation)
    try readValues(of: segment.attributes, into: &result, cancellation)
    return result
  }

  /// One occurrence of a word in a record.
  private struct Word {
    let field: Int
    let position: Int
    let length: Int
    let term: Int
  }

  private static func readWords(
    of text: TextIndex, into records: inout [IndexedRecord], _ cancellation: CancellationCheck
  ) throws {
    var words = [[Word]](repeating: [], count: records.count)
    for term in 0..<text.terms.count {
      let length = text.terms.bytes(of: term).count
      for posting in text.postings.postings(of: term) {
        try cancellation.count()
        let document = Int(text.postings.documents[posting])
        text.postings.forEachOccurrence(in: text.postings.encodedOccurrences[posting]) {
          words[document].append(
            Word(field: $0.field, position: $0.position, length: length, term: term))
        }
      }
    }
    for document in records.indices {
      try cancellation.sort(&words[document]) {
        ($0.field, $0.position, $0.length, $0.term) < ($1.field, $1.position, $1.length, $1.term)
      }
      var last: Word?
      for word in words[document] {
        let spelled = text.terms.word(of: word.term)
        if last?.field != word.field {
          records[document].texts.append(Text(path: text.fields[word.field].path))
          last = nil
        }
        let index = records[document].texts.endIndex - 1
        let gap = last.map { word.position - $0.position }
        switch gap {
        // The first part of a joined word is shorter than the word at the same position.
        case 0?: records[document].texts[index].joined.append(spelled)
        case let gap? where gap <= Occurrence.gapBetweenValues:
          let value = records[document].texts[index].values.endIndex - 1
          records[document].texts[index].values[value].append(spelled)
        default: records[document].texts[index].values.append([spelled])
        }
        last = word
      }
    }
  }

  private static func readValues(
    of columns: AttributeColumns, into records: inout [IndexedRecord],
    _ cancellation: CancellationCheck
  ) throws {
    for (attribute, column) in columns.facets {
      for document in records.indices {
        try cancellation.count()
        for index in column.values(of: document) {
          let value = column.values[Int(index)]
          records[document].facets[attribute, default: []].append((value.text, value.number))
        }
      }
    }
    for (attribute, column) in columns.numbers {
      for (number, document) in zip(column.numbers, column.documents) {
        try cancellation.count()
        records[Int(document)].numbers[attribute, default: []].append(number)
      }
    }
    for (attribute, column) in columns.rankings {
      for document in records.indices {
        try cancellation.count()
        records[document].rankings[attribute] = RankingKey(column[document])
      }
    }
    for document in records.indices {
      try cancellation.count()
      records[document].tags = columns.tags.values(of: document).map {
        columns.tags.values[Int($0)].text
      }
      records[document].points = Array(columns.geo.points(of: document))
      if let distinct = columns.distinct, distinct.numbers[document] >= 0 {
        records[document].group = distinct.values[Int(distinct.numbers[document])]
      }
    }
  }
}

extension IndexedRecord.RankingKey {
  fileprivate init?(_ value: RankingValue) {
    switch value {
    case .missing: return nil
    case .bool(let bool): self = .bool(bool)
    case .number(let number): self = .number(number)
    case .string(let bytes): self = .text(bytes)
    }
  }
}

extension IndexedRecord {
  /// Returns the text of a number that a filter spells in another way, or `nil` for other text.
  package static func facetNumber(spelled text: String) -> String? {
    FacetColumn.Value.text(ofNumberSpelled: text)
  }
}
