/// The components of an attribute's path, which dots separate, or those that are left of them.
///
/// Every path has at least one; those of `a..b` are `a`, an empty one and `b`.
struct PathComponents: Sendable {
  private var rest: Substring.UTF8View?

  /// Creates what has no components.
  init() {}

  /// The components of a path.
  init(_ path: String) { rest = path[...].utf8 }

  /// Whether none are left.
  var isEmpty: Bool { rest == nil }

  /// Takes the first component off; `nil` when none is left.
  mutating func next() -> Substring? {
    guard let text = rest else { return nil }
    guard let dot = text.firstIndex(of: UInt8(ascii: ".")) else {
      rest = nil
      return Substring(text)
    }
    rest = text[text.index(after: dot)...]
    return Substring(text[..<dot])
  }

  /// Takes off the components that others begin with, from these and from the others.
  ///
  /// - Returns: Those that are left here, of which the first is not that of the others; `nil` when
  ///   none is left.
  func removingCommon(
    with others: inout PathComponents, _ checkpoint: Checkpoint
  ) throws -> PathComponents? {
    var left = self
    while true {
      var ahead = left
      guard let component = ahead.next() else { return nil }
      try checkpoint.count(bytes: component.utf8.count)
      var othersAhead = others
      guard othersAhead.next() == component else { return left }
      left = ahead
      others = othersAhead
    }
  }

  /// The components before those that are left of the same path.
  func before(_ left: PathComponents) -> PathComponents {
    var before = PathComponents()
    if let text = rest, let end = left.rest?.startIndex, text.startIndex < end {
      before.rest = text[..<text.index(before: end)]
    }
    return before
  }
}
