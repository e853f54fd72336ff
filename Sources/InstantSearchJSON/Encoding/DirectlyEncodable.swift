#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension EncodingNode {
  /// Encodes the root value, which must encode something.
  func encodeRoot<T: Encodable>(_ value: T) throws {
    if try writeDirectly(value, key: nil) { return }
    sortsMembers = value is any UnorderedMembers
    try value.encode(to: self)
    if state == .empty {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: [], debugDescription: "Top-level \(T.self) did not encode any values."))
    }
    finish()
  }

  /// Encodes a value at the sink's position: after a key, as an element, or alone.
  func encodeValue<T: Encodable>(_ value: T, key: (any CodingKey)?) throws {
    if try writeDirectly(value, key: key) { return }
    let child = EncodingNode(session: session, sink: sink, parent: self, key: key)
    child.sortsMembers = value is any UnorderedMembers
    try value.encode(to: child)
    child.finish()
  }

  /// Writes a value that needs no encoder. Returns false for other values.
  private func writeDirectly<T: Encodable>(_ value: T, key: (any CodingKey)?) throws -> Bool {
    switch session.strategy(of: T.self) {
    case .encoder: return false
    case .string:
      guard let text = value as? String else { return false }
      sink.writer.string(text)
    case .writable:
      guard let value = value as? any JSONWritable else { return false }
      try value.write(to: &sink.writer, check: session.check)
    case .direct:
      guard let value = value as? any DirectlyEncodable else { return false }
      try value.write(to: self, key: key)
    }
    return true
  }

  /// Writes a floating-point number, or the replacement that the options specify.
  func writeFloat<T: BinaryFloatingPoint & Encodable & LosslessStringConvertible>(
    _ value: T, key: (any CodingKey)?
  ) throws {
    if value.isFinite { return sink.writer.number(value.description) }
    switch session.options.nonConformingFloats {
    case .strings(let positive, let negative, let nan):
      sink.writer.string(value.isNaN ? nan : value < 0 ? negative : positive)
    case .throw:
      let name = value.isNaN ? "nan" : value < 0 ? "-infinity" : "infinity"
      throw invalid(value, key: key, "Unable to encode \(T.self).\(name) directly in JSON.")
    }
  }

  /// An error about a value inside this one.
  func invalid(_ value: Any, key: (any CodingKey)?, _ message: String) -> EncodingError {
    .invalidValue(
      value,
      EncodingError.Context(
        codingPath: codingPath + (key.map { [$0] } ?? []), debugDescription: message))
  }
}

/// A type of the standard library or Foundation that is written without its `encode(to:)`.
protocol DirectlyEncodable {
  /// Writes the value at the position of the node's sink.
  func write(to node: EncodingNode, key: (any CodingKey)?) throws
}

extension String: DirectlyEncodable {
  func write(to node: EncodingNode, key: (any CodingKey)?) { node.sink.writer.string(self) }
}

extension Bool: DirectlyEncodable {
  func write(to node: EncodingNode, key: (any CodingKey)?) { node.sink.writer.bool(self) }
}

extension Int: DirectlyEncodable {
  func write(to node: EncodingNode, key: (any CodingKey)?) { node.sink.writer.int(self) }
}

extension Double: DirectlyEncodable {
  func write(to node: EncodingNode, key: (any CodingKey)?) throws {
    try node.writeFloat(self, key: key)
  }
}

extension Array: DirectlyEncodable where Element: Encodable {
  func write(to node: EncodingNode, key: (any CodingKey)?) throws {
    let child = EncodingNode(session: node.session, sink: node.sink, parent: node, key: key)
    _ = child.array()
    for element in self { try child.encodeValue(element, key: try child.beginElement()) }
    child.finish()
  }
}

/// Dictionaries keep their keys, regardless of the key options, and are sorted by key.
extension Dictionary: DirectlyEncodable where Key == String, Value: Encodable {
  func write(to node: EncodingNode, key: (any CodingKey)?) throws {
    let child = EncodingNode(session: node.session, sink: node.sink, parent: node, key: key)
    _ = child.object()
    let session = node.session
    let members = try sorted { left, right in
      try session.countValue()
      return left.key < right.key
    }
    for (name, value) in members {
      try child.session.countValue()
      child.sink.writer.key(name)
      try child.encodeValue(value, key: JSONCodingKey(stringValue: name))
    }
    child.finish()
  }
}

/// A type whose members have no meaningful order: a dictionary whose keys are not strings. If it
/// becomes an object, its members are sorted.
private protocol UnorderedMembers {}
extension Dictionary: UnorderedMembers {}

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
