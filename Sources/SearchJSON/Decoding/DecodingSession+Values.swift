extension DecodingSession {
  /// Decodes a value of any type.
  ///
  /// Types that need no decoder are read from the tape; the others get one that stands at the value.
  package func value<T: Decodable>(_ type: T.Type, at index: Int, depth: Int) throws -> T {
    if type == String.self, let value = try string(at: index) as? T { return value }
    if type == [String].self, let value = try strings(at: index) as? T { return value }
    switch ways.way(of: type) {
    case .codable: break
    // An absent value has no place on the tape; `init(from:)` reads it as null.
    case .node(_) where index < 0: break
    case .node(let node):
      if let value = try node.init(at: index, in: self, depth: depth) as? T { return value }
    case .direct(let direct):
      if let value = try direct.read(self, at: index, depth: depth) as? T { return value }
    }
    return try type.init(from: NodeDecoder(session: self, index: index, depth: depth))
  }

  private func strings(at index: Int) throws -> [String] {
    let word = try arrayWord(at: index)
    var strings: [String] = []
    strings.reserveCapacity(word.size)
    var elements = document.elements(at: index)
    while let element = elements.nextElement(in: document) {
      strings.append(try string(at: element))
    }
    return strings
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
    var children = session.document.elements(at: index)
    while let element = children.nextElement(in: session.document) {
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
    let document = session.document
    var members: [String: Value] = [:]
    members.reserveCapacity(word.size)
    var children = document.members(at: index)
    while let value = children.next(in: document) {
      members[document.key(of: value)] = try session.value(Value.self, at: value, depth: depth + 1)
    }
    return members
  }
}
