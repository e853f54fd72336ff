/// What to search for, and how: the parameters of one search.
///
/// ```swift
/// var query = SearchQuery("phone")
/// query.hitsPerPage = 5
/// query.facetFilters = [["brand:Apple", "brand:Nokia"], "type:mobile"]
/// query.distinct = 2
/// ```
///
/// Every parameter of the REST contract is a property of the same name. A property that is `nil`
/// is not sent, so the index setting of that name applies, or else the default. "Also a setting" in
/// the descriptions means that an index can set the parameter for all of its searches.
///
/// Values are sent as they are given; their ranges are checked by the server or the engine.
public struct SearchQuery: Sendable, Hashable {
  /// The parameters of the contract that are set.
  var values = SearchParameterValues()

  /// What was added for related items.
  var relatedItems = RelatedItemsMemory.none

  /// Parameters that have no property here, sent and read as they are.
  ///
  /// An entry with the name of a property stands for that property: it is not sent while the
  /// property is set, it takes its place in ``merging(_:)``, and it is read back as the property. A
  /// value that the property cannot hold is sent as it is, but cannot be encoded with `Codable`.
  public var additionalParameters: [String: JSON] = [:]

  /// Creates a query; with no text it matches every record.
  public init(_ query: String? = nil) {
    self.query = query
  }

  /// Whether no parameter is set.
  public var isEmpty: Bool { values.isEmpty && additionalParameters.isEmpty }

  /// A copy, changed.
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

  /// A copy with one parameter set, or unset with `nil`.
  ///
  /// ```swift
  /// let query = SearchQuery("tom").setting(\.hitsPerPage, to: 5).setting(\.typoTolerance, to: .min)
  /// ```
  public func setting<Value>(
    _ parameter: WritableKeyPath<SearchQuery, Value?>, to value: Value?
  ) -> SearchQuery {
    var copy = self
    copy[keyPath: parameter] = value
    return copy
  }

  /// A copy with the parameters of another query added; where both set one, the other query wins.
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

  /// The names of the parameters that are set, sorted; additional ones included.
  package var parameterNames: [String] {
    let known = values.parameters.map(\.name)
    return additionalParameters.isEmpty
      ? known : Set(known).union(additionalParameters.keys).sorted()
  }

  /// A parameter's value, for the property of the same name.
  subscript<Value: SearchParameterValue>(parameter: SearchParameter) -> Value? {
    get { values[parameter] as? Value }
    set {
      assert(parameter.valueType == Value.self, "\(parameter.name) is read as another type")
      values[parameter] = newValue
    }
  }
}
