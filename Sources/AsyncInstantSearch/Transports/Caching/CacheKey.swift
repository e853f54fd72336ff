/// What two calls must have in common to have one answer.
struct CacheKey: Sendable, Hashable {
  private let endpoint: Endpoint
  private let fields: CallFields
  private let body: [UInt8]

  init(_ request: TransportRequest, leavingOut names: IgnoredNames) {
    endpoint = request.endpoint
    fields = CallFields(of: request, leavingOut: names.fields)
    body = names.remainder(ofBodyOf: request)
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
