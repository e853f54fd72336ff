import InstantSearchJSON

/// The action of a batch on each of its records.
///
/// Source: the actions of `batch` in the OpenAPI description of the hosted service.
enum BatchAction: String, Sendable {
  case save = "addObject"
  case update = "partialUpdateObject"
  case updateExisting = "partialUpdateObjectNoCreate"
  case delete = "deleteObject"

  /// Whether a record without an ID gets a generated one.
  var generatesIDs: Bool { self == .save }

  /// The JSON before a record.
  var head: [UInt8] { Array(#"{"action":"\#(rawValue)","body":"#.utf8) }
}

/// The encoded records of one request.
struct RecordBatch: Sendable {
  /// A record of the batch.
  struct Entry: Sendable {
    let objectID: String
    /// The number of the record in the whole call, from 0.
    let number: Int
    /// The place of its JSON.
    let range: Range<Int>
  }

  /// The JSON of the records, one after the other.
  private var bytes: [UInt8] = []
  private(set) var entries: [Entry] = []
  /// The IDs of the records.
  private(set) var objectIDs: Set<String> = []

  /// Returns the size of the request with one more record, in bytes.
  func size(with record: EncodedRecord, _ action: BatchAction) -> Int {
    let count = entries.count + 1
    return bytes.count + record.bytes.count + count * (action.head.count + 2) + 16
  }

  /// Adds a record.
  mutating func append(_ record: EncodedRecord, number: Int) {
    let start = bytes.count
    bytes += record.bytes
    entries.append(
      Entry(objectID: record.objectID, number: number, range: start..<bytes.count))
    objectIDs.insert(record.objectID)
  }

  /// Returns the body of the request that writes some of the records.
  func body(of entries: ArraySlice<Entry>, _ action: BatchAction) -> [UInt8] {
    let head = action.head
    var body = Array(#"{"requests":["#.utf8)
    let size = entries.reduce(0) { $0 + $1.range.count + head.count + 2 }
    body.reserveCapacity(body.count + size + 2)
    for entry in entries {
      if entry.range != entries.first?.range { body.append(UInt8(ascii: ",")) }
      body += head
      body += bytes[entry.range]
      body.append(UInt8(ascii: "}"))
    }
    body += "]}".utf8
    return body
  }
}

/// A record as it is sent: a JSON object with its ID.
struct EncodedRecord: Sendable {
  let objectID: String
  let bytes: [UInt8]
}

/// Encodes the records of one call.
struct RecordEncoder {
  private let encoder: JSONValueEncoder
  private let action: BatchAction
  private let options: IndexingOptions

  /// Creates the encoder of a client's records.
  ///
  /// - Throws: `invalidRequest` if the client reads dates in a custom form, and has no encoding.
  init(
    _ client: SearchClient, _ action: BatchAction, _ options: IndexingOptions
  ) throws(SearchError) {
    guard let encoding = client.encoding ?? RecordEncoding(writing: client.decoding) else {
      throw SearchError(
        .invalidRequest,
        "The client reads dates in a custom form. Set its encoding, so that it can write them.")
    }
    encoder = JSONValueEncoder(options: encoding.options)
    self.action = action
    self.options = options
  }

  /// Returns the encoded record, or why it cannot be sent.
  ///
  /// - Parameter number: The number of the record in the call, from 0.
  func encode(
    _ record: some Encodable, number: Int
  ) -> Result<EncodedRecord, RefusedRecord> {
    func refused(
      _ reason: String, _ objectID: String? = nil, path: [String] = []
    ) -> RefusedRecord {
      RefusedRecord(
        failure: HitFailure(
          position: number + 1, objectID: objectID, codingPath: path, reason: reason))
    }
    let bytes: [UInt8]
    let root: JSONNode
    do {
      bytes = try encoder.encode(record)
      root = try JSONDocument(bytes).root
    } catch {
      let objectID = Self.objectID(of: record)
      if case EncodingError.invalidValue(_, let context) = error {
        return .failure(
          refused(
            context.debugDescription, objectID, path: DecodingIssue.steps(context.codingPath)))
      }
      return .failure(refused(SearchError(encodingFailure: error).message, objectID))
    }
    guard root.kind == .object else {
      return .failure(refused("a record must encode as an object"))
    }
    let encoded: EncodedRecord
    if let id = root["objectID"] {
      guard let objectID = id.string ?? id.int.map(String.init), !objectID.isEmpty else {
        return .failure(
          refused("objectID must be a text that is not empty, or an integer", path: ["objectID"]))
      }
      encoded = EncodedRecord(objectID: objectID, bytes: bytes)
    } else if action.generatesIDs {
      let objectID = options.makeObjectID()
      guard !objectID.isEmpty else { return .failure(refused("makeObjectID returned no ID")) }
      encoded = EncodedRecord(
        objectID: objectID, bytes: Self.object(bytes, count: root.count, withID: objectID))
    } else {
      return .failure(refused("a record without objectID cannot be updated"))
    }
    if let limit = options.maximumRecordBytes, encoded.bytes.count > limit {
      return .failure(
        refused(
          "it has \(encoded.bytes.count) bytes, expected at most \(limit)", encoded.objectID))
    }
    return .success(encoded)
  }

  /// Returns an object with an ID as its first member.
  private static func object(_ bytes: [UInt8], count: Int, withID objectID: String) -> [UInt8] {
    var writer = JSONWriter(capacity: bytes.count + objectID.utf8.count + 16)
    writer.beginObject()
    writer.key("objectID")
    writer.string(objectID)
    writer.endObject()
    if count == 0 { return writer.bytes }
    return writer.bytes.dropLast() + [UInt8(ascii: ",")] + bytes.dropFirst()
  }

  /// Returns the property `objectID` of a record that cannot be encoded, for its message.
  private static func objectID(of record: some Encodable) -> String? {
    switch Mirror(reflecting: record).descendant("objectID") {
    case let id as String: id
    case let id as any BinaryInteger: "\(id)"
    default: nil
    }
  }
}

/// A record that is not sent.
struct RefusedRecord: Error {
  let failure: HitFailure
}
