/// Writes and parses the paths of the search API. No other file contains a path.
extension Endpoint {
  /// The API version, with which every path begins.
  private static let version = "1"

  /// The path component that replaces an index name when the body names the indices.
  private static let allIndices = "*"

  // MARK: Writing

  /// The method of the call.
  public var method: Endpoint.Method { spelling.method }

  /// The path as separate components, not percent-encoded: `["1", "indexes", "films", "query"]`.
  public var pathComponents: [String] {
    if case .custom(_, let path) = self { return path }
    return [Self.version] + spelling.path
  }

  /// The path with every component percent-encoded, beginning with a slash. The component `*` is
  /// not encoded.
  public var path: String { Self.path(of: pathComponents) }

  /// The path with the names of its variable parts: `/1/indexes/{indexName}/query`.
  ///
  /// It has no text of a caller, so a service has a bounded number of them. Use it as the label of
  /// metrics and as the name of spans. It is `other` for a call that is not part of the API.
  public var route: String {
    if case .custom = self { return "other" }
    var path = pathComponents
    if indexName != nil { path[2] = "{indexName}" }
    if let (place, name) = variable { path[place] = "{\(name)}" }
    return "/" + path.joined(separator: "/")
  }

  /// The place and the name of the variable part of the path that is not the index.
  private var variable: (place: Int, name: String)? {
    switch self {
    case .facetValues: (4, "facetName")
    case .getObject, .replaceObject, .partialUpdate, .deleteObject: (3, "objectID")
    case .task: (4, "taskID")
    case .appTask: (2, "taskID")
    case .synonyms(_, let entries), .rules(_, let entries):
      entries.isAboutOne ? (4, "objectID") : nil
    case .place: (2, "objectID")
    case .keys(.list), .keys(.add): nil
    case .keys: (2, "key")
    case .dictionaries(.batch), .dictionaries(.search): (2, "dictionaryName")
    case .sources(.delete): (3, "source")
    case .deleteUser: (2, "userToken")
    default: nil
    }
  }

  static func path(of components: [String]) -> String {
    components.reduce(into: "") { path, component in
      path += "/"
      path += component == "*" ? component : PercentEncoding.encode(component)
    }
  }

  /// The method and the path after the version.
  private var spelling: (method: Endpoint.Method, path: [String]) {
    switch self {
    case .search(let index): (.post, ["indexes", index, "query"])
    case .multiQuery: (.post, ["indexes", Self.allIndices, "queries"])
    case .facetValues(let index, let facet):
      (.post, ["indexes", index, "facets", facet, "query"])
    case .browse(let index): (.post, ["indexes", index, "browse"])
    case .recommendations: (.post, ["indexes", Self.allIndices, "recommendations"])
    case .places: (.post, ["places", "query"])
    case .reversePlaces: (.get, ["places", "reverse"])
    case .place(let objectID): (.get, ["places", objectID])
    case .getObjects: (.post, ["indexes", Self.allIndices, "objects"])
    case .getObject(let index, let objectID): (.get, ["indexes", index, objectID])
    case .saveObject(let index): (.post, ["indexes", index])
    case .replaceObject(let index, let objectID): (.put, ["indexes", index, objectID])
    case .partialUpdate(let index, let objectID): (.post, ["indexes", index, objectID, "partial"])
    case .deleteObject(let index, let objectID): (.delete, ["indexes", index, objectID])
    case .batch(let index): (.post, ["indexes", index, "batch"])
    case .multiBatch: (.post, ["indexes", Self.allIndices, "batch"])
    case .deleteBy(let index): (.post, ["indexes", index, "deleteByQuery"])
    case .clear(let index): (.post, ["indexes", index, "clear"])
    case .listIndices: (.get, ["indexes"])
    case .deleteIndex(let index): (.delete, ["indexes", index])
    case .operation(let index): (.post, ["indexes", index, "operation"])
    case .settings(let index): (.get, ["indexes", index, "settings"])
    case .setSettings(let index): (.put, ["indexes", index, "settings"])
    case .task(let index, let taskID): (.get, ["indexes", index, "task", taskID])
    case .appTask(let taskID): (.get, ["task", taskID])
    case .synonyms(let index, let entries): entries.spelling(after: ["indexes", index, "synonyms"])
    case .rules(let index, let entries): entries.spelling(after: ["indexes", index, "rules"])
    case .keys(let keys): keys.spelling
    case .dictionaries(let dictionaries): dictionaries.spelling
    case .sources(let sources): sources.spelling
    case .logs: (.get, ["logs"])
    case .events: (.post, ["events"])
    case .deleteUser(let userToken): (.delete, ["usertokens", userToken])
    case .custom(let method, let path): (method, path)
    }
  }

