import InstantSearchJSON

extension JSONNode {
  /// Whether arrays and objects are nested in one another more than `limit` times, this value
  /// counted.
  ///
  /// - Complexity: O(n) for n bytes; O(1) for texts too short to be nested so deeply.
  func isNested(deeperThan limit: Int) -> Bool {
    let source = source
    guard source.count > 2 * limit else { return false }
    var depth = 0
    var isInText = false
    var isEscaped = false
    for byte in source {
      if isEscaped {
        isEscaped = false
      } else if isInText {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { isInText = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          depth += 1
          if depth > limit { return true }
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
      }
    }
    return false
  }
}
