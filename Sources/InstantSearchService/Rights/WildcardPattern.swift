/// A pattern with `*` at its beginning, its end, or both, as keys have for indices and referers.
struct WildcardPattern: Sendable, Hashable {
  private let text: String
  private let hasHead: Bool
  private let hasTail: Bool

  /// Creates a pattern. Case counts, unless both texts are lowercased before.
  init(_ pattern: String) {
    hasHead = pattern.first == "*"
    hasTail = pattern.count > 1 && pattern.last == "*"
    text = String(pattern.dropFirst(hasHead ? 1 : 0).dropLast(hasTail ? 1 : 0))
  }

  /// Whether a name matches, by its bytes.
  func matches(_ name: String) -> Bool {
    let (text, name) = (Array(text.utf8), Array(name.utf8))
    switch (hasHead, hasTail) {
    case (false, false): return text == name
    case (true, false): return name.count >= text.count && name.suffix(text.count) == text[...]
    case (false, true): return name.starts(with: text)
    case (true, true): return text.isEmpty || name.firstRange(of: text) != nil
    }
  }
}
