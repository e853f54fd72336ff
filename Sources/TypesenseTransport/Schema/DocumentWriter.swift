import InstantSearchAPI
import InstantSearchJSON
import LocalSearch

/// Writes the document of one record.
struct DocumentWriter: ~Copyable {
  private let record: IndexedRecord
  private var writer: JSONWriter

  /// Begins the document of a record.
  init(_ record: IndexedRecord) {
    self.record = record
    writer = JSONWriter(capacity: 2 * record.bytes.count + 512)
    writer.beginObject()
    writer.key("id")
    writer.string(DocumentID.text(of: record.objectID))
    writer.key(FieldName.record)
    writer.string(String(decoding: record.bytes, as: UTF8.self))
    writer.key(FieldName.order)
    writer.int(DocumentID.order(of: record.objectID))
  }

  /// Ends the document, and returns it.
  consuming func finished() -> [UInt8] {
    writer.endObject()
    return writer.bytes
  }

  private mutating func write(_ strings: some Sequence<String>, to field: String) {
    writer.key(field)
    writer.beginArray()
    for string in strings { writer.string(string) }
    writer.endArray()
  }

  private mutating func write(_ integers: some Sequence<Int64>, to field: String) {
    writer.key(field)
    writer.beginArray()
    for integer in integers { writer.int(integer) }
    writer.endArray()
  }

  /// Writes everything but texts and groups.
  mutating func writeValues(facets: [String], orders: [OrderKey]) {
    write(codes.map(\.text).sorted(), to: FieldName.codes)
    for facet in facets {
      guard let values = record.facets[facet] else { continue }
      write(values.map { FacetValue.text(of: $0.text) }, to: FieldName.facet(facet))
      let numbers = values.compactMap { $0.number.flatMap(Thousandths.init) }
      if !numbers.isEmpty { write(numbers.map(\.value), to: FieldName.statistics(facet)) }
    }
    for (attribute, numbers) in record.numbers.sorted(by: { $0.key < $1.key }) {
      write(Set(numbers.map(NumberKey.init)).sorted().map(\.value), to: FieldName.number(attribute))
    }
    for (attribute, key) in record.rankings.sorted(by: { $0.key < $1.key }) {
      writer.key(FieldName.ranking(attribute))
      writer.int(SortKey.number(of: key))
      if let text = SortKey.text(of: key) {
        writer.key(FieldName.textRanking(attribute))
        writer.string(text)
      }
    }
    for order in orders {
      writer.key(order.field)
      writer.string(order.text(of: record.rankings))
    }
    if !record.points.isEmpty {
      writer.key(FieldName.points)
      writer.beginArray()
      for point in record.points {
        writer.beginArray()
        writer.double(point.latitude)
        writer.double(point.longitude)
        writer.endArray()
      }
      writer.endArray()
    }
  }

  /// The codes of the record's values, without repetitions.
  private var codes: Set<ValueCode> {
    var codes: Set<ValueCode> = [.objectID(record.objectID)]
    for (attribute, values) in record.facets where attribute != "objectID" {
      for value in values {
        codes.insert(.facet(attribute, value.text))
        if value.number != nil { codes.insert(.facetNumber(attribute, value.text)) }
      }
    }
    for tag in record.tags { codes.insert(.tag(tag)) }
    for (attribute, numbers) in record.numbers {
      codes.insert(.hasNumber(attribute))
      let keys = Set(numbers.map(NumberKey.init))
      guard keys.count > 1 else {
        codes.insert(.hasOneNumber(attribute))
        continue
      }
      for key in keys {
        for prefix in ValueCode.Prefix.all(of: key) {
          codes.insert(.number(attribute, prefix: prefix))
        }
      }
    }
    if !record.points.isEmpty { codes.insert(.point) }
    return codes
  }

  /// Writes the words of texts. A phrase does not go on from one value to the next.
  mutating func write(_ texts: [IndexedRecord.Text], to field: String) {
    let values = texts.flatMap(\.values).map { $0.joined(separator: " ") }
    let joined = texts.flatMap(\.joined)
    if !values.isEmpty { write(values + joined, to: field) }
  }

  /// Writes the group of the record, which has one for itself without a value.
  mutating func write(group: String?, of attribute: String) {
    writer.key(FieldName.group(attribute))
    writer.string(GroupKey.text(of: group, objectID: record.objectID))
  }
}

/// The ID of a document.
enum DocumentID {
  /// The ID in hexadecimal digits, because the server's filters and paths accept no others for
  /// certain.
  static func text(of objectID: String) -> String { String(hexadecimal: objectID.utf8) }

  /// A number by which records are read in order. It is the same for few records of one collection.
  static func order(of objectID: String) -> Int64 {
    let digest = SHA256.digest(of: objectID.utf8)
    let bits = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int64(bits >> 2)
  }
}

/// The value of a facet as one word, or several if it is long.
enum FacetValue {
  /// The number of characters of a word that the server does not cut.
  private static let wordLength = 96

  static func text(of value: String) -> String {
    let digits = Array(("x" + String(hexadecimal: value.utf8)).utf8)
    return stride(from: 0, to: digits.count, by: wordLength).map {
      String(decoding: digits[$0..<min($0 + wordLength, digits.count)], as: UTF8.self)
    }.joined(separator: " ")
  }

  /// Returns the value, or `nil` for another text.
  static func value(of text: String) -> String? {
    let digits = text.utf8.filter { $0 != UInt8(ascii: " ") }
    guard digits.first == UInt8(ascii: "x"),
      let bytes = Hexadecimal.bytes(of: Array(digits.dropFirst()))
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A number in thousandths. Larger numbers have none.
struct Thousandths: Sendable {
  let value: Int64

  private static let limit = 9.2e18

  init?(_ number: Double) {
    let scaled = (number * 1000).rounded()
    guard scaled.magnitude < Self.limit else { return nil }
    value = Int64(scaled)
  }
}

/// The value by which records are sorted.
enum SortKey {
  private static let firstText = Int64(1) << 62

  /// An integer with the order of the values: booleans, then numbers, then texts by their first
  /// seven bytes. Numbers that agree in 15 digits can be equal.
  static func number(of key: IndexedRecord.RankingKey) -> Int64 {
    switch key {
    // The smallest integers mean no value to the server.
    case .bool(let bool): -firstText - (bool ? 1 : 2)
    case .number(let number): NumberKey(number).value >> 1
    case .text(let bytes):
      (0..<7).reduce(firstText) { key, index in
        key | Int64(index < bytes.count ? bytes[index] : 0) << Int64(54 - 8 * index)
      }
    }
  }

  /// The digits of a text, which have its order.
  static func text(of key: IndexedRecord.RankingKey) -> String? {
    if case .text(let bytes) = key { String(hexadecimal: bytes) } else { nil }
  }
}

/// The group of a record as one word.
enum GroupKey {
  private static let maximumLength = 45

  static func text(of group: String?, objectID: String) -> String {
    let (kind, bytes) = group.map { ("g", Array($0.utf8)) } ?? ("u", Array(objectID.utf8))
    return kind
      + (bytes.count <= maximumLength
        ? String(hexadecimal: bytes) : "z" + String(hexadecimal: SHA256.digest(of: bytes)))
  }
}
