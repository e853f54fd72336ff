/// The filters of a tool: one argument for each facet and for each attribute with numbers.
struct FilterArguments: Sendable {
  /// An argument and the attribute that it filters by.
  struct Argument: Sendable, Hashable {
    let name: String
    let attribute: String
  }

  /// The arguments for facets, `facet_ATTRIBUTE`.
  let facets: [Argument]
  /// The arguments for numbers, `range_ATTRIBUTE`.
  let ranges: [Argument]

  init(_ index: SearchTool.Index) {
    var names = ToolNames()
    facets = index.facets.map { Argument(name: names.add("facet_" + $0), attribute: $0) }
    ranges = index.numericAttributes.map { Argument(name: names.add("range_" + $0), attribute: $0) }
  }

  /// How facets are given, for the description of a tool.
  static let facetAdvice =
    "A facet_ argument lists values that a record must all have; a list in the list is a choice of"
    + " values, and -value excludes one."

  /// The schemas of the arguments.
  var properties: [ToolSchema.Property] {
    let value: JSON = [
      "anyOf": [["type": "string"], ["type": "array", "items": ["type": "string"]]]
    ]
    return facets.map { facet in
      ToolSchema.Property(
        name: facet.name,
        schema: ToolSchema.list(
          "Values of \(facet.attribute), as in [\"a\"], or [[\"a\", \"b\"]] for a or b.", of: value,
          maximumCount: ToolArguments.maximumCount))
    }
      + ranges.map { range in
        ToolSchema.Property(
          name: range.name,
          schema: [
            "type": "object", "additionalProperties": false,
            "description": .string("Bounds of \(range.attribute), included."),
            "properties": ["min": ["type": "number"], "max": ["type": "number"]],
          ])
      }
  }

  /// A filter that was given, with the argument that it came from.
  struct Given: Sendable {
    let argument: Argument
    /// Whether it filters by a facet.
    var isFacet = true
    /// The filters that all must match.
    var filters: [Filter] = []
    /// Lists of filters, one of each of which must match.
    var choices: [[Filter.Facet]] = []
    /// The values of a facet that records must have.
    var values: [String] = []
  }

  /// Reads the filters.
  func read(_ arguments: ToolArguments) throws(ToolMistake) -> [Given] {
    var all: [Given] = []
    for facet in facets {
      guard let value = arguments[facet.name] else { continue }
      guard let elements = value.arrayValue else { throw Self.noList(facet) }
      try ToolArguments.check(elements.count, of: facet.name)
      var given = Given(argument: facet)
      for element in elements { try Self.add(element, to: &given) }
      all.append(given)
    }
    for range in ranges {
      guard let value = arguments[range.name] else { continue }
      var given = Given(argument: range, isFacet: false)
      given.filters = try Self.comparisons(value, of: range).map(\.filter)
      all.append(given)
    }
    return all
  }

  private static func noList(_ facet: Argument) -> ToolMistake {
    ToolMistake(
      "\(facet.name) must be a list of texts, such as [\"a\"] for a, or [[\"a\", \"b\"]] for a or b."
    )
  }

  /// Adds an element of a facet's list: a value, or a list of values of which a record has one.
  private static func add(
    _ element: JSON, to given: inout Given
  ) throws(ToolMistake) {
    let facet = given.argument
    if let text = element.stringValue {
      given.filters.append(try given.filter(text).filter)
      return
    }
    guard let alternatives = element.arrayValue else { throw noList(facet) }
    try ToolArguments.check(alternatives.count, of: facet.name)
    guard !alternatives.isEmpty else {
      throw ToolMistake("\(facet.name) has an empty list, which no record can match. Leave it out.")
    }
    var choice: [Filter.Facet] = []
    for alternative in alternatives {
      guard let text = alternative.stringValue else { throw noList(facet) }
      choice.append(try given.filter(text))
    }
    given.choices.append(choice)
  }

  /// The comparisons of a range.
  private static func comparisons(
    _ value: JSON, of range: Argument
  ) throws(ToolMistake) -> [Filter.Numeric] {
    let mistake = ToolMistake(
      "\(range.name) must be an object with numbers, such as {\"min\": 1, \"max\": 2}.")
    guard let members = value.objectValue, members.keys.allSatisfy(["min", "max"].contains) else {
      throw mistake
    }
    var filters: [Filter.Numeric] = []
    for (name, sign) in [("min", Filter.Numeric.Operator.greaterOrEqual), ("max", .lessOrEqual)] {
      guard let bound = members[name], !bound.isNull else { continue }
      guard let number = bound.doubleValue else { throw mistake }
      filters.append(Filter.Numeric(Attribute(range.attribute), sign, number))
    }
    if let least = members["min"]?.doubleValue, let most = members["max"]?.doubleValue, least > most
    {
      throw ToolMistake("\(range.name) has a min above its max. Exchange them.")
    }
    return filters
  }
}

extension FilterArguments.Given {
  /// The filter with one value alone.
  func only(_ value: String) -> FilterArguments.Given {
    var given = FilterArguments.Given(argument: argument)
    given.filters = [
      .facet(Filter.Facet(attribute: Attribute(argument.attribute), stringValue: value))
    ]
    return given
  }

  /// Returns a filter on a value, and notes the value. As in the contract, a minus excludes a
  /// value, and a backslash before it keeps it.
  fileprivate mutating func filter(_ text: String) throws(ToolMistake) -> Filter.Facet {
    try ToolArguments.check(text, of: argument.name)
    // By Unicode scalars, as the contract reads signs.
    var scalars = text.unicodeScalars[...]
    let isNegated = scalars.first == "-"
    if isNegated { scalars.removeFirst() }
    if scalars.starts(with: ["\\", "-"]) { scalars.removeFirst() }
    let value = String(String.UnicodeScalarView(scalars))
    guard !value.isEmpty else {
      throw ToolMistake("\(argument.name) has an empty value. Leave it out.")
    }
    if !isNegated, !values.contains(value) { values.append(value) }
    return Filter.Facet(
      attribute: Attribute(argument.attribute), stringValue: value, isNegated: isNegated)
  }
}

extension FilterGroups {
  /// The groups of several arguments, whose names differ.
  init(_ all: [FilterArguments.Given]) {
    self.init()
    for given in all {
      let name = given.argument.name
      self[and: name].add(contentsOf: given.filters)
      for (number, choice) in given.choices.enumerated() {
        // No argument has a slash in its name.
        self[or: "\(name)/\(number)"].add(contentsOf: choice)
      }
    }
  }
}
