import InstantSearchJSON

extension SearchQuery {
  /// Reads the `params` form: `name=value` pairs separated by `&`.
  ///
  /// Values are percent-encoded with `+` for a space. A list is a JSON array, or its elements
  /// separated by commas. A Boolean is `true`, `false`, `1` or `0`. If a name occurs twice, the
  /// last value counts.
  ///
  /// - Throws: ``SearchError`` of code `invalidRequest` that names a parameter with an invalid
  ///   value.
  package init(urlEncoded: String) throws(SearchError) {
    self.init()
    let pairs = urlEncoded.utf8.split(
      separator: UInt8(ascii: "&"), maxSplits: Self.maximumParameterCount)
    guard pairs.count <= Self.maximumParameterCount else { throw Self.tooManyParameters }
    for pair in pairs {
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

  /// The number of parameters in URL-encoded form, which can have one more than once.
  package static let maximumParameterCount = 1_000

  /// The error for more parameters.
  package static var tooManyParameters: SearchError {
    SearchError(
      .invalidRequest,
      "Too many parameters: expected at most \(maximumParameterCount) in URL-encoded form")
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

  /// Returns the error for a `name=value` that is not valid percent-encoding.
  ///
  /// - Parameter name: The name; `nil` if the name itself is invalid.
  package static func encodingError(inValueOf name: String?) -> SearchError {
    guard let name else {
      return SearchError(.invalidRequest, "Invalid percent-encoding in a parameter's name")
    }
    return SearchError(
      .invalidRequest, "Invalid value for \"\(name)\" parameter, wrong percent-encoding")
  }

  /// The `params` form, ordered by name. A space is `+`, and lists and objects are compact JSON.
  package var urlEncoded: String {
    var bytes: [UInt8] = []
    appendURLEncoded(to: &bytes) { _ in }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the `params` form, which is ASCII and needs no escapes in JSON.
  ///
  /// - Parameter check: Runs with the number of bytes of the array at least once per few thousand
  ///   bytes of a value. An error that it throws ends the writing.
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
  /// The text before percent-encoding.
  var urlText: String {
    switch value {
    case .parameter(let value): value.urlText
    case .additional(let json): json.urlText
    }
  }
}

extension JSON {
  /// Parses JSON text. A text that is not JSON is a string.
  init(urlText: String) {
    self = JSONNode(urlText: urlText).map(JSON.init(node:)) ?? .string(urlText)
  }

  /// The string itself if it reads back as the same string, otherwise compact JSON.
  var urlText: String {
    if case .string(let text) = self, JSONNode(urlText: text) == nil { return text }
    return text
  }
}

extension SearchQuery {
  /// The parameters as items of a URL's query, ordered by name and not percent-encoded.
  ///
  /// A list is its elements separated by commas if that reads back as the same list. Otherwise it
  /// is compact JSON: nested lists, and elements that contain commas.
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
    // For optional words, one text and a list of texts mean the same; the service accepts commas.
    return parameter == .optionalWords ? joined : urlText
  }

  /// Joins the elements of a flat list of texts with commas; `nil` for any other value.
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
