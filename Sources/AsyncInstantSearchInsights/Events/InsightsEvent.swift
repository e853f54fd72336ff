#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An action of a user: a click, view, conversion or purchase of records, or a choice of filters.
///
/// A function exists for each event of the service, so that an event has exactly the members that
/// it needs:
///
/// - A click: ``clicked(_:named:in:)-(Hit<T>,_,_)`` after a search,
///   ``clicked(objectIDs:named:in:)`` for records,
///   ``clicked(filters:named:in:)-([InsightsFilter],_,_)`` for filters.
/// - A conversion: ``converted(_:named:in:)-(Hit<T>,_,_)`` after a search,
///   ``converted(objectIDs:named:in:)`` for records,
///   ``converted(filters:named:in:)-([InsightsFilter],_,_)`` for filters.
/// - An addition to the cart: ``addedToCart(_:value:currency:named:in:)``.
/// - A purchase: ``purchased(_:value:currency:named:in:)``.
/// - A view: ``viewed(objectIDs:named:in:)`` for records,
///   ``viewed(filters:named:in:)-([InsightsFilter],_,_)`` for filters.
///
/// Creating an event only checks that hits contain their search. `track(_:)`
/// checks the rules of the service and rejects events that break one.
///
/// Neither the description nor the mirror of an event contains user tokens.
public struct InsightsEvent: Sendable, Hashable {
  /// The type of the action.
  enum Action: String, Sendable, Hashable {
    case click, conversion, addToCart, purchase, view
  }

  /// The subject of the action. An event has records or filters, and positions only with a query.
  enum Subject: Sendable, Hashable {
    case objects([InsightsItem])
    case clickedHits(objectIDs: [String], positions: [Int], queryID: String)
    case filters([InsightsFilter])
  }

  let action: Action
  let subject: Subject
  /// The event's name, 1 to 64 visible ASCII characters. Choose one for each action in your app.
  public var name: String
  /// The index of the records.
  public var indexName: String
  /// The user. `nil` (the default) means the client's token.
  public var userToken: String?
  /// The user, if signed in. `nil` (the default) means the client's token.
  public var authenticatedUserToken: String?
  /// The time of the action, within the last 30 days. `nil` (the default) means the time of
  /// tracking.
  public var timestamp: Date?

  /// The total price of all records, for a cart or a purchase.
  let value: InsightsAmount?
  /// The currency of all amounts, for a cart or a purchase. Required with an amount.
  let currency: String?

  init(
    _ action: Action, _ subject: Subject, named name: String, in indexName: String,
    value: InsightsAmount? = nil, currency: String? = nil
  ) {
    self.action = action
    self.subject = subject
    self.name = name
    self.indexName = indexName
    self.value = value
    self.currency = currency
  }

  /// Returns a copy with one property changed.
  ///
  /// ```swift
  /// let event = InsightsEvent.viewed(objectIDs: ["7"], named: "Film Opened", in: "films")
  ///   .setting(\.userToken, to: "visitor-42")
  /// ```
  public func setting<Value>(
    _ property: WritableKeyPath<InsightsEvent, Value>, to value: Value
  ) -> InsightsEvent {
    var copy = self
    copy[keyPath: property] = value
    return copy
  }
}

extension InsightsEvent: CustomStringConvertible, CustomReflectable {
  /// The type, the name and the index.
  public var description: String { "\(action.rawValue) \(name.debugDescription) in \(indexName)" }

  /// The parts of the description, and the subject.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "action": action.rawValue, "name": name, "indexName": indexName, "subject": subject,
        "timestamp": timestamp as Any,
      ],
      displayStyle: .struct)
  }
}

extension InsightsEvent {
  /// The maximum age of an event, in milliseconds: 30 days.
  static let lifetime: Int64 = 30 * 24 * 3_600_000

  /// Checks an event by the rules of the service, except the time.
  ///
  /// - Throws: `invalidRequest` that names the event and the member, without tokens.
  func validate(userToken: String, authenticatedUserToken: String?) throws(SearchError) {
    guard (1...64).contains(name.utf8.count),
      name.utf8.allSatisfy((UInt8(ascii: " ")...UInt8(ascii: "~")).contains)
    else {
      throw validationError("eventName must be 1 to 64 visible ASCII characters.")
    }
    if indexName.isEmpty { throw validationError("index is empty.") }
    try check("userToken", userToken)
    if let authenticatedUserToken {
      try check("authenticatedUserToken", authenticatedUserToken)
    }
    switch subject {
    case .filters(let filters): try check(filters)
    case .clickedHits(let objectIDs, let positions, let queryID):
      try check(objectIDs: objectIDs)
      try check(positions, count: objectIDs.count)
      try check(queryID: queryID)
    case .objects(let items): try check(items)
    }
    try check("value", value)
    if let currency, !Self.isCurrency(currency) {
      throw validationError("currency must be three letters, such as EUR.")
    }
    if currency == nil, let member = firstAmount {
      throw validationError("\(member) has no currency; set the event's currency, such as EUR.")
    }
  }

