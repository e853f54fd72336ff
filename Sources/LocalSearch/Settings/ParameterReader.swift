import InstantSearchJSON

/// Reads the parameters of one query, one after the other, and counts the work.
struct ParameterReader {
  private let checkpoint: Checkpoint
  private var values: ValueCount

  /// Creates a reader.
  init(_ checkpoint: Checkpoint) {
    self.checkpoint = checkpoint
    values = ValueCount(of: "parameters of a query", checkpoint)
  }

  /// Reads the members of an object.
  ///
  /// - Parameter names: Members that are no search parameters.
  mutating func query(in node: JSONNode, except names: Set<String>) throws -> SearchQuery {
    var query = SearchQuery()
    for member in node.members {
      try checkpoint.count()
      guard !member.isSuperseded, !names.contains(member.key) else { continue }
      let (name, value) = (member.key, member.value)
      if let parameter = SearchParameter.named(name) {
        try values.add(value, of: name)
        try Self.set { () throws(SearchError) in try query.set(parameter, to: value) }
      } else {
        try values.add(
          unknown: value, named: name, size: name.utf8.count + value.sourceRange.count)
        query.additionalParameters[name] = try checkpoint.json(value)
      }
    }
    return query
  }

  /// Reads parameters in URL-encoded form.
  ///
  /// - Parameter source: What the text is called in messages.
  mutating func query(urlEncoded text: String, of source: String) throws -> SearchQuery {
    try ParameterLimits.check(
      text: text, source, maximumLength: ParameterLimits.maximumParamsLength)
    let bytes = Array(text.utf8)
    try checkpoint.count(bytes: bytes.count)
    var query = SearchQuery()
    var start = 0
    while start < bytes.count {
      let end = try checkpoint.firstIndex(in: bytes, from: start) { $0 == UInt8(ascii: "&") }
      if end > start { try read(bytes[start..<end], into: &query) }
      start = end + 1
    }
    return query
  }

  private mutating func read(_ pair: ArraySlice<UInt8>, into query: inout SearchQuery) throws {
    try checkpoint.count(Self.stepsOfPair)
    let (name, text) = try decoded(pair)
    if let parameter = SearchParameter.named(name) {
      try values.add(urlText: text, of: name)
      try Self.set { () throws(SearchError) in try query.set(parameter, urlText: text) }
    } else {
      let value = try checkpoint.node(urlText: text)
      try values.add(unknown: value, named: name, size: pair.count)
      query.additionalParameters[name] = try value.map { try checkpoint.json($0) } ?? .string(text)
    }
  }

  /// How many steps it takes to read a short `name=value`.
  private static let stepsOfPair = 4

  private func decoded(_ pair: ArraySlice<UInt8>) throws -> (name: String, text: String) {
    let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
    func decoded(_ part: ArraySlice<UInt8>) throws -> String? {
      try PercentEncoding.decode(part, plusIsSpace: true) { try checkpoint.count(bytes: $0) }
    }
    guard let name = try decoded(pair[..<equals]) else {
      throw APIError(SearchQuery.encodingError(inValueOf: nil).message)
    }
    guard let text = try decoded(pair[equals...].dropFirst()) else {
      throw APIError(SearchQuery.encodingError(inValueOf: name).message)
    }
    return (name, text)
  }

  private static func set(_ body: () throws(SearchError) -> Void) throws(APIError) {
    do throws(SearchError) {
      try body()
    } catch {
      throw APIError(error.message)
    }
  }
}

/// Counts the values of the parameters of one query, or of settings, before they are read.
///
/// A parameter that the engine knows is read as a whole, so what would take long to read is refused
/// here.
struct ValueCount {
  /// What has so many values, in words that complete "in all …".
  private let owner: String
  private let checkpoint: Checkpoint
  /// How many values there are.
  private var count = 0
  /// How many members are unknown.
  private var unknownCount = 0
  /// How many bytes they have together, names included.
  private var unknownSize = 0

