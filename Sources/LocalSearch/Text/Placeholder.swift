/// A text in angle brackets in records, such as `<street number>`, that stands for other words.
struct Placeholder: Sendable, Hashable {
  /// The text as it is in records, with its brackets.
  let text: String

  /// The maximum length of a placeholder, in bytes.
  static let maximumLength = 100

  /// Reads a placeholder, or returns `nil` for a text that is none.
  init?(_ text: String) {
    let inner = text.dropFirst().dropLast()
    guard text.hasPrefix("<"), text.hasSuffix(">"), !inner.isEmpty,
      text.utf8.count <= Self.maximumLength, !inner.contains(where: { $0 == "<" || $0 == ">" })
    else { return nil }
    self.text = text
  }
}
