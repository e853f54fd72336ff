import InstantSearchJSON

/// A record ready to be stored: its object as JSON, with its ID as the string member `objectID`.
struct RecordText: Sendable, Hashable {
  /// The record's ID.
  let objectID: String
  /// The record's object.
  let bytes: [UInt8]

  /// Refuses a value that cannot be stored.
  ///
  /// - Returns: The record's own ID; `nil` when it has none.
  /// - Throws: An `APIError` for what is no object, has something else than an ID as `objectID`, or
  ///   is nested too deeply; what the checkpoint throws.
  static func check(_ node: JSONNode, _ checkpoint: Checkpoint) throws -> String? {
    guard node.kind == .object else { throw APIError("A record must be a JSON object") }
    let id = try RecordID.read(in: node)
    guard try !checkpoint.isNested(node, deeperThan: Checkpoint.maximumDepth) else {
      throw APIError(
        "A record must not have more than \(Checkpoint.maximumDepth) nested arrays and objects")
    }
    return id
  }

  /// Makes the text of a record that was checked.
  ///
  /// - Parameter objectID: The ID to store it by, whatever its own is.
  init(_ node: JSONNode, objectID: String, _ checkpoint: Checkpoint) throws {
    try checkpoint.count(bytes: node.sourceRange.count)
    self.objectID = objectID
    let isWritten = node["objectID"]?.isString(objectID) ?? false
    bytes = isWritten ? node.source : try Self.object(node, withID: objectID, checkpoint)
  }

  /// The object with a new `objectID`, at the place of the old one or else in front.
  private static func object(
    _ node: JSONNode, withID id: String, _ checkpoint: Checkpoint
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
      try checkpoint.count(bytes: member.value.sourceRange.count)
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

/// Reads the ID of a record or of a part of one; every way into the engine uses this reader.
enum RecordID {
  /// The ID in the member `objectID`: a string, or an integer of 64 bits as its digits.
  ///
  /// - Returns: `nil` when the member is absent or `null`.
  /// - Throws: An `APIError` when the member is empty text or anything else.
  static func read(in record: JSONNode) throws(APIError) -> String? {
    guard let node = record["objectID"] else { return nil }
    switch node.kind {
    case .null: return nil
    case .string:
      guard let text = node.string, !text.isEmpty else {
        throw APIError("objectID must not be empty")
      }
      return text
    case .number:
      if let number = node.int64 { return String(number) }
      if let number = node.uint64 { return String(number) }
    case .bool, .array, .object: break
    }
    throw APIError("objectID must be a string or an integer")
  }
}

/// Makes the IDs of records that have none.
final class ObjectIDGenerator: Sendable {
  private let custom: (@Sendable () -> String)?
  private let count = Lock<UInt64>(0)

  /// How often a closure of the configuration is asked for an ID that is free.
  static let maximumAttempts = 8

  /// Creates a generator; without a closure it gives a fixed sequence.
  init(custom: (@Sendable () -> String)?) { self.custom = custom }

  /// The next ID for which the predicate does not hold.
  ///
  /// - Throws: An `APIError` when the closure of the configuration gives nothing but empty IDs and
  ///   IDs that are taken.
  func next(isTaken: (String) -> Bool) throws(APIError) -> String {
    guard let custom else { return nextInSequence(isTaken: isTaken) }
    var id = ""
    for _ in 0..<Self.maximumAttempts {
      id = custom()
      if !id.isEmpty, !isTaken(id) { return id }
    }
    throw APIError(
      "makeObjectID gave no new ID in \(Self.maximumAttempts) attempts; the last one was \"\(id)\"")
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

  /// 16 hexadecimal digits; different for different numbers, for every step can be undone.
  private static func text(_ number: UInt64) -> String {
    var bits = number &* 0x9e37_79b9_7f4a_7c15
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    bits ^= bits >> 31
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// Gives IDs to the records of one call that have none.
struct ObjectIDAssigner {
  private let generator: ObjectIDGenerator
  private let snapshot: Snapshot?
  private var taken = PartitionedDictionary<ByteString, Bool>()
  private let checkpoint: Checkpoint

  /// Creates an assigner.
  ///
  /// - Parameters:
  ///   - snapshot: The index as it is; `nil` when there is none.
  ///   - taken: The IDs that other records of the call have.
  init(
    _ generator: ObjectIDGenerator, snapshot: Snapshot?, taken: [String?], _ checkpoint: Checkpoint
  ) throws {
    self.generator = generator
    self.snapshot = snapshot
    self.checkpoint = checkpoint
    for id in taken {
      try checkpoint.count()
      if let id { try self.taken.set(true, for: ByteString(id), checkpoint) }
    }
  }

  /// The next ID that neither the index nor the call has.
  mutating func next() throws -> String {
    let id = try generator.next {
      taken[ByteString($0)] != nil || snapshot?.locate(objectID: $0) != nil
    }
    try taken.set(true, for: ByteString(id), checkpoint)
    return id
  }
}
