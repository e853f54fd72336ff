import InstantSearchAPI
import InstantSearchJSON

/// The names of the fields of a collection.
///
/// A collection holds the record beside fields that are derived from it, because the server's own
/// reading of records changes their values. Names of attributes are in hexadecimal digits, so that
/// none can be read as part of a request.
enum FieldName {
  /// The record as JSON.
  static let record = "_record"
  /// The codes of the record's values; see ``ValueCode``.
  static let codes = "_f"
  /// The points of the record.
  static let points = "_geo"
  /// A number that differs from one record to the next, by which records are read in order.
  static let order = "_k"
  /// Every text of the record, if the settings list no searchable attributes.
  static let allTexts = "t_"

  /// The words of a searchable attribute.
  static func text(_ attribute: String) -> String { "t_" + hexadecimal(attribute) }
  /// The values of a facet.
  static func facet(_ attribute: String) -> String { facetPrefix + hexadecimal(attribute) }
  static let facetPrefix = "c_"
  /// The numbers of a facet in thousandths, for its statistics.
  static func statistics(_ attribute: String) -> String { "s_" + hexadecimal(attribute) }
  /// The numbers of an attribute; see ``NumberKey``.
  static func number(_ attribute: String) -> String { numberPrefix + hexadecimal(attribute) }
  static let numberPrefix = "n_"
  /// The value by which records are sorted; see ``SortKey``.
  static func ranking(_ attribute: String) -> String { rankingPrefix + hexadecimal(attribute) }
  static let rankingPrefix = "r_"
  /// The text by which records are sorted, of a value that is one.
  static func textRanking(_ attribute: String) -> String { "rs_" + hexadecimal(attribute) }
  /// The values of several criteria by which records are sorted; see ``OrderKey``.
  static func order(of criteria: String) -> String {
    "o_" + String(hexadecimal: SHA256.digest(of: criteria.utf8).prefix(12))
  }
  /// The group of the record by an attribute.
  static func group(_ attribute: String) -> String { "g_" + hexadecimal(attribute) }

  private static func hexadecimal(_ attribute: String) -> String {
    String(hexadecimal: attribute.utf8)
  }
}

extension String {
  /// Creates the hexadecimal digits of bytes.
  init(hexadecimal bytes: some Sequence<UInt8>) {
    self.init(decoding: Hexadecimal.text(of: bytes), as: UTF8.self)
  }
}

extension JSONNode {
  /// The record of a document, or `nil` if it has none.
  var record: [UInt8]? {
    guard let text = self[FieldName.record]?.string, text.utf8.first == UInt8(ascii: "{") else {
      return nil
    }
    return Array(text.utf8)
  }
}
