import InstantSearchJSON

/// The properties of a request that determine its response.
struct CacheKey: Sendable, Hashable {
  private let method: Endpoint.Method
  /// Percent-encoded, so that canonically equivalent index names differ, as in the service.
  private let path: String
  private let fields: RequestFields
  private let body: [UInt8]
  private let rights: CallRights

  init(_ request: TransportRequest, leavingOut names: IgnoredNames) {
    method = request.endpoint.method
    path = request.endpoint.path
    fields = RequestFields(of: request, leavingOut: names.fields)
    body = names.cacheKeyBody(of: request)
    rights = request.rights
  }

  /// The size of the key in the cache.
  var byteCount: Int {
    path.utf8.count + fields.byteCount + body.count
  }
}

extension CacheKey: CustomStringConvertible, CustomReflectable {
  /// The size of the key, without its contents.
  var description: String { "\(byteCount) bytes" }

  /// A mirror of the description.
  var customMirror: Mirror { Mirror(self, children: ["byteCount": byteCount]) }
}

/// The names of the fields and members that do not affect a response and are left out of cache
/// keys.
struct IgnoredNames: Sendable {
  /// The names of headers and query items, in lower case.
  let fields: Set<String>
  /// The names of members of a body, in their exact spelling.
  private let members: Set<String>
  /// The same names as the bytes that follow the opening quote.
  private let searched: [[UInt8]]

  /// Creates the set from the caller's names and the names that are always ignored.
  init(_ names: Set<String>) {
    fields = Set(names.map { $0.lowercased() })
      .union(RequestFields.requestIDNames)
      .union(RequestFields.agentNames)
      .union(RequestFields.traceNames)
    members = names
    searched = names.map { Array($0.utf8) + [UInt8(ascii: "\"")] }
  }

  /// Returns the body of a call without the ignored members of its object and of each query of a
  /// multi-query.
  ///
  /// - Complexity: O(length of the body). The body is parsed only if it contains one of the names.
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

  /// Writes the members that are not ignored, including members of the objects in the list
  /// `listName`.
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

/// The headers and query items of a call that can affect its response.
///
/// Header names are compared without regard to case, and the order of fields with different names
/// is ignored. Values are compared byte by byte, because the service distinguishes canonically
/// equivalent strings. Keys and user tokens are included, because different keys may see different
/// records.
struct RequestFields: Sendable, Hashable {
  private let headers: [HTTPHeader]
  private let queryItems: [QueryItem]

  /// Creates the fields of a call, except the given lowercase names.
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

  static func == (first: Self, second: Self) -> Bool {
    first.headers.elementsEqual(second.headers) {
      $0.name == $1.name && $0.value.utf8.elementsEqual($1.value.utf8)
    }
      && first.queryItems.elementsEqual(second.queryItems) {
        $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.utf8.elementsEqual($1.value.utf8)
      }
  }

  /// The length of all names and values.
  var byteCount: Int {
    headers.reduce(0) { $0 + $1.byteCount }
      + queryItems.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
  }

  /// The names of a request ID, as a header and as a query item.
  static let requestIDNames: Set<String> = ["request-id", "x-algolia-request-id"]
  /// The names of the user agent, as a header and as a query item.
  static let agentNames: Set<String> = ["user-agent", "x-algolia-agent"]
  /// The names of distributed-tracing headers.
  static let traceNames: Set<String> = ["traceparent", "tracestate", "baggage"]
}

extension RequestFields: CustomStringConvertible, CustomReflectable {
  /// The names only, because values may be secret.
  var description: String { "\(headers.map(\.name)) \(queryItems.map(\.name))" }

  /// A mirror of the description.
  var customMirror: Mirror {
    Mirror(self, children: ["headers": headers.map(\.name), "queryItems": queryItems.map(\.name)])
  }
}

extension TransportRequest {
  /// Whether the caller gave the call a request ID.
  var hasOwnRequestID: Bool {
    headers.contains { RequestFields.requestIDNames.contains($0.name.lowercased()) }
      || queryItems.contains { RequestFields.requestIDNames.contains($0.name.lowercased()) }
  }
}

extension HTTPHeader {
  /// The length of the name and the value in bytes.
  var byteCount: Int { name.utf8.count + value.utf8.count }
}

extension Array {
  /// Sorts by name. Fields with the same name keep their order, which is significant.
  fileprivate func sortedByName(_ name: (Element) -> String) -> [Element] {
    enumerated()
      .sorted { (name($0.element), $0.offset) < (name($1.element), $1.offset) }
      .map(\.element)
  }
}
