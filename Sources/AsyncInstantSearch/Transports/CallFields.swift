/// The headers and query items of a call that can make a difference to its answer.
///
/// The names of headers count without regard to case, and the order of fields with different names
/// not at all. Keys and user tokens are among them, as different keys may see different records.
struct CallFields: Sendable, Hashable {
  private let headers: [HTTPHeader]
  private let queryItems: [QueryItem]

  /// Takes the fields of a call but those of some names, which are given in lower case.
  init(of request: TransportRequest, leavingOut names: Set<String>) {
    headers =
      request.headers
      .map { HTTPHeader(name: $0.name.lowercased(), value: $0.value) }
      .filter { !names.contains($0.name) }
      .sortedByName(\.name)
    queryItems = request.queryItems
      .filter { !names.contains($0.name.lowercased()) }
      .sortedByName(\.name)
  }

  /// The length of all names and values.
  var byteCount: Int {
    headers.reduce(0) { $0 + $1.byteCount }
      + queryItems.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
  }

  /// The ID of a call, as a header and as a query item.
  static let requestIDNames: Set<String> = ["request-id", "x-algolia-request-id"]
  /// Who makes the call, as a header and as a query item.
  static let agentNames: Set<String> = ["user-agent", "x-algolia-agent"]
  /// What traces of calls through several services go by.
  static let traceNames: Set<String> = ["traceparent", "tracestate", "baggage"]
}

extension CallFields: CustomStringConvertible, CustomReflectable {
  /// The names only; values may be secret.
  var description: String { "\(headers.map(\.name)) \(queryItems.map(\.name))" }

  /// A mirror of what the description shows.
  var customMirror: Mirror {
    Mirror(self, children: ["headers": headers.map(\.name), "queryItems": queryItems.map(\.name)])
  }
}

extension TransportRequest {
  /// Whether the caller gave the call an ID of its own.
  var hasOwnRequestID: Bool {
    headers.contains { CallFields.requestIDNames.contains($0.name.lowercased()) }
      || queryItems.contains { CallFields.requestIDNames.contains($0.name.lowercased()) }
  }
}

extension HTTPHeader {
  /// The length of name and value.
  var byteCount: Int { name.utf8.count + value.utf8.count }
}

extension Array {
  /// Sorts by name; fields of one name keep their order, which has a meaning.
  fileprivate func sortedByName(_ name: (Element) -> String) -> [Element] {
    enumerated()
      .sorted { (name($0.element), $0.offset) < (name($1.element), $1.offset) }
      .map(\.element)
  }
}
