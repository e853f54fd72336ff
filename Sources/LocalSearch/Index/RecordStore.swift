/// The records of a segment as JSON bytes, and the order of their object IDs.
///
/// A class, because the segments of an index, of its replicas and of its copies can share it.
package final class RecordStore: Sendable {
  let bytes: [UInt8]
  let offsets: [Int]
  let idBytes: [UInt8]
  let idOffsets: [Int]
  /// The documents in ascending byte order of their object IDs.
  let byID: [UInt32]
  /// The index of every document in `byID`.
  private let idOrder: [UInt32]

  /// Creates a store from its arrays.
  init(bytes: [UInt8], offsets: [Int], idBytes: [UInt8], idOffsets: [Int], byID: [UInt32]) {
    self.bytes = bytes
    self.offsets = offsets
    self.idBytes = idBytes
    self.idOffsets = idOffsets
    self.byID = byID
    var idOrder = [UInt32](repeating: 0, count: byID.count)
    for (rank, document) in byID.enumerated() {
      idOrder[Int(document)] = UInt32(truncatingIfNeeded: rank)
    }
    self.idOrder = idOrder
  }

  /// The number of documents.
  package var count: Int { offsets.count - 1 }

  /// The number of bytes of all records.
  package var byteCount: Int { bytes.count }

  /// Returns the JSON text of a record, including its `objectID`.
  package func bytes(of document: Int) -> ArraySlice<UInt8> {
    bytes[offsets[document]..<offsets[document + 1]]
  }

  /// Returns the object ID of a record.
  package func objectID(of document: Int) -> String {
    String(decoding: idBytes[idOffsets[document]..<idOffsets[document + 1]], as: UTF8.self)
  }

  /// Returns the UTF-8 bytes of the object ID of a record.
  package func objectIDBytes(of document: Int) -> ArraySlice<UInt8> {
    idBytes[idOffsets[document]..<idOffsets[document + 1]]
  }

  /// Returns the rank of a record's object ID in the segment, in ascending byte order.
  @inline(__always)
  package func objectIDOrder(of document: Int) -> UInt32 { idOrder[document] }

  /// Returns the document with an object ID, live or not: the last of several.
  ///
  /// - Complexity: O(log n).
  package func document(withObjectID objectID: String) -> Int? {
    document(withObjectID: Array(objectID.utf8)[...])
  }

  /// Returns the document with an object ID in UTF-8, live or not: the last of several.
  ///
  /// - Complexity: O(log n).
  func document(withObjectID objectID: ArraySlice<UInt8>) -> Int? {
    let end = byID.partitionPoint {
      !objectID.lexicographicallyPrecedes(objectIDBytes(of: Int($0)))
    }
    guard end > 0 else { return nil }
    let document = Int(byID[end - 1])
    return objectIDBytes(of: document).elementsEqual(objectID) ? document : nil
  }

  /// Returns the last document of each object ID.
  func latest(_ cancellation: CancellationCheck) throws -> Bitmap {
    var latest = Bitmap(count: count, filledWith: true)
    for (document, next) in zip(byID, byID.dropFirst()) {
      try cancellation.count(element: Int(document))
      if objectIDBytes(of: Int(document)).elementsEqual(objectIDBytes(of: Int(next))) {
        latest[Int(document)] = false
      }
    }
    return latest
  }
}

extension RecordStore {
  /// Collects records in the order of their document numbers.
  package struct Builder {
    private var bytes: [UInt8] = []
    private var offsets: [Int] = [0]
    private var idBytes: [UInt8] = []
    private var idOffsets: [Int] = [0]

    /// Creates a builder with capacity for `byteCount` bytes in `count` records.
    init(count: Int = 0, byteCount: Int = 0) {
      bytes.reserveCapacity(byteCount)
      offsets.reserveCapacity(count + 1)
      idOffsets.reserveCapacity(count + 1)
    }

    /// Reserves memory for a number of bytes of records.
    mutating func reserveCapacity(_ byteCount: Int) { bytes.reserveCapacity(byteCount) }

    /// The number of records.
    var count: Int { offsets.count - 1 }
    /// The number of bytes of all records.
    var byteCount: Int { bytes.count }

    /// Returns the JSON text of a record.
    func bytes(of document: Int) -> ArraySlice<UInt8> {
      bytes[offsets[document]..<offsets[document + 1]]
    }

    /// Returns the object ID of a record.
    func objectID(of document: Int) -> String {
      String(decoding: idBytes[idOffsets[document]..<idOffsets[document + 1]], as: UTF8.self)
    }

    /// Adds a record. The first one shares its memory until there is another one.
    mutating func add(objectID: some Collection<UInt8>, record: [UInt8]) {
      if count > 0 { return add(objectID: objectID, record: record[...]) }
      bytes = record
      addEnds(objectID)
    }

    /// Adds a record.
    mutating func add(objectID: some Collection<UInt8>, record: some Collection<UInt8>) {
      bytes.append(contentsOf: record)
      addEnds(objectID)
    }

    private mutating func addEnds(_ objectID: some Collection<UInt8>) {
      offsets.append(bytes.count)
      idBytes.append(contentsOf: objectID)
      idOffsets.append(idBytes.count)
    }

    /// Sorts the object IDs and returns the store. The builder is empty then.
    mutating func build(_ cancellation: CancellationCheck) throws -> RecordStore {
      let count = count
      var built = Self()
      swap(&self, &built)
      let (idBytes, idOffsets) = (built.idBytes, built.idOffsets)
      let byID = try ByteStringOrder.sorted(count: count, cancellation) {
        idBytes[idOffsets[$0]..<idOffsets[$0 + 1]]
      }
      return RecordStore(
        bytes: built.bytes, offsets: built.offsets, idBytes: idBytes, idOffsets: idOffsets,
        byID: byID)
    }
  }
}
