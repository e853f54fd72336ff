/// An entry of `attributesToSnippet`: an attribute, or `*`, with the length of its snippets.
package struct SnippetEntry: Sendable {
  /// The attribute.
  package let path: String
  /// The length in words; `nil` for the default.
  package let length: Int?

  /// Reads an entry such as `body` or `body:20`. Another text after a colon belongs to the name.
  package init(_ entry: String) {
    guard let colon = entry.utf8.lastIndex(of: UInt8(ascii: ":")),
      let length = Int(entry[entry.utf8.index(after: colon)...])
    else {
      path = entry
      length = nil
      return
    }
    path = String(entry[..<colon])
    self.length = length
  }
}
