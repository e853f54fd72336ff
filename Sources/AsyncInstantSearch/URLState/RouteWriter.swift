/// Writes named values as items of a URL's query, with nested names in brackets.
struct RouteWriter {
  private(set) var items: [QueryItem] = []

  /// Writes values in the given order.
  ///
  /// - Parameter id: The name above the values; `nil` for none. Defaults to none.
  mutating func write(_ members: [(name: String, value: RouteValue)], under id: String? = nil) {
    let areIndices = id != nil && RouteNames.areIndices(members.map(\.name))
    for (name, value) in members {
      let written = RouteNames.escaped(name, isIndex: areIndices)
      if let id {
        let key = "\(RouteNames.escaped(id, isIndex: false))[\(written)]"
        write(value, key: key, level: 2)
      } else {
        write(value, key: written, level: 1)
      }
    }
  }

  /// Writes a value, the names of objects sorted.
  ///
  /// - Parameter level: The number of names in brackets of the children's keys.
  private mutating func write(_ value: RouteValue, key: String, level: Int) {
    switch value {
    case .text(let text):
      items.append(QueryItem(name: key, value: text))
    case .list(let elements):
      for (index, element) in elements.enumerated() {
        // Brackets below the last level would be read as a name. A repeated key is a list, too.
        let elementKey = level > RouteParser.maximumDepth ? key : "\(key)[\(index)]"
        write(element, key: elementKey, level: level + 1)
      }
    case .object(let members):
      let areIndices = RouteNames.areIndices(members.keys)
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        // Names below the last level were read with their brackets.
        let isVerbatim = level > RouteParser.maximumDepth && name.hasPrefix("[")
        let written =
          isVerbatim ? name : "[\(RouteNames.escaped(name, isIndex: areIndices))]"
        write(member, key: key + written, level: level + 1)
      }
    }
  }
}

extension RouteValue {
  /// Whether the value is read again as it is written.
  ///
  /// The values of a single key always are; merging the values of different keys can nest deeper.
  ///
  /// - Parameter level: The number of names in brackets of the children's keys.
  func isReadable(level: Int) -> Bool {
    let isBelowLastLevel = level > RouteParser.maximumDepth
    switch self {
    case .text: return true
    case .list(let elements):
      if !isBelowLastLevel { return elements.allSatisfy { $0.isReadable(level: level + 1) } }
      return elements.count > 1 && elements.allSatisfy { $0.members == nil }
    case .object(let members):
      if !isBelowLastLevel { return members.values.allSatisfy { $0.isReadable(level: level + 1) } }
      return level == RouteParser.maximumDepth + 1
        && members.allSatisfy { $0.hasPrefix("[") && $1.isReadable(level: level + 1) }
    }
  }
}

extension [QueryItem] {
  /// The items as the query of a URL, percent-encoded.
  var percentEncoded: String {
    map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
      .joined(separator: "&")
  }
}
