import InstantSearchJSON

/// Which indices a call is about.
enum NamedIndices: Sendable, Hashable {
  /// These, at least one.
  case some(Set<String>)
  /// Perhaps any: the call names none, or its body cannot be read.
  case any

  /// Reads them from the endpoint, and from the body where that names them.
  ///
  /// - Complexity: O(length of the body) for those calls.
  init(of request: TransportRequest) {
    switch request.endpoint.indices {
    case .named(let index): self = .some([index])
    case .all: self = .any
    case .inBody(and: nil): self = Self.inBody(of: request)
    case .inBody(and: let index?):
      let destination = (try? JSONDocument(request.body))?.root["destination"]?.string
      self = destination.map { .some([index, $0]) } ?? .any
    }
  }

  private static func inBody(of request: TransportRequest) -> NamedIndices {
    guard let requests = (try? JSONDocument(request.body))?.root["requests"], requests.count > 0
    else { return .any }
    var names: Set<String> = []
    for element in requests.elements {
      guard let name = element["indexName"]?.string else { return .any }
      names.insert(name)
    }
    return names.isEmpty ? .any : .some(names)
  }
}
