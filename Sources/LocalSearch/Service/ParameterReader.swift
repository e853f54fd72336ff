import AsyncInstantSearch
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
