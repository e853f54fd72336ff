import InstantSearchAPI
import LocalSearch

/// Criteria of order that follow each other, as one text for each record.
///
/// The server accepts three criteria in a search, and a distance or a filter is one of them. So a
/// document has the values of all criteria in one text too, which is made of lowercase letters: the
/// server's order of texts leaves out what is no letter or digit.
struct OrderKey: Sendable, Hashable {
  /// The criteria, the first one first.
  let criteria: [SortCriterion]

  /// The field of the texts, in ascending order.
  var field: String {
    FieldName.order(
      of: criteria.map { "\($0.isAscending ? "asc" : "desc")(\($0.attribute))" }
        .joined(separator: ","))
  }

  /// Returns the text of a record.
  ///
  /// Each half of a byte is a letter from `b` to `q`, in reverse for a descending order. A letter
  /// beyond them on the side where shorter texts belong ends a value.
  ///
  /// - Parameter values: The values of the record's attributes.
  func text(of values: [String: IndexedRecord.RankingKey]) -> String {
    var letters: [UInt8] = []
    for criterion in criteria {
      guard let value = values[criterion.attribute] else {
        // Last in both directions.
        letters.append(UInt8(ascii: "s"))
        continue
      }
      func write(_ half: UInt8) {
        letters.append(UInt8(ascii: "b") + (criterion.isAscending ? half : 15 - half))
      }
      func write(byte: UInt8) {
        write(byte >> 4)
        write(byte & 15)
      }
      let number = UInt64(bitPattern: SortKey.number(of: value)) ^ 1 << 63
      for shift in stride(from: 56, through: 0, by: -8) {
        write(byte: UInt8(truncatingIfNeeded: number >> UInt64(shift)))
      }
      if case .text(let bytes) = value {
        for byte in bytes { write(byte: byte) }
        letters.append(criterion.isAscending ? UInt8(ascii: "a") : UInt8(ascii: "r"))
      }
    }
    return String(decoding: letters, as: UTF8.self)
  }

  /// Returns the keys that the documents of settings have: one for several criteria that follow
  /// each other.
  static func all(in settings: IndexSettings) throws(APIError) -> [OrderKey] {
    try RankingRun.all(in: settings.ranking, settings.customRanking).compactMap { run in
      guard case .sort(let criteria) = run, criteria.count > 1 else { return nil }
      return OrderKey(criteria: criteria)
    }
  }
}
