import InstantSearchJSON

extension SearchParameter {
  /// Reads a value from JSON; `nil` for one that stands for none, as an empty text does for a
  /// place.
  func value(_ node: JSONNode) throws(SearchParameterMismatch) -> (any SearchParameterValue)? {
    if self == .aroundLatLng, node.isString("") { return nil }
    return try valueType.init(parameter: node)
  }

  /// Reads a value from the decoded text of `name=text`; `nil` for one that stands for none.
  func value(urlText: String) throws(SearchParameterMismatch) -> (any SearchParameterValue)? {
    if self == .aroundLatLng, urlText.isEmpty { return nil }
    return try valueType.init(urlText: urlText)
  }
}

/// Why search parameters cannot be read.
enum SearchQueryMismatch: Error {
  /// They are no object.
  case noObject(JSONNode.Kind)
  /// A parameter has a value of the wrong type.
  case wrongValue(SearchParameter, SearchParameterMismatch)

  /// The error of a request.
  var searchError: SearchError {
    switch self {
    case .noObject: SearchError(.invalidRequest, "Invalid search parameters, expected object")
    case .wrongValue(let parameter, let mismatch): mismatch.error(in: parameter)
    }
  }

  /// The error of a decoder that stands at the parameters.
  func decodingError(at codingPath: [any CodingKey]) -> DecodingError {
    func context(_ steps: [String]) -> DecodingError.Context {
      DecodingError.Context(
        codingPath: codingPath + steps.map { AnyKey($0) }, debugDescription: searchError.message)
    }
    switch self {
    case .noObject(.null): return .valueNotFound([String: Any].self, context([]))
    case .noObject: return .typeMismatch([String: Any].self, context([]))
    case .wrongValue(let parameter, let mismatch):
      return .typeMismatch(parameter.valueType, context([parameter.name] + mismatch.path))
    }
  }
}
