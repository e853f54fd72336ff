import InstantSearchJSON

/// A record that was put into the cart or bought.
public struct InsightsItem: Sendable, Hashable {
  /// The record.
  public var objectID: String
  /// What one piece costs, discount taken off.
  public var price: InsightsAmount?
  /// How many pieces.
  public var quantity: Int?
  /// What was taken off the price of one piece.
  public var discount: InsightsAmount?
  /// The search that found the record; `nil` when none did.
  public var queryID: String?

  /// A record; what is not known is left out.
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

  /// A hit, with the search that found it.
  ///
  /// - Throws: `invalidRequest` when the hit has no query ID: the search was made without
  ///   `clickAnalytics`. A record that no search found is made of its ID.
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

  /// Whether there is more to say of the record than its ID.
  func hasData(withQueryID: Bool) -> Bool {
    price != nil || quantity != nil || discount != nil || withQueryID && queryID != nil
  }

  /// Writes what is known beside the ID.
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

/// An amount of money: a number, or a decimal text that no rounding touches.
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

  /// An amount as a number.
  public init(_ number: Double) { value = .number(number) }

  /// An amount as decimals such as `19.99`, at most 16 characters.
  public init(decimal text: String) { value = .text(text) }

  /// What is wrong with the amount; `nil` when nothing is.
  var validationMessage: String? {
    switch value {
    case .number(let number): return number.isFinite ? nil : "is no finite number"
    case .text(let text):
      if text.utf8.count > 16 { return "has more than 16 characters" }
      return Self.isDecimal(text) ? nil : "is no decimal number"
    }
  }

  func write(to writer: inout JSONWriter) {
    switch value {
    case .number(let number): writer.double(number)
    case .text(let text): writer.string(text)
    }
  }

  /// A sign or none, digits, and a point with more digits or none.
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
  /// An amount as a number.
  public init(floatLiteral value: Double) { self.init(value) }
  /// An amount as a number.
  public init(integerLiteral value: Int) { self.init(Double(value)) }
  /// An amount as decimals.
  public init(stringLiteral value: String) { self.init(decimal: value) }

  /// The amount.
  public var description: String {
    switch value {
    case .number(let number): "\(number)"
    case .text(let text): text
    }
  }
}

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
  var validationMessage: String? {
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
