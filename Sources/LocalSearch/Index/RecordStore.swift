/// The records of a segment as JSON bytes, and the order of their object IDs.
package struct RecordStore: Sendable {
  private let bytes: [UInt8]
  private let offsets: [Int]
  private let idBytes: [UInt8]
  private let idOffsets: [Int]
  /// The documents in ascending byte order of their object IDs.
  private let byID: [UInt32]
  /// The index of every document in `byID`.
  private let idOrder: [UInt32]

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

  /// Returns the document with an object ID, live or not.
  ///
  /// - Complexity: O(log n).
  package func document(withObjectID objectID: String) -> Int? {
    let key = Array(objectID.utf8)
    var low = 0
    var high = byID.count
    while low < high {
      let middle = (low + high) / 2
      if objectIDBytes(of: Int(byID[middle])).lexicographicallyPrecedes(key) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < byID.count else { return nil }
    let document = Int(byID[low])
    return objectIDBytes(of: document).elementsEqual(key) ? document : nil
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

    /// Adds a record. Object IDs must differ.
    mutating func add(objectID: some Collection<UInt8>, record: some Collection<UInt8>) {
      bytes.append(contentsOf: record)
      offsets.append(bytes.count)
      idBytes.append(contentsOf: objectID)
      idOffsets.append(idBytes.count)
    }

    /// Sorts the object IDs and returns the store.
    consuming func build(_ cancellation: CancellationCheck) throws -> RecordStore {
      let count = offsets.count - 1
      let idBytes = idBytes
      let idOffsets = idOffsets
      let byID = try ByteStringOrder.sorted(count: count, cancellation) {
        idBytes[idOffsets[$0]..<idOffsets[$0 + 1]]
      }
      var idOrder = [UInt32](repeating: 0, count: count)
      for (rank, document) in byID.enumerated() {
        idOrder[Int(document)] = UInt32(truncatingIfNeeded: rank)
      }
      return RecordStore(
        bytes: bytes, offsets: offsets, idBytes: idBytes, idOffsets: idOffsets, byID: byID,
        idOrder: idOrder)
    }
  }
}
