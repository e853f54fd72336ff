/// A copy or a move of an index, as the body of the call describes it.
package struct IndexOperation: Sendable {
  /// A part of an index to copy instead of the whole index.
  package enum Scope: String, Sendable, CaseIterable {
    case settings
    case synonyms
    case rules
  }

  package let isMove: Bool
  package let source: String
  package let destination: String
  /// The parts to copy. If empty, everything is copied, including the records. A move takes
  /// everything.
  package let scopes: [Scope]

  /// Creates an operation that was checked.
  init(isMove: Bool, source: String, destination: String, scopes: [Scope]) {
    self.isMove = isMove
    self.source = source
    self.destination = destination
    self.scopes = scopes
  }
}
