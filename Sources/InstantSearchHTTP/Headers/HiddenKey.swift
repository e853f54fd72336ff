/// An API key that printing and reflection do not reveal.
package struct HiddenKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The key, only for the header that carries it.
  package let plainText: String

  /// Wraps a key.
  package init(_ plainText: String) {
    self.plainText = plainText
  }

  package var isEmpty: Bool { plainText.isEmpty }

  package var description: String { "<API key>" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
