package import InstantSearchAPI
package import InstantSearchJSON

/// The query items of calls that read.
extension TransportRequest {
  /// Returns the attributes of `attributesToRetrieve` in the query items, joined by commas or as a
  /// JSON array, or `*`.
  package func attributesToRetrieve(_ cancellation: CancellationCheck) throws -> [String] {
    let name = "attributesToRetrieve"
    guard let text = queryItems.last(where: { $0.name == name })?.value else { return ["*"] }
    try cancellation.count(bytes: text.utf8.count)
    try ParameterLimits.check(attributes: [text], name)
    let list: [String]
    if text.first == "[" {
      guard let node = try cancellation.node(urlText: text), node.kind == .array,
        node.elements.allSatisfy({ $0.string != nil })
      else {
        throw APIError.invalidValue(of: name, expected: "array of strings", got: text.excerpt())
      }
      list = node.elements.compactMap(\.string)
    } else {
      list = text.split(separator: ",").map { String($0).trimmingSpaces() }
    }
    try ParameterLimits.check(list: list, name)
    return list
  }

  /// Returns the page of a list of indices that `page` and `hitsPerPage` name, or all of it, and
  /// the number of pages.
  package func page(of names: [String]) throws(APIError) -> (names: [String], pageCount: Int) {
    guard let page = try number("page", 0...Int(Int32.max)) else { return (names, 1) }
    let size = try number("hitsPerPage", 1...1000) ?? 100
    let start = page.multipliedReportingOverflow(by: size)
    return (
      start.overflow ? [] : Array(names.dropFirst(start.partialValue).prefix(size)),
      (names.count + size - 1) / size
    )
  }

  /// Returns a query item that is a number, or `nil`.
  private func number(_ name: String, _ range: ClosedRange<Int>) throws(APIError) -> Int? {
    guard let text = queryItems.last(where: { $0.name == name })?.value else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw APIError.invalidValue(
        of: name, expected: "\(range.lowerBound) to \(range.upperBound)", got: text.excerpt())
    }
    return number
  }
}

extension RequestBody {
  /// Returns the attributes of one request for a record, or `*`.
  package static func attributesToRetrieve(in node: JSONNode) throws(APIError) -> [String] {
    guard let list = node["attributesToRetrieve"], list.kind == .array else { return ["*"] }
    let name = "attributesToRetrieve"
    try ParameterCheck.count(list.count, name, limit: ParameterLimits.maximumEntryCount)
    let attributes = list.elements.compactMap(\.string)
    try ParameterLimits.check(list: attributes, name)
    return attributes
  }
}
