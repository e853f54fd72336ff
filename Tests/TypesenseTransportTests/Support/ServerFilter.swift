import TypesenseTransport

/// Evaluates a filter as the server does: both operators bind equally, from left to right.
struct ServerFilter {
  private var text: Substring
  private let document: JSON

  /// Whether a document matches a filter.
  static func matches(_ filter: String, _ document: JSON) -> Bool {
    var parser = ServerFilter(text: filter[...], document: document)
    let result = parser.expression()
    precondition(parser.text.isEmpty, "left: \(parser.text)")
    return result
  }

  private init(text: Substring, document: JSON) {
    self.text = text
    self.document = document
  }

  private mutating func takes(_ token: String) -> Bool {
    text = text.drop { $0 == " " }
    guard text.hasPrefix(token) else { return false }
    text = text.dropFirst(token.count)
    return true
  }

  private mutating func expression() -> Bool {
    var result = operand()
    while true {
      if takes("&&") {
        let next = operand()
        result = result && next
      } else if takes("||") {
        let next = operand()
        result = result || next
      } else {
        return result
      }
    }
  }

  private mutating func operand() -> Bool {
    if takes("(") {
      let result = expression()
      precondition(takes(")"))
      return result
    }
    text = text.drop { $0 == " " }
    let term = text.prefix { $0 != " " && $0 != ")" }
    text = text.dropFirst(term.count)
    return matches(term)
  }

  private func matches(_ term: Substring) -> Bool {
    let field = String(term.prefix { $0 != ":" })
    let condition = term.dropFirst(field.count + 1)
    let values = document[field]?.arrayValue ?? document[field].map { [$0] } ?? []
    if ["_f", "id", "kind", "version"].contains(field) {
      let isNegated = condition.hasPrefix("!=")
      let list = condition.dropFirst(isNegated ? 2 : 1).drop { $0 == "[" }
        .split(separator: ",").map { $0.hasSuffix("]") ? $0.dropLast() : $0 }.map(String.init)
      let codes = Set(values.compactMap(\.stringValue))
      return codes.isDisjoint(with: list) == isNegated
    }
    let numbers = values.compactMap { $0.intValue }
    if condition.hasPrefix("[") {
      let bounds = condition.dropFirst().dropLast().split(separator: ".").compactMap { Int($0) }
      return numbers.contains { bounds[0] <= $0 && $0 <= bounds[1] }
    }
    let sign = condition.prefix { !$0.isNumber && $0 != "-" }
    let operand = Int(condition.dropFirst(sign.count)) ?? 0
    return numbers.contains { number in
      switch sign {
      case "=": number == operand
      case "<": number < operand
      case "<=": number <= operand
      case ">": number > operand
      default: number >= operand
      }
    }
  }
}
