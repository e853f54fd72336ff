import InstantSearchJSON

extension SearchQuery {
  /// Makes an additional parameter that stands for a property the property's value.
  mutating func adoptAdditional(_ parameter: SearchParameter) {
    guard values[parameter] == nil, let json = additionalParameters[parameter.name],
      let value = try? parameter.value(JSONNode(json))
    else { return }
    additionalParameters[parameter.name] = nil
    values[parameter] = value
  }

  /// Unsets a parameter, the property and what stands for it.
  mutating func unset(_ parameter: SearchParameter) {
    values[parameter] = nil
    additionalParameters[parameter.name] = nil
  }
}
