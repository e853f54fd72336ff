import InstantSearchJSON

/// The answer that hits came in, for what is read of it later.
final class HitAnswer: Sendable {
  let document: JSONDocument
  /// The tags of the highlights.
  let tags: HighlightedString.Tags
  /// The sets of keys that were met in trees read later: mostly each hit has the same attributes.
  private let shapes = Lock(ObjectShapes())

  init(document: JSONDocument, tags: HighlightedString.Tags) {
    self.document = document
    self.tags = tags
  }

  /// All members of an object by key.
  func members<Value>(
    ofObjectAt index: Int, _ value: (_ index: Int) -> Value
  ) -> [String: Value] {
    let numbers = shapes.withLock { $0.numbers(ofObjectAt: index, in: document) }
    return document.members(ofObjectAt: index, numbers: numbers, value)
  }
}
