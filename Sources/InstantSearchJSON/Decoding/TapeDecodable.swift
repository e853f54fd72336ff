#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DecodingSession {
  /// Decodes a value of any type.
  ///
  /// Types that need no decoder are read from the tape. The others receive a decoder.
  package func value<T: Decodable>(_ type: T.Type, at index: Int, depth: Int) throws -> T {
    if type == String.self, let string = try string(at: index) as? T { return string }
    if type == [String].self,
      let strings = try [String](at: index, in: self, depth: depth) as? T
    {
      return strings
    }
    // An absent value has no node. `init(from:)` reads it as null.
    if let tapeType = tapeTypes.tapeType(of: type),
      index >= 0 || !(tapeType is any JSONNodeDecodable.Type),
      let value = try tapeType.init(at: index, in: self, depth: depth) as? T
    {
      return value
    }
    return try type.init(from: NodeDecoder(session: self, index: index, depth: depth))
  }
}

/// A type that reads itself from the tape without `Codable`. ``JSONValueDecoder`` uses this for
/// such types at any depth.
package protocol TapeDecodable: Decodable {
  /// Reads the value at an index of the tape of a session. Errors are `DecodingError`s with the
  /// value's coding path.
  init(at index: Int, in session: DecodingSession, depth: Int) throws
}

extension Bool: TapeDecodable {
  package init(at index: Int, in session: DecodingSession, depth: Int) throws {
    self = try session.bool(at: index)
  }
}

extension String: TapeDecodable {
  package init(at index: Int, in session: DecodingSession, depth: Int) throws {
    self = try session.string(at: index)
  }
}

extension Int: TapeDecodable {
  package init(at index: Int, in session: DecodingSession, depth: Int) throws {
    self = try session.integer(Int.self, at: index)
  }
}

extension Double: TapeDecodable {
  package init(at index: Int, in session: DecodingSession, depth: Int) throws {
    self = try session.double(at: index)
  }
}

extension Array: TapeDecodable where Element: Decodable {
  package init(at index: Int, in session: DecodingSession, depth: Int) throws {
    let word = try session.arrayWord(at: index)
    self.init()
    reserveCapacity(word.size)
    var children = session.document.elements(at: index)
    while let element = children.nextElement(in: session.document) {
      append(try session.value(Element.self, at: element, depth: depth + 1))
    }
  }
}

/// Dictionaries keep the keys of the text, regardless of the key options.
extension Dictionary: TapeDecodable where Key == String, Value: Decodable {
  package init(at index: Int, in session: DecodingSession, depth: Int) throws {
    let word = try session.objectWord(at: index)
    session.markDictionary(at: index)
    let document = session.document
    self.init()
    reserveCapacity(word.size)
    var children = document.members(at: index)
    while let value = children.next(in: document) {
      self[document.key(of: value)] = try session.value(Value.self, at: value, depth: depth + 1)
    }
  }
}

extension Date: TapeDecodable {
  package init(at index: Int, in session: DecodingSession, depth: Int) throws {
    guard !session.isNull(at: index) else { throw session.nullOrMismatch(Date.self, at: index) }
    switch session.options.dates {
    case .deferredToDate:
      self = try Date(from: NodeDecoder(session: session, index: index, depth: depth))
    case .secondsSince1970:
      self = Date(timeIntervalSince1970: try session.double(at: index))
    case .millisecondsSince1970:
      self = Date(timeIntervalSince1970: try session.double(at: index) / 1000)
    case .iso8601:
      guard let date = ISO8601.date(from: try session.string(at: index)) else {
        throw session.corrupted("Expected date string to be ISO8601-formatted.", at: index)
      }
      self = date
    case .custom(let read):
      self = try read(NodeDecoder(session: session, index: index, depth: depth))
    }
  }
}

extension Data: TapeDecodable {
  package init(at index: Int, in session: DecodingSession, depth: Int) throws {
    guard let data = Data(base64Encoded: try session.string(at: index, for: Data.self)) else {
      throw session.corrupted("Encountered Data is not valid Base64.", at: index)
    }
    self = data
  }
}

extension URL: TapeDecodable {
  package init(at index: Int, in session: DecodingSession, depth: Int) throws {
    guard let url = URL(string: try session.string(at: index, for: URL.self)) else {
      throw session.corrupted("Invalid URL string.", at: index)
    }
    self = url
  }
}

extension Decimal: TapeDecodable {
  package init(at index: Int, in session: DecodingSession, depth: Int) throws {
    guard let text = session.node(at: index).numberText else {
      throw session.nullOrMismatch(Decimal.self, at: index)
    }
    guard let value = Decimal(string: text), !value.isNaN else {
      throw session.corrupted("Number \(text.prefix(100)) does not fit in Decimal.", at: index)
    }
    self = value
  }
}

extension DecodingSession {
  /// The string from which a value of another type is created. For `null` it throws the error of a
  /// missing value of that type.
  fileprivate func string(at index: Int, for type: Any.Type) throws -> String {
    guard !isNull(at: index) else { throw nullOrMismatch(type, at: index) }
    return try string(at: index)
  }
}
