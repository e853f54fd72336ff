import Tracing

/// The message `ExportTraceServiceRequest` of OpenTelemetry's protocol, in protobuf.
///
/// Source: the definitions in `opentelemetry/proto/trace/v1/trace.proto`. The numbers are those of
/// their fields.
enum OTLPMessage {
  static func bytes(of spans: ArraySlice<FinishedSpan>, from service: String) -> [UInt8] {
    var resource = Protobuf()
    resource.write(1, attribute("service.name", .string(service)))
    var scope = Protobuf()
    scope.write(1, "async-instantsearch")
    var scopeSpans = Protobuf()
    scopeSpans.write(1, scope)
    for span in spans { scopeSpans.write(2, message(of: span)) }
    var resourceSpans = Protobuf()
    resourceSpans.write(1, resource)
    resourceSpans.write(2, scopeSpans)
    var request = Protobuf()
    request.write(1, resourceSpans)
    return request.bytes
  }

  private static func message(of span: FinishedSpan) -> Protobuf {
    var message = Protobuf()
    message.write(1, span.trace.traceID)
    message.write(2, span.trace.spanID)
    if let state = span.trace.state { message.write(3, state) }
    if let parentID = span.parentID { message.write(4, parentID) }
    message.write(5, span.name)
    message.write(6, UInt64(number(of: span.kind)))
    message.writeFixed(7, span.start)
    message.writeFixed(8, max(span.start, span.end))
    span.attributes.forEach { message.write(9, attribute($0, $1)) }
    for event in span.events {
      var part = Protobuf()
      part.writeFixed(1, event.nanosecondsSinceEpoch)
      part.write(2, event.name)
      event.attributes.forEach { part.write(3, attribute($0, $1)) }
      message.write(11, part)
    }
    if let status = span.status {
      var part = Protobuf()
      if let text = status.message { part.write(2, text) }
      part.write(3, status.code == .ok ? 1 : 2)
      message.write(15, part)
    }
    return message
  }

  private static func number(of kind: SpanKind) -> Int {
    switch kind {
    case .internal: 1
    case .server: 2
    case .client: 3
    case .producer: 4
    case .consumer: 5
    }
  }

  private static func attribute(_ key: String, _ attribute: SpanAttribute) -> Protobuf {
    var value = Protobuf()
    switch attribute {
    case .bool(let flag): value.write(2, flag ? 1 : 0)
    case .int32(let number): value.write(3, UInt64(bitPattern: Int64(number)))
    case .int64(let number): value.write(3, UInt64(bitPattern: number))
    case .double(let number): value.writeFixed(4, number.bitPattern)
    case .string(let text): value.write(1, text)
    case .stringConvertible(let other): value.write(1, "\(other)")
    default: value.write(1, "\(attribute)")
    }
    var pair = Protobuf()
    pair.write(1, key)
    pair.write(2, value)
    return pair
  }
}

/// Writes a message of protobuf.
private struct Protobuf {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ field: Int, _ number: UInt64) {
    append(UInt64(field << 3))
    append(number)
  }

  mutating func writeFixed(_ field: Int, _ number: UInt64) {
    append(UInt64(field << 3 | 1))
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  mutating func write(_ field: Int, _ content: some Collection<UInt8>) {
    append(UInt64(field << 3 | 2))
    append(UInt64(content.count))
    bytes += content
  }

  mutating func write(_ field: Int, _ text: String) { write(field, Array(text.utf8)) }
  mutating func write(_ field: Int, _ message: Protobuf) { write(field, message.bytes) }

  private mutating func append(_ varint: UInt64) {
    var rest = varint
    while rest > 127 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
