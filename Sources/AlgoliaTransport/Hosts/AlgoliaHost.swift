public import AsyncInstantSearch

/// A host that answers the REST contract.
public struct AlgoliaHost: Sendable, Hashable, CustomStringConvertible {
  /// How a host is spoken to.
  public enum Scheme: String, Sendable, Hashable {
    /// In clear text: for a server on the same machine or behind the same wall.
    case http
    /// Over TLS.
    case https
  }

  /// The name or address, such as `search.example.com`, `127.0.0.1` or `::1`.
  public var name: String

  /// The scheme; HTTPS by default.
  public var scheme: Scheme

  /// The port; `nil`, the default, means the scheme's.
  public var port: Int?

  /// The calls the host takes; both by default.
  public var callTypes: Set<TransportRequest.CallType>

  /// Creates a host.
  public init(
    _ name: String,
    scheme: Scheme = .https,
    port: Int? = nil,
    callTypes: Set<TransportRequest.CallType> = [.read, .write]
  ) {
    self.name = name
    self.scheme = scheme
    self.port = port
    self.callTypes = callTypes
  }

  /// The host as it stands in a URL, with the port where one is set.
  public var description: String {
    let host = name.utf8.contains(UInt8(ascii: ":")) ? "[\(name)]" : name
    return port.map { "\(host):\($0)" } ?? host
  }

  /// The URL of the host's root, without a slash at the end.
  var origin: String { "\(scheme.rawValue)://\(description)" }
}

extension AlgoliaHost {
  /// What keeps the host out of a URL; `nil` when nothing does.
  ///
  /// A name is held to the characters of names and addresses, as the key is sent to whatever host
  /// the URL then means: `example.com/`, `user@example.com` and the like are refused.
  var complaint: String? {
    if name.isEmpty { return "A host has no name." }
    if name.utf8.contains(UInt8(ascii: ":")) {
      if !isAddress {
        return
          "The host name \(name.debugDescription) is no IPv6 address, and no other name has colons; scheme and port are given apart."
      }
    } else if !name.utf8.allSatisfy({ Self.isLabelByte($0) || $0 == UInt8(ascii: ".") }) {
      return "The host name \(name.debugDescription) has characters that a host name cannot have."
    }
    if let port, !(1...65_535).contains(port) {
      return "The port \(port) of host \(name) is not in 1...65535."
    }
    return nil
  }

  /// Whether the name has what an IPv6 address has.
  private var isAddress: Bool {
    name.utf8.count { $0 == UInt8(ascii: ":") } >= 2
      && name.utf8.allSatisfy { "0123456789abcdefABCDEF:.".utf8.contains($0) }
  }

  /// Whether a text can be part of a host name as it is: letters, digits, `-` and `_`.
  static func isLabel(_ text: String) -> Bool {
    text.utf8.allSatisfy(isLabelByte)
  }

  private static func isLabelByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || "-_".utf8.contains(byte)
  }
}
