import AsyncInstantSearchTesting
import JSONProperties

/// Generates values whose keys and texts match what types expect, changes them, and writes them in
/// all forms that the grammar allows.
struct RandomShapes {
  var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func choose<Element>(_ elements: [Element]) -> Element {
    elements[pick(elements.count)]
  }

  /// A value without any of the ``FoundationDifference``s.
  mutating func value(depth: Int = 0) -> ReferenceValue {
    // Containers outside, scalars only deep inside.
    switch pick(depth == 0 ? 6 : depth > 4 ? 8 : 14) + (depth == 0 ? 8 : 0) {
    case 0: return ReferenceValue(.null)
    case 1: return ReferenceValue(.bool(pick(2) == 0))
    case 2, 3, 4: return ReferenceValue(.number(choose(Vocabulary.numbers)))
    case 5, 6, 7: return ReferenceValue(.string(Array(choose(Vocabulary.texts).utf8)))
    case 8, 9:
      return ReferenceValue(.array((0..<pick(5)).map { _ in value(depth: depth + 1) }))
    default:
      var names = Vocabulary.names
      return ReferenceValue(
        .object(
          (0..<pick(8)).map { _ in
            let name = names.remove(at: pick(names.count))
            return ReferenceValue.Member(name, value(depth: depth + 1))
          }))
    }
  }

  // MARK: - Changes

  /// The value with a nested value replaced, added, removed or moved.
  mutating func changed(_ value: ReferenceValue) -> ReferenceValue {
    var copy = value
    switch value.content {
    case .array(var elements) where !elements.isEmpty:
      let index = pick(elements.count)
      switch pick(10) {
      case 0: elements.remove(at: index)
      case 1: elements.append(elements[index])
      case 2: elements.insert(self.value(depth: 2), at: index)
      case 3: elements.shuffle(using: &random)
      default: elements[index] = changed(elements[index])
      }
      copy.content = .array(elements)
    case .object(var members) where !members.isEmpty:
      let index = pick(members.count)
      switch pick(10) {
      case 0: members.remove(at: index)
      case 1:
        let unused = Vocabulary.names.filter { name in !members.contains { $0.name == name } }
        members[index] = ReferenceValue.Member(choose(unused), members[index].value)
      case 2: members.shuffle(using: &random)
      default: members[index].value = changed(members[index].value)
      }
      copy.content = .object(members)
    default: copy = self.value(depth: 1 + pick(5))
    }
    return copy
  }

  /// The value with other values inserted before some members, under the same keys.
  mutating func withRepetitions(_ value: ReferenceValue) -> ReferenceValue {
    var copy = value
    switch value.content {
    case .array(let elements): copy.content = .array(elements.map { withRepetitions($0) })
    case .object(let members):
      var result: [ReferenceValue.Member] = []
      for member in members {
        var member = member
        member.value = withRepetitions(member.value)
        result.append(member)
        // Anywhere before the member that counts.
        for _ in 0..<max(0, pick(6) - 3) {
          let earlier = ReferenceValue.Member(member.name, self.value(depth: 3))
          result.insert(earlier, at: pick(result.count))
        }
      }
      copy.content = .object(result)
    default: break
    }
    return copy
  }

  // MARK: - Text

  /// The value as text, with escapes and white space where they are allowed.
  mutating func text(of value: ReferenceValue) -> [UInt8] {
    var text = ""
    let isCompact = pick(3) == 0
    write(value, isCompact: isCompact, to: &text)
    return Array(text.utf8)
  }

  private mutating func space(_ isCompact: Bool) -> String {
    isCompact || pick(4) > 0 ? "" : choose([" ", "\n", "\t", "\r\n", "  \t"])
  }

  private mutating func write(_ value: ReferenceValue, isCompact: Bool, to text: inout String) {
    text += space(isCompact)
    switch value.content {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let number): text += number
    case .string(let string): text += quoted(String(decoding: string, as: UTF8.self))
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        write(element, isCompact: isCompact, to: &text)
      }
      text += space(isCompact) + "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        text += space(isCompact) + quoted(member.name) + space(isCompact) + ":"
        write(member.value, isCompact: isCompact, to: &text)
      }
      text += space(isCompact) + "}"
    }
    text += space(isCompact)
  }

  private mutating func quoted(_ string: String) -> String {
    // Foundation recognizes the names of floats only without escapes.
    let escapesMuch = pick(6) == 0 && !["inf", "-inf", "nan"].contains(string)
    var text = "\""
    for scalar in string.unicodeScalars {
      if scalar == "\"" || scalar == "\\" || scalar.value < 0x20 || (escapesMuch && pick(2) == 0) {
        text += escape(scalar)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  private mutating func escape(_ scalar: Unicode.Scalar) -> String {
    let short: [Unicode.Scalar: String] = [
      "\"": "\\\"", "\\": "\\\\", "/": "\\/", "\u{8}": "\\b", "\u{C}": "\\f", "\n": "\\n",
      "\r": "\\r", "\t": "\\t",
    ]
    if let escape = short[scalar], pick(2) == 0 { return escape }
    let isUppercase = pick(2) == 0
    return String(scalar).utf16.map { unit in
      let digits = String(unit, radix: 16, uppercase: isUppercase)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    .joined()
  }
}
