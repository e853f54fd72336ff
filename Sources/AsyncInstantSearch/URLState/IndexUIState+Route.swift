extension IndexUIState {
  /// The name of the only member of `geoSearch`.
  private static let cornersName = "boundingBox"

  /// The values that a URL holds: the known keys in the web library's order, then the others
  /// sorted. Numbers and Booleans are text.
  package var route: [(name: String, value: RouteValue)] {
    var members: [(name: String, value: RouteValue)] = []
    func add(_ key: Key, _ text: String?) {
      if let text { members.append((key.rawValue, .text(text))) }
    }
    func add<Value>(_ key: Key, _ values: [String: Value], _ route: (Value) -> RouteValue) {
      if !values.isEmpty { members.append((key.rawValue, .object(values.mapValues(route)))) }
    }
    add(.query, query.isEmpty ? nil : query)
    add(.page, page == 1 ? nil : String(page))
    add(.hitsPerPage, hitsPerPage.map(String.init))
    add(.sortBy, sortBy)
    add(.refinementList, refinementList) { .list($0.map(RouteValue.text)) }
    add(.menu, menu) { .text($0) }
    add(.hierarchicalMenu, hierarchicalMenu) { .list($0.map(RouteValue.text)) }
    add(.range, range) { .text($0.description) }
    add(.numericMenu, numericMenu) { .text($0.description) }
    add(.ratingMenu, ratingMenu) { .text($0.plainNumber) }
    add(.toggle, toggle) { .text(String($0)) }
    add(.comparison, comparison) { .text($0.plainNumber) }
    add(.filters, filters) { .list($0.map(RouteValue.text)) }
    add(.geoSearch, geoSearch.map { [Self.cornersName: $0] } ?? [:]) { .text($0.description) }
    add(.relevantSort, relevantSort.map(String.init))
    add(.showMore, showMore) { .text(String($0)) }
    add(.facetQuery, facetQuery) { .text($0) }
    return members + (RouteValue.object(additional).members ?? [])
  }

  /// Reads values from a URL.
  ///
  /// A value of a form that its key does not expect is omitted and reported.
  ///
  /// - Parameters:
  ///   - members: The values by name.
  ///   - path: The names above them, for problems.
  init(
    route members: [(name: String, value: RouteValue)], path: [String],
    problems: inout [UIState.Problem]
  ) {
    self.init()
    var unknown: [String: RouteValue] = [:]
    for (name, value) in members {
      var reader = RouteReader(value: value, path: path + [name])
      if let key = Key(rawValue: name) {
        read(key, from: &reader)
      } else if value.isReadable(level: path.count + 1) {
        unknown[name] = value
      } else {
        reader.report("at most \(RouteParser.maximumDepth) names in brackets")
      }
      problems += reader.problems
    }
    additional = unknown
  }

  private mutating func read(_ key: Key, from reader: inout RouteReader) {
    switch key {
    case .query: query = reader.text() ?? ""
    case .page: page = reader.number(in: 1...Int.max) ?? 1
    case .hitsPerPage: hitsPerPage = reader.number(in: 0...Int.max)
    case .sortBy: sortBy = reader.text()
    case .refinementList: refinementList = reader.members { $0.texts() }
    case .menu: menu = reader.members { $0.text() }
    case .hierarchicalMenu: hierarchicalMenu = reader.members { $0.texts() }
    case .range: range = reader.members { $0.bounds() }
    case .numericMenu:
      numericMenu = reader.members {
        $0.text(as: #"a number or "minimum:maximum""#, NumberChoice.init)
      }
    case .ratingMenu:
      ratingMenu = reader.members { $0.text(as: "a number") { Double(decimal: $0) } }
    case .toggle: toggle = reader.members { $0.flag() }
    case .comparison:
      comparison = reader.members { $0.text(as: "a number") { Double(decimal: $0) } }
    case .filters: filters = reader.members { $0.texts() }
    case .geoSearch: geoSearch = Self.corners(&reader)
    case .relevantSort: relevantSort = reader.number(in: 0...100)
    case .showMore: showMore = reader.members { $0.flag() }
    case .facetQuery: facetQuery = reader.members { $0.text() }
    case .configure: reader.report("no parameters of the application in a URL")
    }
  }

  private static func corners(_ reader: inout RouteReader) -> MapCorners? {
    let expected = #""latitude,longitude,latitude,longitude" of the northeast and the southwest"#
    let corners = reader.members { member -> MapCorners? in
      guard member.path.last == cornersName else {
        member.report("only the member \"\(cornersName)\"")
        return nil
      }
      return member.text(as: expected, MapCorners.init)
    }
    return corners[cornersName]
  }
}

/// Reads one value of a route and reports unreadable values.
struct RouteReader {
  let value: RouteValue
  /// The names of the value and of its parents.
  let path: [String]
  private(set) var problems: [UIState.Problem] = []

  init(value: RouteValue, path: [String]) {
    self.value = value
    self.path = path
  }

  mutating func report(_ expected: String) {
    problems.append(UIState.Problem(path: path, text: value.summary, expected: expected))
  }

  mutating func text() -> String? {
    guard case .text(let text) = value else {
      report("one text")
      return nil
    }
    return text
  }

  /// Reads text in a special form. Empty text counts as a missing value.
  mutating func text<Value>(as expected: String, _ read: (String) -> Value?) -> Value? {
    guard case .text(let text) = value,
      let read = text.isEmpty ? .some(nil) : read(text).map(Optional.some)
    else {
      report(expected)
      return nil
    }
    return read
  }

  mutating func number(in range: ClosedRange<Int>) -> Int? {
    let limits =
      range.upperBound == .max
      ? "from \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
    return text(as: "a whole number \(limits)") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// Reads bounds: as one text, or as two members from two fields of a form.
  mutating func bounds() -> NumberBounds? {
    guard case .object(let members) = value, !members.isEmpty,
      Set(members.keys).isSubset(of: ["min", "max"])
    else { return text(as: #""minimum:maximum""#, NumberBounds.init) }
    let numbers = self.members { $0.text(as: "a number") { Double(decimal: $0) } }
    return NumberBounds(lower: numbers["min"], upper: numbers["max"])
  }

  mutating func flag() -> Bool? {
    text(as: "true or false") { text in
      switch text {
      case "true", "1": true
      case "false", "0": false
      default: nil
      }
    }
  }

  /// Reads a list of texts. One text is a list, too.
  mutating func texts() -> [String]? {
    guard let elements = value.elements else {
      report("a list of texts")
      return nil
    }
    var texts: [String] = []
    for (index, element) in elements.enumerated() {
      if case .text(let text) = element {
        texts.append(text)
      } else {
        let problem = UIState.Problem(
          path: path + [String(index)], text: element.summary, expected: "one text")
        problems.append(problem)
      }
    }
    return texts
  }

  /// Reads each member of an object.
  mutating func members<Value>(_ read: (inout RouteReader) -> Value?) -> [String: Value] {
    guard let members = value.members else {
      if value != .text("") { report("values by attribute") }
      return [:]
    }
    var values: [String: Value] = [:]
    for (name, value) in members {
      var reader = RouteReader(value: value, path: path + [name])
      values[name] = read(&reader)
      problems += reader.problems
    }
    return values
  }
}
