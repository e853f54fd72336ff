import AsyncInstantSearch
import AsyncInstantSearchTesting

/// Makes random states with texts that a URL has to escape.
struct RandomUIState {
  private static let pieces = [
    "", "a", "b", "0", "7", "99", "100", "é", "日本", "😀", " ", "+", "-", "\\-", "%", "%5B", "%25",
    "%3",
    "[", "]", "[]", "[0]", "&", "=", "]=", "?", "#", ";", ":", ",", ".", "/", "\"", "<", "\u{0}",
    "\n",
    "query", "page", "constructor", "__proto__", "true", "null", "e\u{301}",
  ]

  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

  mutating func text() -> String {
    var text = ""
    for _ in 0...number(below: 3) { text += Self.pieces[number(below: Self.pieces.count)] }
    return text
  }

  mutating func double() -> Double {
    switch number(below: 4) {
    case 0: Double(number(below: 100))
    case 1: -Double(number(below: 1_000)) / 8
    case 2: Double(number(below: 1_000)) / 10
    default: Double(bitPattern: generator.next())
    }
  }

  mutating func state() -> UIState {
    var state = UIState()
    for _ in 0..<number(below: 4) { state[text()] = index() }
    return state
  }

  mutating func index() -> IndexUIState {
    var state = IndexUIState()
    if number(below: 2) == 0 { state.query = text() }
    if number(below: 2) == 0 { state.page = number(below: 50) - 5 }
    if number(below: 4) == 0 { state.hitsPerPage = number(below: 50) - 5 }
    if number(below: 4) == 0 { state.sortBy = text() }
    if number(below: 2) == 0 { state.refinementList = members { $0.texts() } }
    if number(below: 4) == 0 { state.menu = members { $0.text() } }
    if number(below: 4) == 0 { state.hierarchicalMenu = members { $0.texts() } }
    if number(below: 4) == 0 { state.range = members { $0.bounds() } }
    if number(below: 4) == 0 {
      state.numericMenu = members {
        $0.number(below: 2) == 0 ? .exactly($0.double()) : .within($0.bounds())
      }
    }
    if number(below: 4) == 0 { state.ratingMenu = members { $0.double() } }
    if number(below: 4) == 0 { state.toggle = members { $0.number(below: 3) > 0 } }
    if number(below: 4) == 0 { state.geoSearch = .init(northEast: point(), southWest: point()) }
    if number(below: 4) == 0 { state.relevantSort = number(below: 140) - 20 }
    if number(below: 3) == 0 { state.additional = members { $0.value(depth: 4) } }
    return state
  }

  /// A value of at most that many levels of lists and objects.
  mutating func value(depth: Int) -> RouteValue {
    switch depth == 0 ? 0 : number(below: 3) {
    case 0: return .text(text())
    case 1:
      let count = depth == 1 && number(below: 30) == 0 ? 120 : number(below: 3)
      return .list((0..<count).map { _ in value(depth: depth - 1) })
    default: return .object(members { $0.value(depth: depth - 1) })
    }
  }

  private mutating func texts() -> [String] {
    let count = number(below: 20) == 0 ? 101 + number(below: 40) : number(below: 4)
    return (0..<count).map { _ in text() }
  }

  private mutating func bounds() -> NumberBounds {
    NumberBounds(
      lower: number(below: 3) == 0 ? nil : double(), upper: number(below: 3) == 0 ? nil : double())
  }

  private mutating func point() -> Point {
    Point(
      latitude: Double(number(below: 1_800) - 900) / 10,
      longitude: Double(number(below: 3_600) - 1_800) / 10)
  }

  private mutating func members<Value>(
    _ make: (inout RandomUIState) -> Value
  ) -> [String: Value] {
    var members: [String: Value] = [:]
    for _ in 0...number(below: 3) {
      members[number(below: 4) == 0 ? String(number(below: 110)) : text()] = make(&self)
    }
    return members
  }
}
