extension ServiceRequest {
  /// Returns the address of the client without its port: the peer's address, or the last address
  /// before the proxies in `X-Forwarded-For`.
  ///
  /// - Parameter proxies: The networks of trusted proxies.
  /// - Returns: An address, or `nil` if the peer's address is unknown.
  public func clientAddress(behind proxies: [IPNetwork]) -> String? {
    func isProxy(_ address: String) -> Bool { proxies.contains { $0.contains(address) } }
    guard let peerAddress, isProxy(peerAddress) else { return peerAddress }
    let hops = headers.filter { $0.name.lowercased() == "x-forwarded-for" }
      .flatMap { $0.value.split(separator: ",") }
    guard let hop = hops.lazy.reversed().map(Self.address).first(where: { !isProxy($0) }) else {
      return peerAddress
    }
    // A value that isn't an address comes from a proxy that doesn't know its client.
    return hop.contains("/") || IPNetwork(hop) == nil ? peerAddress : hop
  }

  /// The address of a hop, which can have a port: `203.0.113.7:51234` or `[2001:db8::1]:51234`.
  private static func address(_ hop: Substring) -> String {
    let text = hop.filter { !$0.isWhitespace }
    if text.first == "[" { return String(text.dropFirst().prefix { $0 != "]" }) }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 2 ? String(parts[0]) : text
  }

  /// Whether the client takes a response with `Content-Encoding: gzip`.
  public var acceptsGzip: Bool {
    let value = headers.firstValue(named: "Accept-Encoding")?.lowercased() ?? ""
    return value.split(separator: ",").contains { entry in
      let parts = entry.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
      return parts.first == "gzip"
        && !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
    }
  }

  /// The path and the query of the target, which can also have a scheme and a host.
  ///
  /// Source: RFC 9112, section 3.2.2.
  var originForm: Substring {
    guard target.first != "/",
      let scheme = ["http://", "https://"].first(where: { target.lowercased().hasPrefix($0) })
    else { return target[...] }
    let rest = target.dropFirst(scheme.count).drop { $0 != "/" && $0 != "?" }
    return rest.first == "/" ? rest : "/" + rest
  }
}
