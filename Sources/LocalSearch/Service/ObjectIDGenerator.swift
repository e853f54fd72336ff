import AsyncInstantSearch

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