  // MARK: Reading

  /// Creates the endpoint of a method and a path. A call that is not part of the API becomes
  /// ``custom(_:_:)``.
  ///
  /// A reserved word takes precedence over an object ID: GET `/1/indexes/films/settings` reads the
  /// settings, even if there is a record of that name. A path with an empty component is not part
  /// of the API.
  public init(_ method: Endpoint.Method, _ pathComponents: [String]) {
    self =
      Self.calls(at: pathComponents).first { $0.method == method }
      ?? .custom(method, pathComponents)
  }

  /// The endpoint that has the path of this one: a record named `settings` has the path of the
  /// settings, and an index without a name has none.
  package var normalized: Endpoint {
    switch self {
    case .multiQuery, .getObjects, .multiBatch, .recommendations, .places: return self
    // Only other names could have the path of another call.
    case .search(let index), .browse(let index), .batch(let index), .settings(let index):
      if !index.isEmpty, index != Self.allIndices { return self }
    default: break
    }
    return Endpoint(method, pathComponents)
  }

  /// Returns the methods that the API has at a path; empty for an unknown path.
  public static func methods(at pathComponents: [String]) -> [Endpoint.Method] {
    calls(at: pathComponents).map(\.method)
  }

  /// A component that makes a path invalid for the API.
  package enum InvalidName: Sendable, Hashable {
    /// An index name that is empty or an asterisk.
    case indexName(String)
    /// Another empty name, such as an object ID.
    case other
  }

  /// Returns the component that makes a path invalid for the API; `nil` if the path has no call,
  /// regardless of the names in it.
  package static func invalidName(in pathComponents: [String]) -> InvalidName? {
    for text in ["", allIndices] where pathComponents.contains(text) {
      // A valid name in its place shows whether there is a call, and whether it names an index,
      // which is the third component.
      let path = pathComponents.map { $0 == text ? "-" : $0 }
      guard let call = calls(at: path).first else { continue }
      return call.indexName != nil && pathComponents[2] == text ? .indexName(text) : .other
    }
    return nil
  }

  /// Returns the endpoints at a path, one per method.
  private static func calls(at pathComponents: [String]) -> [Endpoint] {
    guard pathComponents.first == version, !pathComponents.contains("") else { return [] }
    let path = Array(pathComponents.dropFirst())
    switch path.first {
    case "indexes"?: return indexCalls(Array(path.dropFirst()))
    case "places"? where path.count == 2: return [placeCall(path[1])]
    case "task"? where path.count == 2: return [.appTask(taskID: path[1])]
    case "logs"? where path.count == 1: return [.logs]
    case "events"? where path.count == 1: return [.events]
    case "usertokens"? where path.count == 2: return [.deleteUser(userToken: path[1])]
    case "keys"?: return Keys.all(at: path).map(Endpoint.keys)
    case "dictionaries"?: return Dictionaries.all(at: path).map(Endpoint.dictionaries)
    case "security"?: return Sources.all(at: path).map(Endpoint.sources)
    default: return []
    }
  }

  private static func placeCall(_ name: String) -> Endpoint {
    switch name {
    case "query": .places
    case "reverse": .reversePlaces
    default: .place(objectID: name)
    }
  }

  /// Returns the endpoints at a path that begins after `indexes`.
  private static func indexCalls(_ path: [String]) -> [Endpoint] {
    guard let index = path.first else { return [.listIndices] }
    if index == allIndices {
      switch path.dropFirst() {
      case ["queries"]: return [.multiQuery]
      case ["objects"]: return [.getObjects]
      case ["batch"]: return [.multiBatch]
      case ["recommendations"]: return [.recommendations]
      default: return []
      }
    }
    if path.count == 1 { return [.saveObject(index: index), .deleteIndex(index: index)] }
    let rest = Array(path.dropFirst(2))
    switch path[1] {
    case "synonyms" where !rest.isEmpty:
      return Entries.all(at: rest).map { .synonyms(index: index, $0) }
        + partialUpdates(index: index, path)
    case "rules" where !rest.isEmpty:
      return Entries.all(at: rest).map { .rules(index: index, $0) }
        + partialUpdates(index: index, path)
    case "task" where rest.count == 1 && rest != ["partial"]:
      return [.task(index: index, taskID: rest[0])]
    case "facets" where rest.count == 2 && rest[1] == "query":
      return [.facetValues(index: index, facet: rest[0])]
    case _ where rest == ["partial"]: return partialUpdates(index: index, path)
    case let name where rest.isEmpty: return calls(of: index, named: name)
    default: return []
    }
  }

