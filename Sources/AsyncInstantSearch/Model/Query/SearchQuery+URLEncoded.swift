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
        throw Self.encodingError(inValueOf: nil)
      }
      guard let text = Self.decoded(pair[equals...].dropFirst()) else {
        throw Self.encodingError(inValueOf: name)
      }
      guard let parameter = SearchParameter.named(name) else {
        additionalParameters[name] = JSON(urlText: text)
        continue
      }
      try set(parameter, urlText: text)
    }
  }

  /// Sets a parameter to the value of the decoded text of `name=text`.
  ///
  /// - Throws: ``SearchError`` of code `invalidRequest` that names the parameter.
  package mutating func set(
    _ parameter: SearchParameter, urlText text: String
  ) throws(SearchError) {
    do throws(SearchParameterMismatch) {
      values[parameter] = try parameter.value(urlText: text)
    } catch {
      throw error.error(in: parameter)
    }
  }

  /// The error of a `name=value` that is not percent-encoded.
  ///
  /// - Parameter name: The name; `nil` when the name itself is wrong.
  package static func encodingError(inValueOf name: String?) -> SearchError {
    guard let name else {
      return SearchError(.invalidRequest, "Invalid percent-encoding in a parameter's name")
    }
    return SearchError(
      .invalidRequest, "Invalid value for \"\(name)\" parameter, wrong percent-encoding")
  }

  /// The `params` form, ordered by name: a space is `+`, lists and objects are compact JSON.
  package var urlEncoded: String {
    var bytes: [UInt8] = []
    appendURLEncoded(to: &bytes) { _ in }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the `params` form, which is ASCII and needs no escapes in JSON.
  ///
  /// - Parameter check: Called with the number of bytes of the array at least once for every few
  ///   thousand bytes of a value; what it throws ends the work.
  package func appendURLEncoded(
    to bytes: inout [UInt8], check: (_ count: Int) throws -> Void
  ) rethrows {
    for (number, entry) in entries.enumerated() {
      if number > 0 { bytes.append(UInt8(ascii: "&")) }
      try PercentEncoding.append(entry.name, to: &bytes, spaceIsPlus: true, check: check)
      bytes.append(UInt8(ascii: "="))
      try PercentEncoding.append(entry.urlText, to: &bytes, spaceIsPlus: true, check: check)
    }
  }

  private static func decoded(_ bytes: Substring.UTF8View) -> String? {
    PercentEncoding.decode(Substring(bytes), plusIsSpace: true)
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
