package import InstantSearchJSON

/// A record in the form in which it is stored: a JSON object with its ID as the string member
/// `objectID`.
package struct EncodedRecord: Sendable, Hashable {
  /// The record's ID.
  package let objectID: String
  /// The record's object.
  package let bytes: [UInt8]

  /// Rejects a value that cannot be stored.
  ///
  /// - Returns: The record's ID, or `nil` if it has none.
  /// - Throws: An `APIError` if the value is not an object, has an invalid `objectID`, or is nested
  ///   too deeply. Otherwise the error of the check.
  package static func check(
    _ node: JSONNode, _ cancellation: CancellationCheck
  ) throws -> String? {
    guard node.kind == .object else { throw APIError("A record must be a JSON object") }
    let id = try RecordID.read(in: node)
    guard try !cancellation.isNested(node, deeperThan: CancellationCheck.maximumDepth) else {
      throw APIError(
        "A record must not have more than \(CancellationCheck.maximumDepth) nested arrays and objects"
      )
    }
    try checkNumbers(node, of: "", cancellation)
    return id
  }

  /// Rejects a number beyond the largest `Double`, because many clients cannot read a response that
  /// contains one.
  private static func checkNumbers(
    _ node: JSONNode, of attribute: String, _ cancellation: CancellationCheck
  ) throws {
    try cancellation.count()
    switch node.kind {
    case .number:
      guard node.double == nil else { return }
      let text = (node.numberText ?? "").excerpt(40)
      throw APIError("The number \(text) of the attribute \"\(attribute)\" is too large")
    case .array:
      for element in node.elements { try checkNumbers(element, of: attribute, cancellation) }
    case .object:
      for member in node.members {
        try checkNumbers(member.value, of: member.key, cancellation)
      }
    case .null, .bool, .string: break
    }
  }

  /// Encodes a checked record. The escape of an unpaired surrogate becomes the escape of U+FFFD,
  /// because many clients can't read a response with an unpaired surrogate.
  ///
  /// - Parameter objectID: The ID to store, which replaces the record's.
  package init(
    _ node: JSONNode, objectID: String, _ cancellation: CancellationCheck
  ) throws {
    try cancellation.count(bytes: node.sourceRange.count)
    self.objectID = objectID
    let isWritten = node["objectID"]?.isString(objectID) ?? false
    bytes = Self.withoutLoneSurrogates(
      isWritten ? node.source : try Self.object(node, withID: objectID, cancellation))
  }

  private static func withoutLoneSurrogates(_ bytes: consuming [UInt8]) -> [UInt8] {
    var index = 0
    while let escape = loneSurrogate(in: bytes[index...]) {
      index = escape + 6
      bytes.replaceSubrange(escape + 2..<index, with: "fffd".utf8)
    }
    return bytes
  }

  /// Returns the index of the first escape of an unpaired surrogate.
  static func loneSurrogate(in bytes: ArraySlice<UInt8>) -> Int? {
    var rest = bytes
    while let escape = rest.firstIndex(of: UInt8(ascii: "\\")) {
      rest = bytes[min(escape + 2, bytes.endIndex)...]
      guard let unit = surrogate(in: bytes, at: escape) else { continue }
      guard unit < 0xDC00, let low = surrogate(in: bytes, at: escape + 6), low >= 0xDC00 else {
        return escape
      }
      rest = bytes[(escape + 12)...]
    }
    return nil
  }

  /// Returns the surrogate whose escape begins at an index.
  private static func surrogate(in bytes: ArraySlice<UInt8>, at index: Int) -> UInt32? {
    guard index + 6 <= bytes.endIndex, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u"),
      let unit = UInt32(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16),
      unit & 0xF800 == 0xD800
    else { return nil }
    return unit
  }

  /// Returns the object with a new `objectID`, in place of the old one or as the first member.
  private static func object(
    _ node: JSONNode, withID id: String, _ cancellation: CancellationCheck
  ) throws -> [UInt8] {
    var writer = JSONWriter(capacity: node.sourceRange.count + id.utf8.count + 16)
    writer.beginObject()
    var isWritten = false
    if node["objectID"] == nil {
      writer.key("objectID")
      writer.string(id)
      isWritten = true
    }
    for member in node.members where !member.isSuperseded {
      try cancellation.count(bytes: member.value.sourceRange.count)
      writer.key(member.key)
      if member.key == "objectID", !isWritten {
        writer.string(id)
        isWritten = true
      } else {
        writer.raw(member.value)
      }
    }
    writer.endObject()
    return writer.bytes
  }
}

