/// The state that the decoders and containers of one decoding call share.
///
/// Values are identified by their tape index. A negative index identifies the value of an absent
/// key, from which a superclass may still be decoded. It reads as `null`, and its path is stored
/// here.
package final class DecodingSession {
  /// The document that is decoded.
  package let document: JSONDocument
  /// The options of the decoder.
  package let options: JSONDecodingOptions
  let convertsKeys: Bool
  /// The next expected key for each depth.
  private var expectedKeys = ExpectedKeys()
  /// The types that read themselves from the tape.
  let tapeTypes = TapeTypeCache()
  /// The members by converted key of the objects read so far, when keys are converted.
  private var convertedMembers: [Int: [String: Int]] = [:]
  /// The paths of absent values.
  private var absentPaths: [[any CodingKey]] = []
  /// The objects decoded as dictionaries, whose keys stay unchanged while other keys are converted.
  private var dictionaries: Set<Int> = []

  /// Creates a session for decoding values of a document.
  package init(document: JSONDocument, options: JSONDecodingOptions) {
    self.document = document
    self.options = options
    convertsKeys = options.convertsKeys
  }

  /// The word of a value, or `null` for an absent one.
  @inline(__always)
  func word(at index: Int) -> JSONWord {
    index >= 0 ? document.word(at: index) : JSONWord(.null, size: 0, offset: 0)
  }

  /// Whether the value is null or absent.
  @inline(__always)
  func isNull(at index: Int) -> Bool { word(at: index).kind == .null }

  /// The node of a value.
  package func node(at index: Int) -> JSONNode {
    index >= 0 ? JSONNode(document: document, index: index) : JSONDocument.null.root
  }

  /// Creates an index for an absent value.
  func absentValue(path: [any CodingKey]) -> Int {
    absentPaths.append(path)
    return -absentPaths.count
  }

  /// Records that the object's keys are not converted.
  func markDictionary(at index: Int) {
    if convertsKeys { dictionaries.insert(index) }
  }

  /// Records that the object's keys are converted, as in keyed containers.
  func markConverted(at index: Int) {
    if convertsKeys { dictionaries.remove(index) }
  }

  /// The path to a value, computed from the tape. Keys are named as in the containers.
  func path(to index: Int) -> [any CodingKey] {
    guard index >= 0 else { return absentPaths[-1 - index] }
    return document.steps(to: index).map { step in
      if convertsKeys, !dictionaries.contains(step.container) {
        return document.codingKey(of: step, rename: SnakeCase.camelCase)
      }
      return document.codingKey(of: step)
    }
  }

  // MARK: - Members

  /// The value of `key` in an object, or nil if it is missing.
  ///
  /// The search starts after the key that was found last, so members in the order of the text are
  /// found at once. This is only a hint: the result is always the last member with the key.
  func value(of key: String, inObjectAt object: Int, depth: Int) -> Int? {
    if convertsKeys { return members(ofObjectAt: object)[key] }
    let hint = expectedKeys.key(inObjectAt: object, depth: depth)
    guard let value = document.value(of: key, inObjectAt: object, from: hint) else { return nil }
    expectedKeys.expect(document.tape.end(of: value), inObjectAt: object, depth: depth)
    return value
  }

  /// The members of an object by converted key. The last of equal converted keys counts.
  func members(ofObjectAt object: Int) -> [String: Int] {
    if let members = convertedMembers[object] { return members }
    var members: [String: Int] = [:]
    var children = document.members(at: object)
    while let value = children.next(in: document) {
      members[SnakeCase.camelCase(document.key(of: value))] = value
    }
    convertedMembers[object] = members
    return members
  }
}

extension DecodingSession {
  /// The word of an object, or the error for any other value.
  func objectWord(at index: Int) throws -> JSONWord {
    let word = word(at: index)
    switch word.kind {
    case .object: return word
    case .null:
      throw DecodingError.valueNotFound(
        [String: Any].self,
        DecodingError.Context(
          codingPath: path(to: index),
          debugDescription: "Cannot get keyed decoding container -- found null value instead"))
    default: throw mismatch([String: Any].self, at: index)
    }
  }

  /// The word of an array, or the error for any other value.
  func arrayWord(at index: Int) throws -> JSONWord {
    let word = word(at: index)
    switch word.kind {
    case .array: return word
    case .null:
      throw DecodingError.valueNotFound(
        [Any].self,
        DecodingError.Context(
          codingPath: path(to: index),
          debugDescription: "Cannot get unkeyed decoding container -- found null value instead"))
    default: throw mismatch([Any].self, at: index)
    }
  }
}

// Single tape words as Swift types, or the error that Foundation's decoder would throw.
extension DecodingSession {
  func bool(at index: Int) throws -> Bool {
    switch word(at: index).kind {
    case .true: return true
    case .false: return false
    default: throw mismatch(Bool.self, at: index)
    }
  }

