/// A copy or a move of an index, as the body of the call describes it.
struct IndexOperation: Sendable {
  /// What is copied instead of the whole index.
  enum Scope: String, Sendable, CaseIterable {
    case settings
    case synonyms
    case rules
  }

  let isMove: Bool
  let source: String
  let destination: String
  /// What is copied; everything, records included, if empty. A move takes everything.
  let scopes: [Scope]

  /// Creates an operation that was checked.
  init(isMove: Bool, source: String, destination: String, scopes: [Scope]) {
    self.isMove = isMove
    self.source = source
    self.destination = destination
    self.scopes = scopes
  }
}
