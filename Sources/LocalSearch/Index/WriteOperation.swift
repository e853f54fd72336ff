/// One change of an index; already validated.
package enum WriteOperation: Sendable {
  /// Adds a record, or replaces the one with the same object ID. `record` is a JSON object holding
  /// `objectID`.
  case put(objectID: String, record: [UInt8])
  /// Removes a record; nothing happens if there is none.
  case delete(objectID: String)
  /// Removes all records.
  case clear
}
