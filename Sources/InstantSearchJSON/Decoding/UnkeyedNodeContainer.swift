/// The array's elements, in order.
struct UnkeyedNodeContainer: UnkeyedDecodingContainer {
  let session: DecodingSession
  /// The tape index of the array.
  let index: Int
  let depth: Int
  private let size: Int
  private(set) var currentIndex = 0
  /// The tape index of the next element.
  private var nextIndex: Int

  init(session: DecodingSession, index: Int, depth: Int) throws {
    let word = try session.arrayWord(at: index)
    self.session = session
    self.index = index
    self.depth = depth
    size = word.size
    nextIndex = index + 2
  }

  var codingPath: [any CodingKey] { session.path(to: index) }
  var count: Int? { size }
  var isAtEnd: Bool { currentIndex >= size }

  /// Decodes the next element and advances. It does not advance if decoding fails.
  mutating func next<T>(_ type: Any.Type, _ read: (Int) throws -> T) throws -> T {
    let value = try read(try element(type, "Unkeyed container is at end."))
    stepOver()
    return value
  }

  /// Like `next`, with nil for null and at the end.
  mutating func nextIfPresent<T>(_ read: (Int) throws -> T) throws -> T? {
    guard !isAtEnd else { return nil }
    let value = session.isNull(at: nextIndex) ? nil : try read(nextIndex)
    stepOver()
    return value
  }

  private mutating func stepOver() {
    currentIndex += 1
    nextIndex = session.document.tape.end(of: nextIndex)
  }

  /// The tape index of the next element.
  private func element(_ type: Any.Type, _ message: String) throws -> Int {
    guard isAtEnd else { return nextIndex }
    throw DecodingError.valueNotFound(
      type,
      DecodingError.Context(
        codingPath: codingPath + [JSONCodingKey(index: currentIndex)], debugDescription: message))
  }

  mutating func decodeNil() throws -> Bool {
    guard session.isNull(at: try element(Never.self, "Unkeyed container is at end.")) else {
      return false
    }
    stepOver()
    return true
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let element = try element(
      KeyedDecodingContainer<NestedKey>.self,
      "Cannot get nested keyed container -- unkeyed container is at end.")
    let container = try decoder(at: element).container(keyedBy: type)
    stepOver()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let element = try element(
      (any UnkeyedDecodingContainer).self,
      "Cannot get nested unkeyed container -- unkeyed container is at end.")
    let container = try decoder(at: element).unkeyedContainer()
    stepOver()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let element = try element(
      (any Decoder).self, "Cannot get superDecoder() -- unkeyed container is at end.")
    stepOver()
    return decoder(at: element)
  }

  private func decoder(at element: Int) -> NodeDecoder {
    NodeDecoder(session: session, index: element, depth: depth + 1)
  }
}

// Two functions for each type that the standard library names. All read through the session.
extension UnkeyedNodeContainer {
  mutating func decode(_ type: Bool.Type) throws -> Bool {
    try next(type) { [session] in try session.bool(at: $0) }
  }

  mutating func decode(_ type: String.Type) throws -> String {
    try next(type) { [session] in try session.string(at: $0) }
  }

  mutating func decode(_ type: Double.Type) throws -> Double {
    try next(type) { [session] in try session.double(at: $0) }
  }

  mutating func decode(_ type: Float.Type) throws -> Float {
    try next(type) { [session] in try session.float(at: $0) }
  }

  mutating func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
    try next(type) { [session] in try session.integer(type, at: $0) }
  }

  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    try next(type) { [session] in try session.integer(type, at: $0) }
  }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    try next(type) { [session] in try session.integer(type, at: $0) }
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try next(type) { [session, depth] in
      try session.value(type, at: $0, depth: depth + 1)
    }
  }
}

extension UnkeyedNodeContainer {
  mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? {
    try nextIfPresent { [session] in try session.bool(at: $0) }
  }

  mutating func decodeIfPresent(_ type: String.Type) throws -> String? {
    try nextIfPresent { [session] in try session.string(at: $0) }
  }

  mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? {
    try nextIfPresent { [session] in try session.double(at: $0) }
  }

  mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? {
    try nextIfPresent { [session] in try session.float(at: $0) }
  }

  mutating func decodeIfPresent<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T? {
    try nextIfPresent { [session] in try session.integer(type, at: $0) }
  }

  mutating func decodeIfPresent(_ type: Int128.Type) throws -> Int128? {
    try nextIfPresent { [session] in try session.integer(type, at: $0) }
  }

  mutating func decodeIfPresent(_ type: UInt128.Type) throws -> UInt128? {
    try nextIfPresent { [session] in try session.integer(type, at: $0) }
  }

  mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
    try nextIfPresent { [session, depth] in
      try session.value(type, at: $0, depth: depth + 1)
    }
  }
}
