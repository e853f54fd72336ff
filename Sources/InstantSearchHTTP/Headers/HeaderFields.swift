/// The header fields of one call, one for each name. Names compare without regard to case.
package struct HeaderFields: Sendable {
  /// The fields, in the order in which their names were first set.
  package private(set) var fields: [HTTPHeader] = []
  private var positions: [String: Int] = [:]

  /// Creates the fields that all calls of a transport have in common. Of several fields with the
  /// same name the last one wins.
  package init(_ headers: [HTTPHeader]) { merge(headers) }

  /// The value of a field.
  package subscript(name: String) -> String? {
    positions[name.lowercased()].map { fields[$0].value }
  }

  /// Sets a field. It replaces a field of the same name, including the spelling of the name.
  package mutating func set(_ name: String, to value: String) {
    let key = name.lowercased()
    if let position = positions[key] {
      fields[position] = HTTPHeader(name: name, value: value)
    } else {
      positions[key] = fields.count
      fields.append(HTTPHeader(name: name, value: value))
    }
  }

  /// Sets fields in order. Of several fields with the same name the last one wins.
  package mutating func merge(_ headers: [HTTPHeader]) {
    for header in headers { set(header.name, to: header.value) }
  }
}

extension HeaderFields {
  /// The maximum size of all names and values, in bytes. Servers accept between 8 and 64 KiB.
  static let maximumSize = 64 << 10

  /// Throws for a name that is repeated, is not a token or belongs to the connection, for a value
  /// with control characters, and for fields that are too long.
  ///
  /// A line break in a value would begin another header or another request. A wrong length would do
  /// the same to the next request on a kept connection. The message quotes no value, because it can
  /// be secret.
  static func validate(_ headers: [HTTPHeader]) throws(SearchError) {
    var names: Set<String> = []
    var size = 0
    for field in headers {
      size += field.name.utf8.count + field.value.utf8.count
      guard size <= maximumSize else {
        throw SearchError(
          .invalidRequest,
          "The headers are longer than \(maximumSize) bytes. Send fewer or shorter ones.")
      }
      let name = field.name.lowercased()
      guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else {
        throw SearchError(
          .invalidRequest, "\(field.name.debugDescription) is not a valid header name.")
      }
      guard !namesOfConnection.contains(name) else {
        throw SearchError(
          .invalidRequest,
          "The header \(field.name) cannot be set, because the HTTP exchange writes it. Leave it out."
        )
      }
      guard field.value.utf8.allSatisfy(isValueByte) else {
        throw SearchError(
          .invalidRequest, "The value of the header \(field.name) contains control characters.")
      }
      guard names.insert(name).inserted else {
        throw SearchError(
          .invalidRequest, "The header \(field.name) is set twice. Pass each name once.")
      }
    }
  }

  /// Fields that determine where a request goes, where it ends and what happens to its connection
  /// (RFC 9110, sections 7.2, 7.6.1, 8.6 and 10.1.1; RFC 9112, section 6).
  private static let namesOfConnection: Set<String> = [
    "connection", "content-length", "expect", "host", "http2-settings", "keep-alive",
    "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]

  /// `tchar` of RFC 9110.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  private static func isValueByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\t") || (byte >= 0x20 && byte != 0x7F)
  }
}
