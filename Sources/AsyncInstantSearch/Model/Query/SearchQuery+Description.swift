import SearchJSON

extension SearchQuery: CustomStringConvertible {
  /// The parameters that are set, as JSON; safe to log: the user token is not shown.
  public var description: String {
    var query = self
    if query.userToken != nil { query.userToken = "…" }
    var writer = JSONWriter()
    query.write(to: &writer)
    return "SearchQuery(\(String(decoding: writer.bytes, as: UTF8.self)))"
  }
}

extension SearchQuery: CustomReflectable {
  /// The parameters that are set, by name; the user token is not shown.
  public var customMirror: Mirror {
    let children = entries.map { entry -> Mirror.Child in
      if SearchParameter.named(entry.name)?.isPersonal == true { return (entry.name, "…") }
      return switch entry.value {
      case .parameter(let value): (entry.name, value)
      case .additional(let json): (entry.name, json)
      }
    }
    return Mirror(self, children: children, displayStyle: .struct)
  }
}
