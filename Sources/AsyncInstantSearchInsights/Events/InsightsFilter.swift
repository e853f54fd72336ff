public import AsyncInstantSearch

/// A filter as events name it: a facet and one of its values.
public struct InsightsFilter: Sendable, Hashable, CustomStringConvertible {
  private let facet: String
  /// The value, percent-encoded.
  private let encodedValue: String?

  /// A facet and a value, neither of them encoded: any characters may be in the value.
  public init(facet: String, value: String) {
    self.facet = facet
    encodedValue = PercentEncoding.encode(value)
  }

  /// A filter as it is sent, `facet:value` with a value that is percent-encoded already, such as
  /// `discount:10%25`.
  public init(encoded text: String) {
    let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    facet = String(text[..<(colon ?? text.endIndex)])
    encodedValue = colon.map { String(Substring(text.utf8[$0...].dropFirst())) }
  }

  /// A filter of a search.
  ///
  /// A number that a facet is equal to is the facet's value, as it would be in a list of facets:
  /// an integer has no fraction. A tag is a value of `_tags`.
  ///
  /// - Throws: `invalidRequest` for what is no value of a facet: a filter that is negated, and a
  ///   comparison of numbers or a range.
  public init(_ filter: Filter) throws(SearchError) {
    let value: String
    switch filter {
    case .facet(let facet): value = facet.value.text
    case .tag(let tag): value = tag.value
    case .numeric(let numeric):
      guard case .comparison(.equal, let number) = numeric.value, number.isFinite else {
        throw Self.unsayable(filter)
      }
      value = number.plainNumber
    }
    guard !filter.isNegated else { throw Self.unsayable(filter) }
    self.init(facet: filter.attribute.rawValue, value: value)
  }

  /// The filter as it is sent.
  public var description: String { facet + (encodedValue.map { ":" + $0 } ?? "") }

  /// What is wrong with the filter; `nil` when nothing is.
  var complaint: String? {
    guard !facet.isEmpty, !facet.utf8.contains(UInt8(ascii: ":")) else {
      return "has no facet, or one with a colon"
    }
    guard let encodedValue, !encodedValue.isEmpty else { return "has no value" }
    let isURLText = encodedValue.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    guard isURLText, PercentEncoding.decode(encodedValue) != nil else {
      return "has a value that is not percent-encoded"
    }
    return nil
  }

  private static func unsayable(_ filter: Filter) -> SearchError {
    SearchError(
      .invalidRequest, "An event cannot name the filter \(filter): it is no value of a facet.")
  }
}
