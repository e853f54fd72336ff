import AsyncInstantSearchTesting

/// Writes random valid JSON in all forms that the grammar allows.
struct RandomJSON {
  var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  mutating func text() -> String {
    space() + value(depth: 0) + space()
  }

  private mutating func space() -> String {
    pick(4) > 0 ? "" : [" ", "\n", "\t", "\r\n", "  \t"][pick(5)]
  }

  private mutating func value(depth: Int) -> String {
    switch pick(depth > 4 ? 6 : 9) {
    case 0: return ["null", "true", "false"][pick(3)]
    case 1, 2, 3: return number()
    case 4, 5: return string()
    case 6:
      let elements = (0..<pick(5)).map { _ in space() + value(depth: depth + 1) + space() }
      return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
    default:
      let members = (0..<pick(6)).map { index in
        space() + string(prefix: "\(index)") + space() + ":" + space() + value(depth: depth + 1)
          + space()
      }
      return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
    }
  }

  private mutating func digits(_ most: Int) -> String {
    (0...pick(most)).map { _ in "\(pick(10))" }.joined()
  }

  /// A number whose exponent stays below a bound.
  mutating func number(exponent: Int = 260) -> String {
    var text = pick(3) == 0 ? "-" : ""
    text += pick(4) == 0 ? "0" : "\(1 + pick(9))" + (pick(2) == 0 ? "" : digits(18))
    if pick(2) == 0 { text += "." + digits(18) }
    if pick(3) == 0 {
      text += ["e", "E"][pick(2)] + ["", "+", "-"][pick(3)] + "\(pick(exponent))"
    }
    return text
  }

  private mutating func string(prefix: String = "") -> String {
    var text = "\"" + prefix
    for _ in 0..<pick(12) {
      switch pick(14) {
      case 0: text += ["\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t"][pick(8)]
      case 1: text += ["\\u00e9", "\\u0041", "\\u20AC", "\\uFFFD", "\\u0000"][pick(5)]
      case 2: text += ["\\ud83d\\ude00", "\\uD834\\uDD1E"][pick(2)]
      case 3: text += ["é", "ß", "€", "語", "😀", "\u{7F}", "\u{2028}"][pick(7)]
      default: text += String(Unicode.Scalar(UInt8(ascii: "a") + UInt8(pick(26))))
      }
    }
    return text + "\""
  }
}
