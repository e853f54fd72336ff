import InstantSearchJSON

/// What two calls must have in common to have one answer.
struct CacheKey: Sendable, Hashable {
  private let endpoint: Endpoint
  private let fields: RequestFields
  private let body: [UInt8]

  init(_ request: TransportRequest, leavingOut names: IgnoredNames) {
    endpoint = request.endpoint
    fields = RequestFields(of: request, leavingOut: names.fields)
    body = names.cacheKeyBody(of: request)
  }

  /// How much of the cache the key takes.
  var byteCount: Int {
    endpoint.pathComponents.reduce(fields.byteCount + body.count) { $0 + $1.utf8.count }
  }
}

extension CacheKey: CustomStringConvertible, CustomReflectable {
  /// How long the key is, and nothing of what is in it.
  var description: String { "\(byteCount) bytes" }

  /// A mirror of what the description shows.
  var customMirror: Mirror { Mirror(self, children: ["byteCount": byteCount]) }
}

/// The names of what makes no difference to an answer, so that a cache leaves it out of its keys.
struct IgnoredNames: Sendable {
  /// Names of headers and query items, in lower case.
  let fields: Set<String>
  /// Names of members of a body, as they are written there.
  private let members: Set<String>
  /// The same, as the bytes that follow the first quote of such a name.
  private let searched: [[UInt8]]

  /// Takes the names that a caller gives, beside which there are those of fields that never count.
  init(_ names: Set<String>) {
    fields = Set(names.map { $0.lowercased() })
      .union(RequestFields.requestIDNames)
      .union(RequestFields.agentNames)
      .union(RequestFields.traceNames)
    members = names
    searched = names.map { Array($0.utf8) + [UInt8(ascii: "\"")] }
  }

  /// The body of a call without the members that make no difference: those of the object that it
  /// is, and those of each query of a multi-query.
  ///
  /// - Complexity: O(length of the body). It is read as JSON only when one of the names is in it.
  func cacheKeyBody(of request: TransportRequest) -> [UInt8] {
    let body = request.body
    guard isAnyNamed(in: body), let root = (try? JSONDocument(body))?.root, root.kind == .object
    else { return body }
    var writer = JSONWriter(capacity: body.count)
    write(root, reducing: request.endpoint == .multiQuery ? "requests" : nil, to: &writer)
    return writer.bytes
  }

  private func isAnyNamed(in body: [UInt8]) -> Bool {
    if searched.isEmpty { return false }
    var rest = body[...]
    while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
      rest = rest[(quote + 1)...]
      if searched.contains(where: { rest.starts(with: $0) }) { return true }
    }
    return false
  }

  /// Writes the members of an object that count, and of the objects in its list of a name likewise.
  private func write(
    _ object: JSONNode, reducing listName: String? = nil, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    for member in object.members {
      let key = member.key
      if members.contains(key) { continue }
      writer.key(key)
      guard key == listName, member.value.kind == .array else {
        writer.raw(member.value)
        continue
      }
      writer.beginArray()
      for element in member.value.elements {
        if element.kind == .object { write(element, to: &writer) } else { writer.raw(element) }
      }
      writer.endArray()
    }
    writer.endObject()
  }
}

/// The headers and query items of a call that can make a difference to its answer.
///
/// The names of headers count without regard to case, and the order of fields with different names
/// not at all. Keys and user tokens are among them, as different keys may see different records.
struct RequestFields: Sendable, Hashable {
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

extension RequestFields: CustomStringConvertible, CustomReflectable {
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
    headers.contains { RequestFields.requestIDNames.contains($0.name.lowercased()) }
      || queryItems.contains { RequestFields.requestIDNames.contains($0.name.lowercased()) }
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