  /// Returns the endpoint at `indexes/{index}/{objectID}/partial`.
  private static func partialUpdates(index: String, _ path: [String]) -> [Endpoint] {
    guard path.count == 3, path[2] == "partial" else { return [] }
    return [.partialUpdate(index: index, objectID: path[1])]
  }

  /// Returns the endpoints at `indexes/{index}/{name}`: the reserved ones, otherwise the endpoints
  /// of a record.
  private static func calls(of index: String, named name: String) -> [Endpoint] {
    let calls: [Endpoint] =
      switch name {
      case "query": [.search(index: index)]
      case "browse": [.browse(index: index)]
      case "batch": [.batch(index: index)]
      case "clear": [.clear(index: index)]
      case "deleteByQuery": [.deleteBy(index: index)]
      case "operation": [.operation(index: index)]
      case "settings": [.settings(index: index), .setSettings(index: index)]
      default: []
      }
    return calls + [
      .getObject(index: index, objectID: name), .replaceObject(index: index, objectID: name),
      .deleteObject(index: index, objectID: name),
    ]
  }
}

extension Endpoint.Entries {
  fileprivate var isAboutOne: Bool {
    switch self {
    case .get, .save, .delete: true
    case .batch, .clear, .search: false
    }
  }

  fileprivate func spelling(after path: [String]) -> (method: Endpoint.Method, path: [String]) {
    switch self {
    case .get(let objectID): (.get, path + [objectID])
    case .save(let objectID): (.put, path + [objectID])
    case .delete(let objectID): (.delete, path + [objectID])
    case .batch: (.post, path + ["batch"])
    case .clear: (.post, path + ["clear"])
    case .search: (.post, path + ["search"])
    }
  }

  fileprivate static func all(at path: [String]) -> [Self] {
    guard path.count == 1, let name = path.first else { return [] }
    let calls: [Self] =
      switch name {
      case "batch": [.batch]
      case "clear": [.clear]
      case "search": [.search]
      default: []
      }
    return calls + [.get(objectID: name), .save(objectID: name), .delete(objectID: name)]
  }
}

extension Endpoint.Keys {
  fileprivate var spelling: (method: Endpoint.Method, path: [String]) {
    switch self {
    case .list: (.get, ["keys"])
    case .add: (.post, ["keys"])
    case .get(let key): (.get, ["keys", key])
    case .update(let key): (.put, ["keys", key])
    case .delete(let key): (.delete, ["keys", key])
    case .restore(let key): (.post, ["keys", key, "restore"])
    }
  }

  fileprivate static func all(at path: [String]) -> [Self] {
    switch path.count {
    case 1: [.list, .add]
    case 2: [.get(key: path[1]), .update(key: path[1]), .delete(key: path[1])]
    case 3 where path[2] == "restore": [.restore(key: path[1])]
    default: []
    }
  }
}

extension Endpoint.Dictionaries {
  fileprivate var spelling: (method: Endpoint.Method, path: [String]) {
    switch self {
    case .batch(let dictionary): (.post, ["dictionaries", dictionary, "batch"])
    case .search(let dictionary): (.post, ["dictionaries", dictionary, "search"])
    case .settings: (.get, ["dictionaries", "*", "settings"])
    case .setSettings: (.put, ["dictionaries", "*", "settings"])
    case .languages: (.get, ["dictionaries", "*", "languages"])
    }
  }

  fileprivate static func all(at path: [String]) -> [Self] {
    guard path.count == 3 else { return [] }
    return switch (path[1], path[2]) {
    case ("*", "settings"): [.settings, .setSettings]
    case ("*", "languages"): [.languages]
    case ("*", _): []
    case (let dictionary, "batch"): [.batch(dictionary: dictionary)]
    case (let dictionary, "search"): [.search(dictionary: dictionary)]
    default: []
    }
  }
}

extension Endpoint.Sources {
  fileprivate var spelling: (method: Endpoint.Method, path: [String]) {
    switch self {
    case .list: (.get, ["security", "sources"])
    case .replace: (.put, ["security", "sources"])
    case .append: (.post, ["security", "sources", "append"])
    case .delete(let source): (.delete, ["security", "sources", source])
    }
  }

  fileprivate static func all(at path: [String]) -> [Self] {
    guard path.count > 1, path[1] == "sources" else { return [] }
    return switch path.count {
    case 2: [.list, .replace]
    case 3 where path[2] == "append": [.append, .delete(source: "append")]
    case 3: [.delete(source: path[2])]
    default: []
    }
  }
}
