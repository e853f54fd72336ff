/// The header fields of one call, one per name; names compare without regard to case.
struct HeaderFields: Sendable {
  /// The fields, in the order in which their names were first set.
  private(set) var fields: [HTTPHeader] = []
  private var positions: [String: Int] = [:]

  /// The header that carries the API key.
  static let apiKeyName = "x-algolia-api-key"
  /// The header that carries the application ID.
  static let appIDName = "x-algolia-application-id"

  /// Creates the fields that all calls of a transport have in common.
  ///
  /// Configured fields override the others, except the credentials: those are the transport's,
  /// which can replace its key.
  init(appID: String, userAgent: String, configured: [HTTPHeader]) {
    set(Self.appIDName, to: appID)
    set("Content-Type", to: "application/json")
    set("Accept", to: "application/json")
    set("User-Agent", to: userAgent)
    merge(
      configured.filter {
        ![Self.appIDName, Self.apiKeyName].contains($0.name.lowercased())
      })
  }

  /// The value of a field.
  subscript(name: String) -> String? {
    positions[name.lowercased()].map { fields[$0].value }
  }

  /// Sets a field; one of the same name gives way, spelling of the name included.
  mutating func set(_ name: String, to value: String) {
    let key = name.lowercased()
    if let position = positions[key] {
      fields[position] = HTTPHeader(name: name, value: value)
    } else {
      positions[key] = fields.count
      fields.append(HTTPHeader(name: name, value: value))
    }
  }

  /// Sets fields one by one; of several with one name the last stays.
  mutating func merge(_ headers: [HTTPHeader]) {
    for header in headers { set(header.name, to: header.value) }
  }

  /// Throws when a name is no token or belongs to the connection, or when a value has control
  /// characters.
  ///
  /// A line break in a value would begin another header, or another request; a length that is not
  /// that of the body does the same to what comes next on a kept connection. The message quotes no
  /// value, as it may be secret.
  func validate() throws(SearchError) {
    for field in fields {
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(Self.isTokenByte) else {
        throw SearchError(
          .invalidRequest, "\(field.name.debugDescription) is not the name of a header.")
      }
      guard !Self.namesOfConnection.contains(field.name.lowercased()) else {
        throw SearchError(
          .invalidRequest,
          "The header \(field.name) cannot be set: it describes the connection or how the body is sent, and the HTTP exchange writes it itself. Leave it out."
        )
      }
      guard field.value.utf8.allSatisfy(Self.isValueByte) else {
        throw SearchError(
          .invalidRequest, "The value of the header \(field.name) has control characters.")
      }
    }
  }

  /// Fields by which a request says where it goes, where it ends and what becomes of its connection
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

/// An API key that does not show itself: neither printing nor reflection gives it away.
struct APIKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The key, for the header that carries it and for nothing else.
  let plainText: String

  /// Wraps a key.
  init(_ plainText: String) {
    self.plainText = plainText
  }

  var isEmpty: Bool { plainText.isEmpty }

  var description: String { "<API key>" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// The ID by which the service knows all attempts of one call.
enum RequestID {
  /// The header that carries it.
  static let headerName = "Request-ID"

  /// Draws a new ID: 11 characters of `0-9A-Za-z`, the one form that the service reads.
  static func make(using generator: inout some RandomNumberGenerator) -> String {
    let bytes = (0..<11).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The ID that the caller sends in the query, where the service also looks for it.
  static func value(in queryItems: [QueryItem]) -> String? {
    queryItems.first { $0.name.lowercased() == "x-algolia-request-id" }?.value
  }

  private static let alphabet = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
}
