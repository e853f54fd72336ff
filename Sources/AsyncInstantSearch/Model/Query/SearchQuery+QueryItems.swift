import InstantSearchJSON

extension SearchQuery {
  /// The parameters as items of a URL's query, ordered by name and not percent-encoded.
  ///
  /// A list is its elements with commas between them where that is read back as the same list, and
  /// compact JSON elsewhere: nested lists, and elements with commas of their own.
  package var queryItems: [QueryItem] {
    entries.map { QueryItem(name: $0.name, value: $0.commaText) }
  }
}

extension SearchQuery.Entry {
  fileprivate var commaText: String {
    guard case .parameter(let value) = value, let parameter = SearchParameter.named(name),
      let joined = Self.joined(value)
    else { return urlText }
    if let read = try? parameter.value(urlText: joined), value.isEqual(to: read) { return joined }
    // Of optional words, one text and a list of texts mean the same; the service takes commas.
    return parameter == .optionalWords ? joined : urlText
  }

  /// The elements of a plain list of texts, with commas between them; `nil` for any other value.
  private static func joined(_ value: any SearchParameterValue) -> String? {
    guard let elements = (try? JSON(parsing: value.compactJSON))?.arrayValue else { return nil }
    let texts = elements.compactMap(\.stringValue)
    let space = UInt8(ascii: " ")
    let isPlain = texts.map(\.utf8).allSatisfy { text in
      !text.isEmpty && !text.contains(UInt8(ascii: ",")) && text.first != space
        && text.last != space
    }
    guard isPlain, texts.count == elements.count,
      texts.first?.utf8.first != UInt8(ascii: "[")
    else { return nil }
    return texts.joined(separator: ",")
  }
}
