extension DecodingSession {
  /// Decodes a value of any type.
  ///
  /// Types that need no decoder are read directly; the others get one that stands at the value.
  func value<T: Decodable>(_ type: T.Type, at index: Int, depth: Int) throws -> T {
    if let direct = type as? any JSONNodeDecodable.Type,
      let value = try direct.init(node: node(at: index), options: options) as? T
    {
      return value
    }
    if let direct = type as? any DirectlyDecodable.Type,
      let value = try direct.read(self, at: index, depth: depth) as? T
    {
      return value
    }
    return try type.init(from: NodeDecoder(session: self, index: index, depth: depth))
  }
}

/// A type of the standard library or Foundation that the session reads without asking its
/// `init(from:)`.
protocol DirectlyDecodable {
  /// Reads the value at a tape index.
  static func read(_ session: DecodingSession, at index: Int, depth: Int) throws -> Self
}

extension Bool: DirectlyDecodable {
  static func read(_ session: DecodingSession, at index: Int, depth: Int) throws -> Bool {
    try session.bool(at: index)
  }
}

extension String: DirectlyDecodable {
  static func read(_ session: DecodingSession, at index: Int, depth: Int) throws -> String {
    try session.string(at: index)
  }
}

extension Int: DirectlyDecodable {
  static func read(_ session: DecodingSession, at index: Int, depth: Int) throws -> Int {
    try session.integer(Int.self, at: index)
  }
}

extension Double: DirectlyDecodable {
  static func read(_ session: DecodingSession, at index: Int, depth: Int) throws -> Double {
    try session.double(at: index)
  }
}

extension Array: DirectlyDecodable where Element: Decodable {
  static func read(_ session: DecodingSession, at index: Int, depth: Int) throws -> [Element] {
    let word = try session.arrayWord(at: index)
    var elements: [Element] = []
    elements.reserveCapacity(word.size)
    for element in word.offset..<word.offset + word.size {
      elements.append(try session.value(Element.self, at: element, depth: depth + 1))
    }
    return elements
  }
}

/// Dictionaries keep the keys of the text, whatever the options say about keys.
extension Dictionary: DirectlyDecodable where Key == String, Value: Decodable {
  static func read(
    _ session: DecodingSession, at index: Int, depth: Int
  ) throws -> [String: Value] {
    let word = try session.objectWord(at: index)
    session.markDictionary(at: index)
    var members: [String: Value] = [:]
    members.reserveCapacity(word.size)
    for key in session.document.keys(ofObjectAt: index) {
      members[session.document.text(at: key)] = try session.value(
        Value.self, at: key + 1, depth: depth + 1)
    }
    return members
  }
}
