/// A copy or a move of an index, as the body of the call describes it.
struct IndexOperation: Sendable {
  /// A part of an index to copy instead of the whole index.
  enum Scope: String, Sendable, CaseIterable {
    case settings
    case synonyms
    case rules
  }

  let isMove: Bool
  let source: String
  let destination: String
  /// The parts to copy. If empty, everything is copied, including the records. A move takes
  /// everything.
  let scopes: [Scope]

  /// Creates an operation that was checked.
  init(isMove: Bool, source: String, destination: String, scopes: [Scope]) {
    self.isMove = isMove
    self.source = source
    self.destination = destination
    self.scopes = scopes
  }
}