/// Reads the ID of a record, for all calls of the engine.
package enum RecordID {
  /// Returns the ID in the member `objectID`: a string, or a 64-bit integer as its digits.
  ///
  /// - Returns: The ID, or `nil` if the member is absent.
  /// - Throws: An `APIError` if the member is empty text or another value.
  package static func read(in record: JSONNode) throws(APIError) -> String? {
    guard let node = record["objectID"] else { return nil }
    switch node.kind {
    case .string:
      guard let text = node.string, !text.isEmpty else {
        throw APIError("objectID must not be empty")
      }
      return text
    case .number:
      if let number = node.int64 { return String(number) }
      if let number = node.uint64 { return String(number) }
    case .null, .bool, .array, .object: break
    }
    throw APIError("objectID must be a string or an integer")
  }
}

/// Generates the IDs of records without one.
final class ObjectIDGenerator: Sendable {
  private let custom: (@Sendable () -> String)?
  private let count = Lock<UInt64>(0)

  /// The maximum number of attempts to get a free ID from the closure of the configuration.
  static let maximumAttempts = 8

  /// Creates a generator. Without a closure it generates a fixed sequence.
  init(custom: (@Sendable () -> String)?) { self.custom = custom }

  /// The number of IDs that were generated.
  var number: UInt64 { count.withLock { $0 } }

  /// Continues after at least a number of IDs.
  func setNumber(atLeast number: UInt64) { count.withLock { $0 = max($0, number) } }

  /// Returns the next ID that is not taken.
  ///
  /// - Throws: An `APIError` if the closure of the configuration returns only empty and taken IDs.
  func next(isTaken: (String) -> Bool) throws(APIError) -> String {
    guard let custom else { return nextInSequence(isTaken: isTaken) }
    var id = ""
    for _ in 0..<Self.maximumAttempts {
      id = custom()
      if !id.isEmpty, !isTaken(id) { return id }
    }
    throw APIError(
      "makeObjectID returned no free ID in \(Self.maximumAttempts) attempts; the last one was \"\(id)\""
    )
  }

  private func nextInSequence(isTaken: (String) -> Bool) -> String {
    while true {
      let number = count.withLock { count in
        count &+= 1
        return count
      }
      let id = Self.text(number)
      if !isTaken(id) { return id }
    }
  }

  /// Returns 16 hexadecimal digits. They differ for different numbers, because every step is
  /// reversible.
  private static func text(_ number: UInt64) -> String {
    var bits = number &* 0x9e37_79b9_7f4a_7c15
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    bits ^= bits >> 31
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// Assigns IDs to the records of one call that have none.
struct ObjectIDAssigner {
  private let generator: ObjectIDGenerator
  private let snapshot: IndexSnapshot?
  private var taken = PartitionedDictionary<ByteString, Bool>()
  private let cancellation: CancellationCheck

  /// Creates an assigner.
  ///
  /// - Parameters:
  ///   - snapshot: The current index, or `nil` if it does not exist.
  ///   - taken: The IDs of the other records of the call.
  init(
    _ generator: ObjectIDGenerator, snapshot: IndexSnapshot?, taken: [String?],
    _ cancellation: CancellationCheck
  ) throws {
    self.generator = generator
    self.snapshot = snapshot
    self.cancellation = cancellation
    for id in taken {
      try cancellation.count()
      if let id { try self.taken.set(true, for: ByteString(id), cancellation) }
    }
  }

  /// Records the ID of another record of the call.
  mutating func take(_ id: ByteString) throws { try taken.set(true, for: id, cancellation) }

  /// Returns the next ID that neither the index nor the call has.
  mutating func next() throws -> String {
    let id = try generator.next {
      taken[ByteString($0)] != nil || snapshot?.locate(objectID: $0) != nil
    }
    try taken.set(true, for: ByteString(id), cancellation)
    return id
  }
}

extension EngineConfiguration {
  /// Rejects a record that is too large.
  ///
  /// - Parameter position: The position of the record in its batch, if there is one.
  func check(_ record: EncodedRecord, at position: Int? = nil) throws(APIError) {
    try check(size: record.bytes.count, of: record.objectID, at: position)
  }

  /// Rejects the size of a record that is too large, in bytes.
  func check(size: Int, of objectID: String, at position: Int? = nil) throws(APIError) {
    guard let maximumRecordSize, size > maximumRecordSize else { return }
    let place = position.map { " at the position \($0)" } ?? ""
    var error = APIError(
      "Record\(place) objectID=\(objectID.excerpt()) is too big size=\(size) bytes,"
        + " expected at most \(maximumRecordSize)")
    error.position = position
    error.objectID = objectID
    throw error
  }
}
