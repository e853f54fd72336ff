// The texts of settings, such as `virtual(name)`, `desc( price )`, `body:20` and `address.city`.

extension String {
  /// Returns the text without spaces at its ends.
  package func trimmingSpaces() -> String {
    // Most texts begin and end with a printed ASCII character, which is seen faster.
    func isPrinted(_ byte: UInt8?) -> Bool { byte.map { $0 > 0x20 && $0 < 0x7F } ?? false }
    if isPrinted(utf8.first), isPrinted(utf8.last) { return self }
    var rest = Substring(self)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }

  /// Whether the text is the path of an attribute, or of one below it. Names are compared by their
  /// bytes, as in records.
  package func isPath(in attribute: String) -> Bool {
    utf8.starts(with: attribute.utf8)
      && (utf8.count == attribute.utf8.count
        || utf8.dropFirst(attribute.utf8.count).first == UInt8(ascii: "."))
  }

  /// Whether two paths are of one attribute, or one of them is below the other.
  package func isPath(overlapping attribute: String) -> Bool {
    isPath(in: attribute) || attribute.isPath(in: self)
  }
}

extension Substring {
  /// Returns the parts of `function(argument)` if the function is one of the given names.
  package func argument(of functions: [String]) -> (function: String, argument: Substring)? {
    guard utf8.last == UInt8(ascii: ")"), let opening = firstIndex(of: "(") else { return nil }
    let function = String(self[..<opening])
    guard functions.contains(function) else { return nil }
    return (function, self[index(after: opening)...].dropLast())
  }
}

/// `asc(attribute)` or `desc(attribute)`, in `ranking` and `customRanking`.
package struct SortCriterion: Sendable, Hashable {
  /// The dotted path of the attribute.
  package let attribute: String
  /// Whether smaller values come first.
  package let isAscending: Bool

  /// Creates a criterion.
  package init(attribute: String, isAscending: Bool) {
    self.attribute = attribute
    self.isAscending = isAscending
  }

  /// Reads `asc(a)` or `desc(a)`, with spaces at the ends of either. Other text is `nil`.
  package init?(_ text: String) {
    guard let part = Substring(text.trimmingSpaces()).argument(of: ["asc", "desc"]) else {
      return nil
    }
    let attribute = String(part.argument).trimmingSpaces()
    guard !attribute.isEmpty else { return nil }
    self.init(attribute: attribute, isAscending: part.function == "asc")
  }
}

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
