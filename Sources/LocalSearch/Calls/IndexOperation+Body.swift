package import InstantSearchJSON

extension IndexOperation {
  /// Reads the body.
  package init(
    _ body: JSONNode, of source: String, _ cancellation: CancellationCheck
  ) throws {
    let operation = try RequestBody.string("operation", in: body)
    switch operation {
    case "copy": isMove = false
    case "move": isMove = true
    default:
      throw APIError.invalidValue(of: "operation", expected: "copy or move", got: operation)
    }
    self.source = source
    destination = try RequestBody.string("destination", in: body)
    try ParameterCheck.indexName(source)
    try ParameterCheck.indexName(destination)
    guard source != destination else {
      throw APIError("Index \(source) cannot be the destination of its own \(operation)")
    }
    var scopes: [Scope] = []
    // A move ignores its scope, as the hosted service does.
    if !isMove, let list = body["scope"], !list.isNull {
      let expected = "a list of \(Scope.allCases.map(\.rawValue).joined(separator: ", "))"
      guard list.kind == .array else {
        throw APIError.invalidValue(of: "scope", expected: expected, got: list.excerpt)
      }
      for element in list.elements {
        try cancellation.count()
        guard let scope = element.string.flatMap(Scope.init) else {
          throw APIError.invalidValue(of: "scope", expected: expected, got: element.excerpt)
        }
        if !scopes.contains(scope) { scopes.append(scope) }
      }
    }
    self.scopes = scopes
  }
}
