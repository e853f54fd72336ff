/// A pattern with `*` at its beginning, its end, or both, as keys have for indices and referers.
struct WildcardPattern: Sendable, Hashable {
  private let text: String
  private let hasHead: Bool
  private let hasTail: Bool

  /// Creates a pattern. Case matters, unless the caller lowercases both texts.
  init(_ pattern: String) {
    hasHead = pattern.first == "*"
    hasTail = pattern.count > 1 && pattern.last == "*"
    text = String(pattern.dropFirst(hasHead ? 1 : 0).dropLast(hasTail ? 1 : 0))
  }

  /// Whether the pattern is a name, without `*`, and this one.
  func isName(_ name: String) -> Bool { !hasHead && !hasTail && text == name }

  /// Whether a name matches.
  ///
  /// Characters are compared by canonical equivalence, like the names of indices: a name in another
  /// Unicode form is the same index.
  func matches(_ name: String) -> Bool {
    switch (hasHead, hasTail) {
    case (false, false): text == name
    case (true, false): name.hasSuffix(text)
    case (false, true): name.hasPrefix(text)
    case (true, true): text.isEmpty || name.contains(text)
    }
  }
}
