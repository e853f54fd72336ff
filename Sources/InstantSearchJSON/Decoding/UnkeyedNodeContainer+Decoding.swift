// One pair of functions per type the standard library names; all read through the session.
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

  mutating func decode(_ type: Int.Type) throws -> Int {
    try next(type) { [session] in try session.integer(type, at: $0) }
  }

  mutating func decode(_ type: Int8.Type) throws -> Int8 {
    try next(type) { [session] in try session.integer(type, at: $0) }
  }

  mutating func decode(_ type: Int16.Type) throws -> Int16 {
    try next(type) { [session] in try session.integer(type, at: $0) }
  }

  mutating func decode(_ type: Int32.Type) throws -> Int32 {
    try next(type) { [session] in try session.integer(type, at: $0) }
  }

  mutating func decode(_ type: Int64.Type) throws -> Int64 {
    try next(type) { [session] in try session.integer(type, at: $0) }
  }

  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    try next(type) { [session] in try session.integer(type, at: $0) }
  }

  mutating func decode(_ type: UInt.Type) throws -> UInt {
    try next(type) { [session] in try session.integer(type, at: $0) }
  }

  mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
    try next(type) { [session] in try session.integer(type, at: $0) }
  }

  mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
    try next(type) { [session] in try session.integer(type, at: $0) }
  }

  mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
    try next(type) { [session] in try session.integer(type, at: $0) }
  }

  mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
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

  mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? {
    try nextIfPresent { [session] in try session.integer(type, at: $0) }
  }

  mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? {
    try nextIfPresent { [session] in try session.integer(type, at: $0) }
  }

  mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? {
    try nextIfPresent { [session] in try session.integer(type, at: $0) }
  }

  mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? {
    try nextIfPresent { [session] in try session.integer(type, at: $0) }
  }

  mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? {
    try nextIfPresent { [session] in try session.integer(type, at: $0) }
  }

  mutating func decodeIfPresent(_ type: Int128.Type) throws -> Int128? {
    try nextIfPresent { [session] in try session.integer(type, at: $0) }
  }

  mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? {
    try nextIfPresent { [session] in try session.integer(type, at: $0) }
  }

  mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? {
    try nextIfPresent { [session] in try session.integer(type, at: $0) }
  }

  mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? {
    try nextIfPresent { [session] in try session.integer(type, at: $0) }
  }

  mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? {
    try nextIfPresent { [session] in try session.integer(type, at: $0) }
  }

  mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? {
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
