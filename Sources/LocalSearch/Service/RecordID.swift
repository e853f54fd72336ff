import InstantSearchJSON

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
