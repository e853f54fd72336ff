/// A network of IP addresses, such as `10.0.0.0/8` or `2001:db8::/32`.
public struct IPNetwork: Sendable, Hashable {
  private let base: [UInt8]
  private let prefixLength: Int

  /// Parses a network, or a single address; `nil` for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let bytes = Self.bytes(ofAddress: String(parts[0])) else {
      return nil
    }
    var bits = bytes.count * 8
    if parts.count == 2 {
      // The bits of an IPv4 address in IPv6 form are counted from the beginning of that form.
      let skipped = bytes.count == 4 && parts[0].contains(":") ? 96 : 0
      guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (48...57).contains($0) }),
        let number = Int(parts[1]), (skipped...skipped + bits).contains(number)
      else { return nil }
      bits = number - skipped
    }
    // Networks are equal regardless of the address that named them.
    base = Self.firstBits(bits, of: bytes)
    prefixLength = bits
  }

  /// Whether an address is in the network. An IPv4 address in IPv6 form counts as IPv4.
  public func contains(_ text: String) -> Bool {
    guard let other = Self.bytes(ofAddress: text) else { return false }
    return Self.firstBits(prefixLength, of: other) == base
  }

  /// Returns an address whose bits after the first ones are 0.
  private static func firstBits(_ count: Int, of address: [UInt8]) -> [UInt8] {
    address.enumerated().map { index, byte in
      byte & UInt8(truncatingIfNeeded: 0xFF00 >> min(max(count - 8 * index, 0), 8))
    }
  }

  /// Returns the part of an address that identifies one subscriber, for counting a client's calls:
  /// the whole of an IPv4 address, and the first half of an IPv6 address. Other texts are returned
  /// unchanged.
  public static func subscriber(of text: String) -> String {
    guard let bytes = bytes(ofAddress: text), bytes.count == 16 else { return text }
    return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
  }

  /// The 4 or 16 bytes of an address; `nil` for any other text.
  private static func bytes(ofAddress text: String) -> [UInt8]? {
    guard text.utf8.contains(UInt8(ascii: ":")) else { return fourBytes(text) }
    // A zone such as %eth0 is not part of the address.
    let text = text.prefix { $0 != "%" }
    guard let bytes = sixteenBytes(text) else { return nil }
    let mapped = [UInt8](repeating: 0, count: 10) + [255, 255]
    return bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
  }

  private static func fourBytes(_ text: some StringProtocol) -> [UInt8]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bytes: [UInt8] = []
    for part in parts {
      // A number that begins with 0 is octal for some programs, and decimal for others.
      guard (1...3).contains(part.utf8.count), part == "0" || part.first != "0",
        part.utf8.allSatisfy({ (48...57).contains($0) }),
        let byte = UInt8(part)
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func sixteenBytes(_ text: Substring) -> [UInt8]? {
    guard let gap = text.firstRange(of: "::") else {
      guard let bytes = parsedGroups(text), bytes.count == 16 else { return nil }
      return bytes
    }
    let (head, tail) = (text[..<gap.lowerBound], text[gap.upperBound...])
    // An IPv4 address is the end of an address only.
    guard !head.contains("."), let first = parsedGroups(head), let last = parsedGroups(tail),
      first.count + last.count <= 14
    else {
      return nil
    }
    return first + [UInt8](repeating: 0, count: 16 - first.count - last.count) + last
  }

  /// The bytes of groups of up to four digits, the last of which may be an IPv4 address.
  private static func parsedGroups(_ text: Substring) -> [UInt8]? {
    if text.isEmpty { return [] }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count <= 8 else { return nil }
    var bytes: [UInt8] = []
    for (number, part) in parts.enumerated() {
      if number == parts.count - 1, part.contains(".") {
        guard let four = fourBytes(part) else { return nil }
        bytes += four
        continue
      }
      guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ Self.isHexDigit($0) }),
        let group = UInt16(part, radix: 16)
      else { return nil }
      bytes += [UInt8(group >> 8), UInt8(truncatingIfNeeded: group)]
    }
    return bytes
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...70).contains(byte & 0xDF)
  }
}
