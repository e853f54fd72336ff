import InstantSearchJSON

/// The parameters of one search.
///
/// ```swift
/// var query = SearchQuery("phone")
/// query.hitsPerPage = 5
/// query.facetFilters = [["brand:Apple", "brand:Nokia"], "type:mobile"]
/// query.distinct = 2
/// ```
///
/// Every parameter of the REST contract is a property of the same name. A property that is `nil`
/// is not sent, so the index setting of that name applies, or else the default. "Also a setting"
/// in the descriptions means that an index can set the parameter for all of its searches.
///
/// Values are sent unchanged; the server or the engine validates their ranges.
public struct SearchQuery: Sendable, Hashable {
  /// The parameters of the contract that are set.
  var values = SearchParameterValues()

  /// The additions for related items.
  package var relatedItems = AppliedRelatedItems.none

  /// Parameters without a property here, which are sent and read unchanged.
  ///
  /// An entry with the name of a property is an alternative to that property: it is not sent while
  /// the property is set, ``merging(_:)`` treats it as the property, and it is read back as the
  /// property. A value that the property cannot represent is sent unchanged, but cannot be encoded
  /// with `Codable`.
  public var additionalParameters: [String: JSON] = [:]

  /// Creates a query. Without text it matches every record.
  public init(_ query: String? = nil) {
    self.query = query
  }

  /// Whether no parameter is set.
  public var isEmpty: Bool { values.isEmpty && additionalParameters.isEmpty }

  /// Returns a changed copy.
  ///
  /// ```swift
  /// let next = query.with { $0.page = 2 }
  /// ```
  public func with<Failure: Error>(
    _ change: (inout SearchQuery) throws(Failure) -> Void
  ) throws(Failure) -> SearchQuery {
    var copy = self
    try change(&copy)
    return copy
  }

  /// Returns a copy with one parameter set, or unset with `nil`.
  ///
  /// ```swift
  /// let query = SearchQuery("tom").setting(\.hitsPerPage, to: 5)
  /// ```
  public func setting<Value>(
    _ parameter: WritableKeyPath<SearchQuery, Value?>, to value: Value?
  ) -> SearchQuery {
    var copy = self
    copy[keyPath: parameter] = value
    return copy
  }

  /// Returns a copy with the parameters of another query, which override this query's parameters.
  public func merging(_ other: SearchQuery) -> SearchQuery {
    var copy = self
    for name in other.additionalParameters.keys {
      if let parameter = SearchParameter.named(name) { copy.values[parameter] = nil }
    }
    other.values.forEach { copy.values[$0] = $1 }
    copy.additionalParameters.merge(other.additionalParameters) { $1 }
    if case .added = other.relatedItems { copy.relatedItems = other.relatedItems }
    return copy
  }

  /// The sorted names of the parameters that are set, including additional ones.
  package var parameterNames: [String] {
    let known = values.parameters.map(\.name)
    return additionalParameters.isEmpty
      ? known : Set(known).union(additionalParameters.keys).sorted()
  }

  /// The value of a parameter, for the property of the same name.
  subscript<Value: SearchParameterValue>(parameter: SearchParameter) -> Value? {
    get { values[parameter] as? Value }
    set { values[parameter] = newValue }
  }
}

extension SearchQuery {
  /// Sets a property from the additional parameter of the same name.
  package mutating func adoptAdditional(_ parameter: SearchParameter) {
    guard values[parameter] == nil, let json = additionalParameters[parameter.name],
      let value = try? parameter.value(JSONNode(json))
    else { return }
    additionalParameters[parameter.name] = nil
    values[parameter] = value
  }

  /// Whether another query has an equal value of a parameter, as the property or as the additional
  /// parameter.
  package func hasEqual(_ parameter: SearchParameter, in other: SearchQuery) -> Bool {
    var (own, others) = (self, other)
    own.adoptAdditional(parameter)
    others.adoptAdditional(parameter)
    return switch (own.values[parameter], others.values[parameter]) {
    case (let value?, let other?): value.isEqual(to: other)
    case (nil, nil):
      own.additionalParameters[parameter.name] == others.additionalParameters[parameter.name]
    default: false
    }
  }

  /// Returns the value of a parameter as JSON; `nil` if it is not set.
  package func json(of parameter: SearchParameter) -> JSON? {
    guard let value = values[parameter] else { return additionalParameters[parameter.name] }
    var writer = JSONWriter(capacity: 64)
    value.writeParameter(to: &writer)
    return try? JSON(parsing: writer.bytes)
  }

  /// Unsets a parameter, both the property and the additional parameter.
  package mutating func unset(_ parameter: SearchParameter) {
    values[parameter] = nil
    additionalParameters[parameter.name] = nil
  }
}

extension SearchQuery: CustomStringConvertible {
  /// The parameters that are set, as JSON without the user token. Safe to log.
  public var description: String {
    var writer = JSONWriter()
    writer.beginObject()
    for entry in entries {
      writer.key(entry.name)
      if entry.isPersonal {
        writer.string(PersonalData.mask)
      } else {
        entry.value.write(to: &writer)
      }
    }
    writer.endObject()
    return "SearchQuery(\(String(decoding: writer.bytes, as: UTF8.self)))"
  }
}

extension SearchQuery: CustomReflectable {
  /// A mirror of the parameters that are set, by name, without the user token.
  public var customMirror: Mirror {
    let children = entries.map { entry -> Mirror.Child in
      if entry.isPersonal { return (entry.name, PersonalData.mask) }
      return switch entry.value {
      case .parameter(let value): (entry.name, value)
      case .additional(let json): (entry.name, json)
      }
    }
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

extension SearchQuery.Entry {
  /// Whether the value identifies a person, in a property or an additional parameter.
  fileprivate var isPersonal: Bool { PersonalData.isName(name) }
}

/// Values that identify a person and do not appear in descriptions.
enum PersonalData {
  /// The text that replaces such a value.
  static let mask = "…"

  /// Whether a parameter with a name identifies a person.
  static func isName(_ name: String) -> Bool {
    SearchParameter.named(name)?.isPersonal == true
  }

  /// Returns URL-encoded parameters with masked personal values.
  static func masked(urlEncoded params: String) -> String {
    params.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      let name = pair.prefix { $0 != "=" }
      let decoded = PercentEncoding.decode(name, plusIsSpace: true) ?? String(name)
      return isName(decoded) ? "\(name)=\(mask)" : String(pair)
    }.joined(separator: "&")
  }

  /// Returns free-form members with masked personal values at every level.
  static func masked(_ json: JSON) -> JSON {
    switch json {
    case .array(let elements): return .array(elements.map(masked))
    case .object(let members):
      let shown = members.map { name, value in
        (name, isName(name) ? JSON.string(mask) : masked(value))
      }
      return .object(Dictionary(shown, uniquingKeysWith: { first, _ in first }))
    default: return json
    }
  }
}
