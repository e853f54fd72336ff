import SearchJSON

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

/// Which of some members, such as the answers of a cache, belong to which index.
struct IndexMembers<Member: Hashable & Sendable>: Sendable {
  private var byName: [String: Set<Member>] = [:]
  private var ofAny: Set<Member> = []

  mutating func insert(_ member: Member, in indices: NamedIndices) {
    switch indices {
    case .any: ofAny.insert(member)
    case .some(let names): for name in names { byName[name, default: []].insert(member) }
    }
  }

  mutating func remove(_ member: Member, of indices: NamedIndices) {
    switch indices {
    case .any: ofAny.remove(member)
    case .some(let names):
      for name in names {
        byName[name]?.remove(member)
        if byName[name]?.isEmpty == true { byName[name] = nil }
      }
    }
  }

  /// The members that may belong to one of the indices; `nil` for all of them.
  func members(of indices: NamedIndices) -> Set<Member>? {
    guard case .some(let names) = indices else { return nil }
    return names.reduce(into: ofAny) { $0.formUnion(byName[$1] ?? []) }
  }
}
