/// The spelling of names in a URL: brackets, empty names and indices need escapes.
///
/// Names in the query of a URL are nested with brackets: `products[refinementList][brand][0]`.
/// A name that contains a bracket, that is empty or that could be the index of a list would be
/// read as something else. It is therefore written with an escape sequence: `%5B` and `%5D` for
/// brackets, `%30` to `%39` for the first digit of an index, a lone `%` for the empty name. A
/// percent sign that would look like one of them is `%25`. Any other name is written unchanged.
///
/// The name as a whole is percent-encoded afterwards, so that these sequences are encoded twice in
/// the URL.
enum RouteNames {
  /// Spells a name.
  ///
  /// - Parameter isIndex: Whether the name would be read as the index of a list.
  static func escaped(_ name: String, isIndex: Bool) -> String {
    if name.isEmpty { return "%" }
    if name == "%" { return "%25" }
    let bytes = Array(name.utf8)
    var escaped: [UInt8] = []
    for (position, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "["): escaped += "%5B".utf8
      case UInt8(ascii: "]"): escaped += "%5D".utf8
      case UInt8(ascii: "%") where code(after: position, in: bytes) != nil: escaped += "%25".utf8
      case _ where isIndex && position == 0:
        escaped += [UInt8(ascii: "%"), UInt8(ascii: "3"), byte]
      default: escaped.append(byte)
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  /// Reads the spelling of a name.
  static func unescaped(_ name: String) -> String {
    if name == "%" { return "" }
    guard name.utf8.contains(UInt8(ascii: "%")) else { return name }
    let bytes = Array(name.utf8)
    var unescaped: [UInt8] = []
    var position = 0
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "%"), let code = code(after: position, in: bytes) {
        unescaped.append(code)
        position += 3
      } else {
        unescaped.append(bytes[position])
        position += 1
      }
    }
    return String(decoding: unescaped, as: UTF8.self)
  }

  /// The character of the escape sequence that begins at a percent sign; `nil` if none does.
  private static func code(after position: Int, in bytes: [UInt8]) -> UInt8? {
    guard position + 2 < bytes.count else { return nil }
    switch (bytes[position + 1], bytes[position + 2]) {
    case (UInt8(ascii: "5"), UInt8(ascii: "B")): return UInt8(ascii: "[")
    case (UInt8(ascii: "5"), UInt8(ascii: "D")): return UInt8(ascii: "]")
    case (UInt8(ascii: "2"), UInt8(ascii: "5")): return UInt8(ascii: "%")
    case (UInt8(ascii: "3"), let digit) where digit.isASCIIDigit: return digit
    default: return nil
    }
  }

  /// The index that a name is, without sign and leading zeros; `nil` for any other name.
  static func index(_ name: String) -> Int? {
    guard let index = Int(name), index >= 0, String(index) == name else { return nil }
    return index
  }

  /// Whether an object with these names would be read as a list.
  static func areIndices(_ names: some Collection<String>) -> Bool {
    guard let largest = largestIndex(of: names) else { return false }
    return largest <= RouteParser.maximumIndex || largest == names.count - 1
  }

  /// Whether an object with these names is a list that is longer than an index can be.
  static func areLongList(_ names: some Collection<String>) -> Bool {
    names.count - 1 > RouteParser.maximumIndex && largestIndex(of: names) == names.count - 1
  }

  /// The largest of names that are all indices; `nil` without names, or if any name is not an
  /// index.
  private static func largestIndex(of names: some Collection<String>) -> Int? {
    var largest: Int?
    for name in names {
      guard let index = index(name) else { return nil }
      largest = max(largest ?? 0, index)
    }
    return largest
  }
}

extension RouteValue {
  /// The tree that a parsed tree represents: with names without escapes, and long lists as lists.
  ///
  /// - Parameters:
  ///   - level: The number of names in brackets above this value. The last level is read as one
  ///     name with all of its brackets.
  ///   - onCollision: Runs for each value that is lost because another name means the same.
  package func unescaped(level: Int = 0, onCollision: (String, RouteValue) -> Void) -> RouteValue {
    switch self {
    case .text: return self
    case .list(let elements):
      return .list(elements.map { $0.unescaped(level: level + 1, onCollision: onCollision) })
    case .object(let members):
      if level > 0, RouteNames.areLongList(members.keys), let elements {
        return .list(elements.map { $0.unescaped(level: level + 1, onCollision: onCollision) })
      }
      var unescaped: [String: RouteValue] = [:]
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        let isVerbatim = level > RouteParser.maximumDepth && name.hasPrefix("[")
        let name = isVerbatim ? name : RouteNames.unescaped(name)
        let value = value.unescaped(level: level + 1, onCollision: onCollision)
        if unescaped[name] == nil { unescaped[name] = value } else { onCollision(name, value) }
      }
      return .object(unescaped)
    }
  }
}