  /// Creates a count of nothing.
  init(of owner: String, _ checkpoint: Checkpoint) {
    self.owner = owner
    self.checkpoint = checkpoint
  }

  /// Counts the value of a parameter or setting that the engine knows.
  mutating func add(_ value: JSONNode, of name: String) throws {
    if value.kind == .array, let limit = ParameterLimits.maximumCounts[name] {
      try ParameterCheck.count(value.count, name, limit: limit)
    }
    var filterCount = ParameterLimits.filterNames.contains(name) ? 0 : nil
    try add(
      value, of: name, maximumLength: ParameterLimits.maximumTotalLength, &filterCount)
    if value.kind == .string, let text = value.string { try check(entriesOf: text, of: name) }
  }

  /// Counts the decoded text of a parameter that the engine knows.
  mutating func add(urlText text: String, of name: String) throws {
    let first = text.utf8.first { !" \t\n\r".utf8.contains($0) }
    if let first, "[{\"".utf8.contains(first), let node = try checkpoint.node(urlText: text) {
      return try add(node, of: name)
    }
    try addOne()
    try ParameterLimits.check(
      text: text, name, maximumLength: ParameterLimits.maximumTotalLength)
    try check(entriesOf: text, of: name)
  }

  /// Counts a value that the engine does not know.
  ///
  /// - Parameter size: How many bytes it was written with, its name included.
  mutating func add(unknown value: JSONNode?, named name: String, size: Int) throws {
    unknownCount += 1
    unknownSize += size
    try ParameterLimits.check(
      unknownCount: unknownCount, size: unknownSize, name: name, in: owner)
    var filterCount: Int?
    if let value {
      try add(value, of: name, maximumLength: nil, &filterCount)
    } else {
      try addOne()
    }
  }

  private mutating func addOne() throws {
    try checkpoint.count()
    count += 1
    guard count <= ParameterLimits.maximumValueCount else {
      throw APIError(
        "Too many values: expected at most \(ParameterLimits.maximumValueCount) in all \(owner)"
          + " together")
    }
  }

  /// - Parameter filterCount: How many filters there are; `nil` where the texts are none.
  private mutating func add(
    _ value: JSONNode, of name: String, maximumLength: Int?, _ filterCount: inout Int?
  ) throws {
    try addOne()
    switch value.kind {
    case .array:
      if value.count == 0 { try addFilter(to: &filterCount) }
      for element in value.elements {
        try add(element, of: name, maximumLength: maximumLength, &filterCount)
      }
    case .object:
      for member in value.members {
        try add(member.value, of: name, maximumLength: maximumLength, &filterCount)
      }
    case .string:
      try addFilter(to: &filterCount)
      // A byte of the text has at most six as it was written, with escapes.
      let length = value.sourceRange.count - 2
      guard let maximumLength, length > maximumLength else { return }
      guard length <= 6 * maximumLength else {
        throw APIError.invalidValue(
          of: name, expected: "at most \(maximumLength) bytes", got: "\(length) bytes of JSON")
      }
      try ParameterLimits.check(text: value.string, name, maximumLength: maximumLength)
    case .number, .bool, .null: break
    }
  }

  private func addFilter(to count: inout Int?) throws(APIError) {
    guard let others = count else { return }
    count = others + 1
    try ParameterLimits.check(filterCount: others + 1)
  }

  /// Refuses too many entries of a list in one text, with commas between them.
  private func check(entriesOf text: String, of name: String) throws {
    guard name != "optionalWords", text.utf8.count > 1,
      let limit = ParameterLimits.maximumCounts[name] ?? ParameterLimits.maximumNumberCounts[name]
    else { return }
    try checkpoint.count(bytes: text.utf8.count)
    let count = text.utf8.count { $0 == UInt8(ascii: ",") } + 1
    try ParameterCheck.count(count, name, limit: limit)
  }
}

extension Checkpoint {
  /// The JSON value a text spells; `nil` when it spells none.
  func node(urlText text: String) throws -> JSONNode? {
    // Its length is bounded, and what is in it is counted.
    try record(Array(text.utf8)[...])
  }
}
