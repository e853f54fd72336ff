/// An API key that does not show itself: neither printing nor reflection gives it away.
struct APIKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The key, for the header that carries it and for nothing else.
  let plainText: String

  /// Wraps a key.
  init(_ plainText: String) {
    self.plainText = plainText
  }

  var isEmpty: Bool { plainText.isEmpty }

  var description: String { "<API key>" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
