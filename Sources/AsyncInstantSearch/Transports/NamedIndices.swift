import InstantSearchJSON

/// Which indices a call is about.
enum NamedIndices: Sendable, Hashable {
  /// These, at least one.
  case some(Set<String>)
  /// Perhaps any: the call names none, or its body cannot be read.
  case any

  /// Reads them from the path, and from the body where the path names all indices or where an index
  /// becomes another one.
  ///
  /// - Complexity: O(length of the body) for those calls.
  init(of request: TransportRequest) {
    let path = request.pathComponents
    guard path.count > 2, path[0] == "1", path[1] == "indexes" else {
      self = .any
      return
    }
    if path[2] == "*" {
      self = Self.inBody(of: request)
    } else if path.count == 4, path[3] == "operation" {
      let target = (try? JSONDocument(request.body))?.root["destination"]?.string
      self = target.map { .some([path[2], $0]) } ?? .any
    } else {
      self = .some([path[2]])
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
