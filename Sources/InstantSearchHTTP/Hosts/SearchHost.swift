/// A host of the service that a transport calls.
public struct SearchHost: Sendable, Hashable, CustomStringConvertible {
  /// The scheme of a host.
  public enum Scheme: String, Sendable, Hashable {
    /// Unencrypted, for a server on the same machine or in the same private network.
    case http
    /// Over TLS.
    case https
  }

  /// The name or address, such as `search.example.com`, `127.0.0.1` or `::1`.
  public var name: String

  /// The scheme. Defaults to HTTPS.
  public var scheme: Scheme

  /// The port. `nil` (the default) means the scheme's.
  public var port: Int?

  /// The types of calls that the host accepts. Defaults to both.
  public var callTypes: Set<Endpoint.CallType>

  /// Creates a host.
  public init(
    _ name: String,
    scheme: Scheme = .https,
    port: Int? = nil,
    callTypes: Set<Endpoint.CallType> = [.read, .write]
  ) {
    self.name = name
    self.scheme = scheme
    self.port = port
    self.callTypes = callTypes
  }

  /// The host as written in a URL, with the port if one is set.
  public var description: String {
    let host = name.utf8.contains(UInt8(ascii: ":")) ? "[\(name)]" : name
    return port.map { "\(host):\($0)" } ?? host
  }

  /// The URL of the host's root, without a trailing slash.
  var origin: String { "\(scheme.rawValue)://\(description)" }
}

extension SearchHost {
  /// The reason why the host cannot be used in a URL, or `nil` for a valid host.
  ///
  /// Only characters of names and addresses are allowed, because the key is sent to the host that
  /// the URL denotes: `example.com/`, `user@example.com` and the like are rejected.
  package var validationMessage: String? {
    if name.isEmpty { return "The name of a host is empty." }
    if name.utf8.contains(UInt8(ascii: ":")) {
      if !isAddress {
        return
          "Invalid host name \(name.debugDescription). Pass scheme and port as separate arguments of SearchHost."
      }
    } else if !name.utf8.allSatisfy({ Self.isLabelByte($0) || $0 == UInt8(ascii: ".") }) {
      return "Invalid host name \(name.debugDescription). Use letters, digits, dots, '-' and '_'."
    }
    if let port, !(1...65_535).contains(port) {
      return "The port \(port) of host \(name) is out of range 1...65535."
    }
    return nil
  }

  /// Whether the name looks like an IPv6 address.
  private var isAddress: Bool {
    name.utf8.count { $0 == UInt8(ascii: ":") } >= 2
      && name.utf8.allSatisfy { "0123456789abcdefABCDEF:.".utf8.contains($0) }
  }

  /// Whether a text can be part of a host name: letters, digits, `-` and `_`.
  package static func isLabel(_ text: String) -> Bool {
    text.utf8.allSatisfy(isLabelByte)
  }

  private static func isLabelByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || "-_".utf8.contains(byte)
  }
}

extension [SearchHost] {
  /// The hosts in a description, in order.
  package var listed: String { "[" + map(\.description).joined(separator: ", ") + "]" }
}
