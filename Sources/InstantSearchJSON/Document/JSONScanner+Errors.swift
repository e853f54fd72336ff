extension JSONScanner {
  /// An error at a position: what was expected, and the byte found there.
  @inline(never)
  func unexpected(_ expected: String, at position: Int) -> JSONError {
    let found: String
    if position >= text.count {
      found = "the end of the input"
    } else {
      let byte = text[position]
      switch byte {
      case 0x21..<0x7F: found = "'\(Character(Unicode.Scalar(byte)))'"
      case 0x20: found = "a space"
      case 0x80...: found = "the byte 0x\(String(byte, radix: 16, uppercase: true))"
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        found = "the control character U+00\(digits.count < 2 ? "0" : "")\(digits)"
      }
    }
    return JSONError("expected \(expected), found \(found)", at: position, in: text)
  }

  /// An object has a key that is longer than allowed.
  @inline(never)
  func keyTooLong(_ size: Int, at position: Int) -> JSONError {
    JSONError(
      "expected a key of at most \(limits.keySize) bytes, found \(size)", at: position, in: text)
  }

  /// An error for a value that is larger than a word of the tape can tell.
  @inline(never)
  func tooLarge(_ size: Int, _ what: String, limit: Int? = nil, at position: Int) -> JSONError {
    JSONError(
      "expected at most \(limit ?? limits.size) \(what), found \(size)", at: position, in: text)
  }

  /// An error for a container within too many others.
  @inline(never)
  func tooDeep(at position: Int) -> JSONError {
    JSONError(
      "expected at most \(limits.depth) nested arrays and objects, found one more",
      at: position, in: text)
  }
}
