import InstantSearchJSON

/// A record in a cart or a purchase.
public struct InsightsItem: Sendable, Hashable {
  /// The ID of the record.
  public var objectID: String
  /// The price of one piece, after discount.
  public var price: InsightsAmount?
  /// The number of pieces.
  public var quantity: Int?
  /// The discount on the price of one piece.
  public var discount: InsightsAmount?
  /// The search that found the record, if any.
  public var queryID: String?

  /// Creates an item of a record. Omit unknown values.
  public init(
    _ objectID: String, price: InsightsAmount? = nil, quantity: Int? = nil,
    discount: InsightsAmount? = nil, queryID: String? = nil
  ) {
    self.objectID = objectID
    self.price = price
    self.quantity = quantity
    self.discount = discount
    self.queryID = queryID
  }

  /// Creates an item of a hit, with the search that found it.
  ///
  /// - Throws: `invalidRequest` for a hit without a query ID: the search was made without
  ///   `clickAnalytics`. Create the item of a record that no search found from its ID.
  public init<T>(
    _ hit: Hit<T>, price: InsightsAmount? = nil, quantity: Int? = nil,
    discount: InsightsAmount? = nil
  ) throws(SearchError) {
    guard let queryID = hit.searchMetadata.queryID else {
      throw SearchError(.invalidRequest, "An item of an event: \(hit.lacksQueryID)")
    }
    self.init(
      hit.objectID, price: price, quantity: quantity, discount: discount, queryID: queryID)
  }

  /// Whether the item has more than an ID.
  func hasData(withQueryID: Bool) -> Bool {
    price != nil || quantity != nil || discount != nil || withQueryID && queryID != nil
  }

  /// Writes the known members except the ID.
  func writeData(to writer: inout JSONWriter, withQueryID: Bool) {
    writer.beginObject()
    if let price {
      writer.key("price")
      price.write(to: &writer)
    }
    if let quantity {
      writer.key("quantity")
      writer.int(quantity)
    }
    if let discount {
      writer.key("discount")
      discount.write(to: &writer)
    }
    if withQueryID, let queryID {
      writer.key("queryID")
      writer.string(queryID)
    }
    writer.endObject()
  }
}

/// An amount of money: a number, or a decimal text that is not rounded.
///
/// ```swift
/// InsightsItem("7", price: 19.5, discount: "0.10")
/// ```
public struct InsightsAmount: Sendable, Hashable {
  private enum Value: Sendable, Hashable {
    case number(Double)
    case text(String)
  }

  private let value: Value

  /// Creates an amount from a number.
  public init(_ number: Double) { value = .number(number) }

  /// Creates an amount from decimals such as `19.99`, at most 16 characters.
  public init(decimal text: String) { value = .text(text) }

  /// The reason why the amount is invalid, or `nil` if it is valid.
  var validationMessage: String? {
    switch value {
    case .number(let number): return number.isFinite ? nil : "is not a finite number"
    case .text(let text):
      if text.utf8.count > 16 { return "has more than 16 characters" }
      return Self.isDecimal(text) ? nil : "is not a decimal number"
    }
  }

  func write(to writer: inout JSONWriter) {
    switch value {
    case .number(let number): writer.double(number)
    case .text(let text): writer.string(text)
    }
  }

  /// Whether a text is an optional sign, digits, and optionally a point with more digits.
  private static func isDecimal(_ text: String) -> Bool {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    let parts = digits.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    }
  }
}

extension InsightsAmount: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral, CustomStringConvertible
{
  /// Creates an amount from an integer.
  public init(floatLiteral value: Double) { self.init(value) }
  /// Creates an amount from a number.
  public init(integerLiteral value: Int) { self.init(Double(value)) }
  /// Creates an amount from decimals.
  public init(stringLiteral value: String) { self.init(decimal: value) }

  /// The amount.
  public var description: String {
    switch value {
    case .number(let number): "\(number)"
    case .text(let text): text
    }
  }
}

/// A filter of an event: a facet and one of its values.
public struct InsightsFilter: Sendable, Hashable, CustomStringConvertible {
  private let facet: String
  /// The value, percent-encoded.
  private let encodedValue: String?

  /// Creates a filter from a facet and a value without percent-encoding. The value can contain any
  /// characters.
  public init(facet: String, value: String) {
    self.facet = facet
    encodedValue = PercentEncoding.encode(value)
  }

  /// Creates a filter from its encoded form, `facet:value` with a percent-encoded value, such as
  /// `discount:10%25`.
  public init(encoded text: String) {
    let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    facet = String(text[..<(colon ?? text.endIndex)])
    encodedValue = colon.map { String(Substring(text.utf8[$0...].dropFirst())) }
  }

  /// Creates a filter from a filter of a search.
  ///
  /// A number that a facet equals is the facet's value, as in a list of facets. An integer has no
  /// fraction. A tag is a value of `_tags`.
  ///
  /// - Throws: `invalidRequest` for a filter that is not a facet value: a negated filter, a
  ///   comparison of numbers or a range.
  public init(_ filter: Filter) throws(SearchError) {
    let value: String
    switch filter {
    case .facet(let facet): value = facet.value.text
    case .tag(let tag): value = tag.value
    case .numeric(let numeric):
      guard case .comparison(.equal, let number) = numeric.value, number.isFinite else {
        throw Self.unsupportedFilterError(filter)
      }
      value = number.plainNumber
    }
    guard !filter.isNegated else { throw Self.unsupportedFilterError(filter) }
    self.init(facet: filter.attribute.rawValue, value: value)
  }

  /// The filter as sent.
  public var description: String { facet + (encodedValue.map { ":" + $0 } ?? "") }

  /// The reason why the filter is invalid, or `nil` if it is valid.
  var validationMessage: String? {
    guard !facet.isEmpty, !facet.utf8.contains(UInt8(ascii: ":")) else {
      return "has an empty facet name, or one with a colon"
    }
    guard let encodedValue, !encodedValue.isEmpty else { return "has no value" }
    let isURLText = encodedValue.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    guard isURLText, PercentEncoding.decode(encodedValue) != nil else {
      return "has a value that is not percent-encoded"
    }
    return nil
  }

  private static func unsupportedFilterError(_ filter: Filter) -> SearchError {
    SearchError(
      .invalidRequest, "An event cannot name the filter \(filter): it is not a facet value.")
  }
}
