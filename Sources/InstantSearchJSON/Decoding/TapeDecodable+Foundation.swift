#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
  /// The string a value of another type is made from; `null` is reported as a lack of that type.
  fileprivate func string(at index: Int, for type: Any.Type) throws -> String {
    guard !isNull(at: index) else { throw nullOrMismatch(type, at: index) }
    return try string(at: index)
  }
}
