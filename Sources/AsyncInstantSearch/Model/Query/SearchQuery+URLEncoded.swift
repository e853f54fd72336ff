import InstantSearchJSON

extension SearchQuery {
  /// Reads the `params` form: `name=value` pairs with `&` between them.
  ///
  /// Values are percent-encoded with `+` for a space. A list is a JSON array, or its elements with
  /// commas between them; a boolean is `true`, `false`, `1` or `0`. Of a name that occurs twice the
  /// last value counts.
  ///
  /// - Throws: ``SearchError`` of code `invalidRequest` that names the parameter with a wrong
  ///   value.
  package init(urlEncoded: String) throws(SearchError) {
    self.init()
    for pair in urlEncoded.utf8.split(separator: UInt8(ascii: "&")) {
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      guard let name = Self.decoded(pair[..<equals]) else {
        throw SearchError(.invalidRequest, "Invalid percent-encoding in a parameter's name")
      }
      guard let text = Self.decoded(pair[equals...].dropFirst()) else {
        throw SearchError(
          .invalidRequest, "Invalid value for \"\(name)\" parameter, wrong percent-encoding")
      }
      try read(name, text)
    }
  }

  /// The `params` form, ordered by name: a space is `+`, lists and objects are compact JSON.
  package var urlEncoded: String {
    entries.map { "\(Self.encoded($0.name))=\(Self.encoded($0.urlText))" }.joined(separator: "&")
  }

  private mutating func read(_ name: String, _ text: String) throws(SearchError) {
    guard let parameter = SearchParameter.named(name) else {
      additionalParameters[name] = JSON(urlText: text)
      return
    }
    do throws(SearchParameterMismatch) {
      values[parameter] = try parameter.value(urlText: text)
    } catch {
      throw error.error(in: parameter)
    }
  }

  private static func decoded(_ bytes: Substring.UTF8View) -> String? {
    PercentEncoding.decode(Substring(bytes), plusIsSpace: true)
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      .map { PercentEncoding.encode(String(Substring($0))) }
      .joined(separator: "+")
  }
}

extension SearchQuery.Entry {
  /// The text to be percent-encoded.
  var urlText: String {
    switch value {
    case .parameter(let value): value.urlText
    case .additional(let json): json.urlText
    }
  }
}

extension JSON {
  /// The value a text spells; the text itself when it spells none.
  init(urlText: String) {
    self = JSONNode(urlText: urlText).map(JSON.init(node:)) ?? .string(urlText)
  }

  /// A string as it is where that is read back as the same string, anything else as compact JSON.
  var urlText: String {
    if case .string(let text) = self, JSONNode(urlText: text) == nil { return text }
    return text
  }
}
