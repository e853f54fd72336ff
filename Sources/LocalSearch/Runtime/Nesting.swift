/// The nesting of arrays and objects in a JSON text that is read in pieces.
///
/// It only tracks where texts, arrays and objects begin and end. A parser finds the errors.
struct Nesting {
  /// The length of a piece, in bytes.
  static let pieceLength = 1 << 16

  /// The largest number of arrays and objects around a byte.
  private(set) var deepest = 0
  private var depth = 0
  private var isInText = false
  private var isEscaped = false

  /// Reads a part of some bytes.
  ///
  /// - Returns: The index of the comma or bracket that ends an element of an array whose beginning
  ///   was not read, or `nil` if the element continues.
  mutating func end(in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    var (depth, isInText, isEscaped) = (depth, isInText, isEscaped)
    defer { (self.depth, self.isInText, self.isEscaped) = (depth, isInText, isEscaped) }
    for index in range {
      let byte = bytes[index]
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
          deepest = max(deepest, depth)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return index }
          depth -= 1
        case UInt8(ascii: ","): if depth == 0 { return index }
        default: break
        }
      }
    }
    return nil
  }
}