  /// The name of the first member that is an amount of money.
  private var firstAmount: String? {
    if value != nil { return "value" }
    guard case .objects(let items) = subject else { return nil }
    for (index, item) in items.enumerated() {
      if item.price != nil { return "objectData[\(index)].price" }
      if item.discount != nil { return "objectData[\(index)].discount" }
    }
    return nil
  }

  /// The time of the action, in milliseconds since 1970.
  func milliseconds(at now: Date) throws(SearchError) -> Int64 {
    func milliseconds(_ date: Date) -> Int64? {
      Int64(exactly: (date.timeIntervalSince1970 * 1_000).rounded(.down))
    }
    guard let timestamp = milliseconds(timestamp ?? now), let now = milliseconds(now) else {
      throw validationError("timestamp is out of range.")
    }
    let (age, isFar) = now.subtractingReportingOverflow(timestamp)
    guard timestamp >= 0, !isFar, age <= Self.lifetime else {
      throw validationError("timestamp is more than 30 days ago.")
    }
    return timestamp
  }

  private func validationError(_ text: String) -> SearchError {
    var error = Self.validationError(name, text)
    if !indexName.isEmpty { error.indexName = indexName }
    return error
  }

  private func check(_ member: String, _ token: String) throws(SearchError) {
    guard InsightsUserToken.isValid(token) else {
      throw validationError(
        "\(member) must be 1 to 129 characters, each of them a letter or digit of ASCII or one of _=/+-."
      )
    }
  }

  private func check(_ filters: [InsightsFilter]) throws(SearchError) {
    try check(count: filters.count, of: "filters")
    for (index, filter) in filters.enumerated() {
      if let validationMessage = filter.validationMessage {
        throw validationError("filters[\(index)] \(validationMessage).")
      }
    }
  }

  private func check(objectIDs: [String]) throws(SearchError) {
    try check(count: objectIDs.count, of: "objectIDs")
    if let index = objectIDs.firstIndex(of: "") {
      throw validationError("objectIDs[\(index)] is empty.")
    }
  }

  private func check(_ positions: [Int], count: Int) throws(SearchError) {
    guard positions.count == count else {
      throw validationError("positions has \(positions.count) elements for \(count) objectIDs.")
    }
    if let index = positions.firstIndex(where: { $0 < 1 }) {
      throw validationError("positions[\(index)] is \(positions[index]); positions count from 1.")
    }
  }

  private func check(_ items: [InsightsItem]) throws(SearchError) {
    try check(objectIDs: items.map(\.objectID))
    for (index, item) in items.enumerated() {
      try check("objectData[\(index)].price", item.price)
      try check("objectData[\(index)].discount", item.discount)
      if let queryID = item.queryID { try check(queryID: queryID) }
    }
    if action != .purchase, Set(items.map(\.queryID)).count > 1 {
      throw validationError(
        "queryID is not the same for all objectIDs; track one event for each search.")
    }
  }

  private func check(count: Int, of member: String) throws(SearchError) {
    let limit = Subject.limit
    guard count >= 1 else {
      throw validationError("\(member) has 0 elements; at least 1 is needed.")
    }
    guard count <= limit || action.isDivisible else {
      throw validationError(
        "\(member) has \(count) elements; 1 to \(limit) are allowed. What is counted once, with one value, is not divided: track an event for each \(limit), each with its own value."
      )
    }
  }

  private func check(_ member: String, _ amount: InsightsAmount?) throws(SearchError) {
    if let validationMessage = amount?.validationMessage {
      throw validationError("\(member) \(validationMessage).")
    }
  }

  /// 32 lower-case hexadecimal digits, or the ID of a response in a conversation.
  private func check(queryID: String) throws(SearchError) {
    let prefix = "message_"
    let isMessage = queryID.hasPrefix(prefix) && queryID.utf8.count > prefix.utf8.count
    let isHexadecimal =
      queryID.utf8.count == 32 && queryID.utf8.allSatisfy("0123456789abcdef".utf8.contains)
    guard isMessage || isHexadecimal else {
      throw validationError(
        "queryID must be 32 lower-case hexadecimal digits, or begin with message_.")
    }
  }

  private static func isCurrency(_ text: String) -> Bool {
    text.utf8.count == 3 && text.utf8.allSatisfy(\.isASCIILetter)
  }
}

/// Creates and checks user tokens.
public enum InsightsUserToken: Sendable {
  /// Creates a token for an anonymous user, such as `anonymous-7c0d…`, from 128 random bits.
  ///
  /// Store it, so that the user has the same token in later sessions.
  public static func anonymous(
    using generator: inout some RandomNumberGenerator
  ) -> String {
    let digits = (0..<32).map { _ in String(Int.random(in: 0..<16, using: &generator), radix: 16) }
    return "anonymous-" + digits.joined()
  }

  /// Creates a token for an anonymous user from the system's random numbers.
  public static func anonymous() -> String {
    var generator = SystemRandomNumberGenerator()
    return anonymous(using: &generator)
  }

  /// Whether a text is a valid token: 1 to 129 ASCII letters, digits, `_`, `=`, `/`, `+` and `-`.
  public static func isValid(_ token: String) -> Bool {
    (1...129).contains(token.utf8.count)
      && token.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "_=/+-".utf8.contains($0) }
  }
}