  func string(at index: Int) throws -> String {
    switch word(at: index).kind {
    case .string, .escapedString: return document.text(at: index)
    default: throw nullOrMismatch(String.self, at: index)
    }
  }

  func integer<T: FixedWidthInteger>(_ type: T.Type, at index: Int) throws -> T {
    let kind = word(at: index).kind
    guard kind == .integer || kind == .real else { throw nullOrMismatch(type, at: index) }
    let number = document.number(at: index)
    guard let value = number.integer(type, isInteger: kind == .integer) else {
      throw doesNotFit(number.text, type, at: index)
    }
    return value
  }

  func double(at index: Int) throws -> Double {
    let kind = word(at: index).kind
    guard kind == .integer || kind == .real else {
      return try nonConformingFloat(Double.self, at: index)
    }
    let number = document.number(at: index)
    guard let value = number.double else { throw doesNotFit(number.text, Double.self, at: index) }
    return value
  }

  func float(at index: Int) throws -> Float {
    let kind = word(at: index).kind
    guard kind == .integer || kind == .real else {
      return try nonConformingFloat(Float.self, at: index)
    }
    let number = document.number(at: index)
    guard let value = number.float else { throw doesNotFit(number.text, Float.self, at: index) }
    return value
  }

  private func nonConformingFloat<T: BinaryFloatingPoint>(
    _ type: T.Type, at index: Int
  ) throws -> T {
    let kind = word(at: index).kind
    if kind == .string || kind == .escapedString,
      case .strings(let positive, let negative, let nan) = options.nonConformingFloats
    {
      if document.text(at: index, equals: positive) { return .infinity }
      if document.text(at: index, equals: negative) { return -.infinity }
      if document.text(at: index, equals: nan) { return .nan }
    }
    throw nullOrMismatch(type, at: index)
  }

  // MARK: - Errors

  func mismatch(_ type: Any.Type, at index: Int) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: path(to: index),
        debugDescription:
          "Expected to decode \(type) but found \(description(at: index)) instead."))
  }

  func nullOrMismatch(_ type: Any.Type, at index: Int) -> DecodingError {
    guard isNull(at: index) else { return mismatch(type, at: index) }
    return .valueNotFound(
      type,
      DecodingError.Context(
        codingPath: path(to: index),
        debugDescription: "Cannot get value of type \(type) -- found null value instead"))
  }

  func corrupted(_ message: String, at index: Int) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: path(to: index), debugDescription: message))
  }

  private func doesNotFit(_ number: String, _ type: Any.Type, at index: Int) -> DecodingError {
    corrupted("Number \(number.prefix(100)) does not fit in \(type).", at: index)
  }

  /// The kind of a value, as in a decoding error.
  func description(at index: Int) -> String {
    switch word(at: index).kind {
    case .null: "null"
    case .false, .true: "bool"
    case .integer, .real: "number"
    case .array: "an array"
    case .object: "a dictionary"
    default: "a string"
    }
  }
}

/// The types of one decoding call that read themselves from the tape.
///
/// The conformance check takes longer than reading a string, so its results are cached.
final class TapeTypeCache {
  private var known: [(type: ObjectIdentifier, tapeType: (any TapeDecodable.Type)?)] = []

  /// The type as one that reads itself from the tape, or nil for any other.
  func tapeType(of type: any Decodable.Type) -> (any TapeDecodable.Type)? {
    let identifier = ObjectIdentifier(type)
    for entry in known where entry.type == identifier { return entry.tapeType }
    let tapeType = type as? any TapeDecodable.Type
    // A call uses a few types. Beyond the limit types are checked each time.
    if known.count < 16 { known.append((identifier, tapeType)) }
    return tapeType
  }
}

/// The last object at each depth, and the key that is expected next in it.
///
/// Callers mostly request members in the order of the text. Depths that are 32 apart share an
/// entry, which contains the index of its object.
private struct ExpectedKeys {
  // Measured: with arrays, which are checked for exclusive access, uniqueness and bounds, decoding
  // a page of records takes 1.1 times as long. Writing one element of a vector in memory is one
  // store.
  private typealias Indices = SIMD32<UInt32>
  private static let mask = Indices.scalarCount - 1

  /// The tape index of each object. A tape has fewer than 2³² words, so the maximum means none.
  private var objects = Indices(repeating: .max)
  private var keys = Indices()

  /// The tape index of the key that is expected next in an object, if known.
  @inline(__always)
  func key(inObjectAt object: Int, depth: Int) -> Int? {
    let entry = depth & Self.mask
    return objects[entry] == UInt32(truncatingIfNeeded: object) ? Int(keys[entry]) : nil
  }

  /// Records the tape index after the last found member: a key or the end of the object.
  @inline(__always)
  mutating func expect(_ key: Int, inObjectAt object: Int, depth: Int) {
    let entry = depth & Self.mask
    objects[entry] = UInt32(truncatingIfNeeded: object)
    keys[entry] = UInt32(truncatingIfNeeded: key)
  }
}
