import InstantSearchJSON

/// Reads the parameters of one query in order, and counts the work.
struct ParameterReader {
  private let cancellation: CancellationCheck
  private var values: ValueCount

  /// Creates a reader.
  init(_ cancellation: CancellationCheck) {
    self.cancellation = cancellation
    values = ValueCount(of: "parameters of a query", cancellation)
  }

  /// Reads the members of an object.
  ///
  /// - Parameter names: Members that are not search parameters.
  mutating func query(in node: JSONNode, except names: Set<String>) throws -> SearchQuery {
    var query = SearchQuery()
    for member in node.members {
      try cancellation.count()
      guard !member.isSuperseded, !names.contains(member.key) else { continue }
      let (name, value) = (member.key, member.value)
      if let parameter = SearchParameter.named(name) {
        try values.add(value, of: name)
        try Self.set { () throws(SearchError) in try query.set(parameter, to: value) }
      } else {
        try values.add(
          unknown: value, named: name, size: name.utf8.count + value.sourceRange.count)
        query.additionalParameters[name] = try cancellation.json(value)
      }
    }
    return query
  }

  /// Reads parameters in URL-encoded form.
  ///
  /// - Parameter source: The name of the text in messages.
  mutating func query(urlEncoded text: String, of source: String) throws -> SearchQuery {
    try ParameterLimits.check(
      text: text, source, maximumLength: ParameterLimits.maximumParamsLength)
    let bytes = Array(text.utf8)
    try cancellation.count(bytes: bytes.count)
    var query = SearchQuery()
    var start = 0
    var count = 0
    while start < bytes.count {
      let end = try cancellation.firstIndex(in: bytes, from: start) { $0 == UInt8(ascii: "&") }
      if end > start {
        count += 1
        guard count <= SearchQuery.maximumParameterCount else {
          throw APIError(SearchQuery.tooManyParameters.message)
        }
        try read(bytes[start..<end], into: &query)
      }
      start = end + 1
    }
    return query
  }

  private mutating func read(_ pair: ArraySlice<UInt8>, into query: inout SearchQuery) throws {
    try cancellation.count(Self.stepsOfPair)
    let (name, text) = try decoded(pair)
    if let parameter = SearchParameter.named(name) {
      try values.add(urlText: text, of: name)
      try Self.set { () throws(SearchError) in try query.set(parameter, urlText: text) }
    } else {
      let value = try cancellation.node(urlText: text)
      try values.add(unknown: value, named: name, size: pair.count)
      query.additionalParameters[name] =
        try value.map { try cancellation.json($0) } ?? .string(text)
    }
  }

  /// The number of steps for reading a short `name=value`.
  private static let stepsOfPair = 4

  private func decoded(_ pair: ArraySlice<UInt8>) throws -> (name: String, text: String) {
    let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
    func decoded(_ part: ArraySlice<UInt8>) throws -> String? {
      try PercentEncoding.decode(part, plusIsSpace: true) { try cancellation.count(bytes: $0) }
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

/// Counts the values in a query's parameters or in settings before they are read.
///
/// A known parameter is read as a whole, so values that would take long to read are rejected here.
struct ValueCount {
  /// The owner of the values, in words that complete "in all …".
  private let owner: String
  private let cancellation: CancellationCheck
  /// The number of values.
  private var count = 0
  /// The number of unknown members.
  private var unknownCount = 0
  /// The length of the unknown members with their names, in bytes.
  private var unknownSize = 0

  /// Creates an empty count.
  init(of owner: String, _ cancellation: CancellationCheck) {
    self.owner = owner
    self.cancellation = cancellation
  }

  /// Counts the value of a known parameter or setting.
  mutating func add(_ value: JSONNode, of name: String) throws {
    if value.kind == .array, let limit = ParameterLimits.maximumCounts[name] {
      try ParameterCheck.count(value.count, name, limit: limit)
    }
    var filterCount = ParameterLimits.filterNames.contains(name) ? 0 : nil
    try add(
      value, of: name, maximumLength: ParameterLimits.maximumTotalLength, &filterCount)
    if value.kind == .string, let text = value.string { try check(entriesOf: text, of: name) }
  }

  /// Counts the decoded text of a known parameter.
  mutating func add(urlText text: String, of name: String) throws {
    let first = text.utf8.first { !" \t\n\r".utf8.contains($0) }
    if let first, "[{\"".utf8.contains(first), let node = try cancellation.node(urlText: text) {
      return try add(node, of: name)
    }
    try addOne()
    try ParameterLimits.check(
      text: text, name, maximumLength: ParameterLimits.maximumTotalLength)
    try check(entriesOf: text, of: name)
  }

  /// Counts the value of an unknown parameter or setting.
  ///
  /// - Parameter size: The length of the value with its name as written, in bytes.
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
    try cancellation.count()
    count += 1
    guard count <= ParameterLimits.maximumValueCount else {
      throw APIError(
        "Too many values: expected at most \(ParameterLimits.maximumValueCount) in all \(owner)"
          + " together")
    }
  }

  /// - Parameter filterCount: The number of filters so far, or `nil` if the texts are not filters.
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
      // A byte of the text is written with at most six bytes, as an escape.
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

  /// Rejects too many comma-separated entries in one text.
  private func check(entriesOf text: String, of name: String) throws {
    guard name != "optionalWords", text.utf8.count > 1,
      let limit = ParameterLimits.maximumCounts[name] ?? ParameterLimits.maximumNumberCounts[name]
    else { return }
    try cancellation.count(bytes: text.utf8.count)
    let count = text.utf8.count { $0 == UInt8(ascii: ",") } + 1
    try ParameterCheck.count(count, name, limit: limit)
  }
}

extension CancellationCheck {
  /// Returns the JSON value of a text, or `nil` for other text.
  func node(urlText text: String) throws -> JSONNode? {
    // The length of the text is limited, and its values are counted.
    try record(Array(text.utf8)[...])
  }
}
