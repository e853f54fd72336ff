/// Where reading the documents of a collection goes on.
struct ReadPosition: Sendable, Hashable {
  /// The number of the last document that was read; see ``FieldName/order``.
  var order: Int64 = 0
  /// How many documents with this number were read.
  var count = 0
}
