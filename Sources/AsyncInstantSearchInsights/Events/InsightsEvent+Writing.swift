import InstantSearchJSON

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension InsightsEvent {
  /// The client's values for members that an event does not set.
  struct Defaults: Sendable {
    var userToken: String
    var authenticatedUserToken: String?
  }

  /// An event as stored and sent.
  struct EncodedEvent {
    /// Milliseconds since 1970.
    var timestamp: Int64
    /// The event as a JSON object. Several objects if it has more records or filters than the
    /// service allows in one.
    var parts: [[UInt8]]
  }

  /// Checks and encodes an event.
  ///
  /// - Throws: `invalidRequest` that names the event and the member.
  func encoded(with defaults: Defaults, at now: Date) throws(SearchError) -> EncodedEvent {
    let userToken = userToken ?? defaults.userToken
    let authenticatedUserToken = authenticatedUserToken ?? defaults.authenticatedUserToken
    try validate(userToken: userToken, authenticatedUserToken: authenticatedUserToken)
    let timestamp = try milliseconds(at: now)
    let parts = subject.parts.map { part in
      json(of: part, userToken, authenticatedUserToken, timestamp)
    }
    return EncodedEvent(timestamp: timestamp, parts: parts)
  }

  private func json(
    of subject: Subject, _ userToken: String, _ authenticatedUserToken: String?, _ timestamp: Int64
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("eventType", action.eventType)
    if let eventSubtype = action.eventSubtype { writer.member("eventSubtype", eventSubtype) }
    writer.member("eventName", name)
    writer.member("index", indexName)
    writer.member("userToken", userToken)
    if let authenticatedUserToken {
      writer.member("authenticatedUserToken", authenticatedUserToken)
    }
    writer.key("timestamp")
    writer.int(timestamp)
    write(subject, to: &writer)
    if let currency { writer.member("currency", currency) }
    if let value {
      writer.key("value")
      value.write(to: &writer)
    }
    writer.endObject()
    return writer.bytes
  }

  private func write(_ subject: Subject, to writer: inout JSONWriter) {
    switch subject {
    case .filters(let filters):
      writer.list("filters", filters.map(\.description))
    case .clickedHits(let objectIDs, let positions, let queryID):
      writer.list("objectIDs", objectIDs)
      writer.key("positions")
      writer.beginArray()
      for position in positions { writer.int(position) }
      writer.endArray()
      writer.member("queryID", queryID)
    case .objects(let items):
      writer.list("objectIDs", items.map(\.objectID))
      // In a purchase each record has its own search. In other events all records share one.
      let isPurchase = action == .purchase
      if !isPurchase, let queryID = items.first?.queryID { writer.member("queryID", queryID) }
      guard items.contains(where: { $0.hasData(withQueryID: isPurchase) }) else { return }
      writer.key("objectData")
      writer.beginArray()
      for item in items { item.writeData(to: &writer, withQueryID: isPurchase) }
      writer.endArray()
    }
  }
}

extension InsightsEvent.Subject {
  /// The maximum number of records or filters in one event.
  static let limit = 20

  /// The same subjects in chunks that the service allows, in order.
  fileprivate var parts: [Self] {
    func slices(_ count: Int) -> [Range<Int>] {
      stride(from: 0, to: count, by: Self.limit).map { $0..<min($0 + Self.limit, count) }
    }
    switch self {
    case .objects(let items): return slices(items.count).map { .objects(Array(items[$0])) }
    case .filters(let filters): return slices(filters.count).map { .filters(Array(filters[$0])) }
    case .clickedHits(let objectIDs, let positions, let queryID):
      return slices(objectIDs.count).map {
        .clickedHits(
          objectIDs: Array(objectIDs[$0]), positions: Array(positions[$0]), queryID: queryID)
      }
    }
  }
}

extension InsightsEvent.Action {
  /// Whether several events are equivalent to one.
  ///
  /// Views and clicks count for each record. A conversion counts once, and its value is the total
  /// of all its records.
  var isDivisible: Bool { self == .click || self == .view }

  fileprivate var eventType: String {
    switch self {
    case .click: "click"
    case .conversion, .addToCart, .purchase: "conversion"
    case .view: "view"
    }
  }

  fileprivate var eventSubtype: String? {
    self == .addToCart || self == .purchase ? rawValue : nil
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ key: String, _ text: String) {
    self.key(key)
    string(text)
  }

  fileprivate mutating func list(_ key: String, _ texts: [String]) {
    self.key(key)
    beginArray()
    for text in texts { string(text) }
    endArray()
  }
}
