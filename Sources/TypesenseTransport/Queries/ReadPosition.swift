import InstantSearchJSON

/// Where reading the documents of a collection goes on.
///
/// Documents are read in the order of their numbers, which few have in common. A document that is
/// written or deleted meanwhile neither hides nor repeats another.
struct ReadPosition: Sendable, Hashable {
  /// The number of the last document that was read; see ``FieldName/order``.
  var order: Int64 = 0
  /// How many documents with this number were read.
  var count = 0

  /// Returns the documents among hits that were not read yet, each with the position after it.
  ///
  /// - Parameter hits: The hits whose numbers are ``order`` or greater, in the order of the
  ///   numbers.
  func documents(in hits: [JSONNode]) -> [(document: JSONNode, next: ReadPosition)] {
    var position = self
    var skipped = 0
    return hits.compactMap { hit in
      guard let document = hit["document"], let number = document[FieldName.order]?.int64 else {
        return nil
      }
      if number == order, skipped < count {
        skipped += 1
        return nil
      }
      position = ReadPosition(
        order: number, count: number == position.order ? position.count + 1 : 1)
      return (document, position)
    }
  }
}
