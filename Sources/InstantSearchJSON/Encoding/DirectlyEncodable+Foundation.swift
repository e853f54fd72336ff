#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Date: DirectlyEncodable {
  func write(to node: EncodingNode, key: (any CodingKey)?) throws {
    switch node.session.options.dates {
    case .deferredToDate: try node.writeFloat(timeIntervalSinceReferenceDate, key: key)
    case .secondsSince1970: try node.writeFloat(timeIntervalSince1970, key: key)
    case .millisecondsSince1970: try node.writeFloat(timeIntervalSince1970 * 1000, key: key)
    case .iso8601: node.sink.writer.string(ISO8601.text(from: self))
    case .custom(let write):
      let child = EncodingNode(session: node.session, sink: node.sink, parent: node, key: key)
      try write(self, child)
      child.finish()
    }
  }
}

extension Data: DirectlyEncodable {
  func write(to node: EncodingNode, key: (any CodingKey)?) {
    node.sink.writer.string(base64EncodedString())
  }
}

extension URL: DirectlyEncodable {
  func write(to node: EncodingNode, key: (any CodingKey)?) {
    node.sink.writer.string(absoluteString)
  }
}

extension Decimal: DirectlyEncodable {
  func write(to node: EncodingNode, key: (any CodingKey)?) throws {
    guard !isNaN else {
      throw node.invalid(self, key: key, "Unable to encode Decimal.nan directly in JSON.")
    }
    node.sink.writer.raw(description.utf8)
  }
}
