import AsyncInstantSearch
import InstantSearchJSON

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension InsightsEvent {
  /// What an event takes from the client where it says nothing itself.
  struct Defaults: Sendable {
    var userToken: String
    var authenticatedUserToken: String?
  }

  /// An event as it is kept and sent.
  struct Written {
    /// Milliseconds since 1970.
    var timestamp: Int64
    var json: [UInt8]
  }

  /// Checks an event and writes it.
  ///
  /// - Throws: `invalidRequest` that names the event and the member.
  func written(_ defaults: Defaults, at now: Date) throws(SearchError) -> Written {
    let userToken = userToken ?? defaults.userToken
    let authenticatedUserToken = authenticatedUserToken ?? defaults.authenticatedUserToken
    try validate(userToken: userToken, authenticatedUserToken: authenticatedUserToken)
    let timestamp = try milliseconds(at: now)
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
    writeSubject(to: &writer)
    if let currency { writer.member("currency", currency) }
    if let value {
      writer.key("value")
      value.write(to: &writer)
    }
    writer.endObject()
    return Written(timestamp: timestamp, json: writer.bytes)
  }

  private func writeSubject(to writer: inout JSONWriter) {
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
      // Of a purchase each record has its own search, of anything else all have one.
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

extension InsightsEvent.Action {
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
