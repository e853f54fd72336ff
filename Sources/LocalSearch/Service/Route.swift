import AsyncInstantSearch

/// The calls of the REST contract that the engine answers.
enum Route: Sendable, Hashable {
  case queries
  case objects
  case batchOfIndices
  case listIndices
  case query(index: String)
  case facetQuery(index: String, facet: String)
  case browse(index: String)
  case object(index: String, objectID: String)
  case addObject(index: String)
  case saveObject(index: String, objectID: String)
  case deleteObject(index: String, objectID: String)
  case partialUpdate(index: String, objectID: String)
  case batch(index: String)
  case clear(index: String)
  case deleteByQuery(index: String)
  case deleteIndex(index: String)
  case settings(index: String)
  case setSettings(index: String)
  case task(index: String, taskID: String)
  case placesQuery
  case placesReverse
  case place(objectID: String)

  /// Whether the call changes something.
  var isWrite: Bool {
    switch self {
    case .queries, .objects, .listIndices, .query, .facetQuery, .browse, .object, .settings, .task,
      .placesQuery, .placesReverse, .place:
      false
    default: true
    }
  }

  /// Finds the call.
  ///
  /// - Throws: An `APIError` of status 400 for a path the contract does not have, for it is a
  ///   mistake and no missing record; 405 for another method.
  init(_ request: TransportRequest) throws(APIError) {
    let path = request.pathComponents
    guard path.count >= 2, path.count <= 6, path[0] == "1" else {
      throw Self.unknownPath(request)
    }
    let routes: [TransportRequest.Method: Route]
    switch path[1] {
    case "indexes": routes = try Self.indexRoutes(request)
    case "places": routes = try Self.placeRoutes(request)
    default: throw Self.unknownPath(request)
    }
    guard let route = routes[request.method] else {
      throw APIError(
        status: 405, "Method \(request.method.rawValue) not allowed for \(request.path)")
    }
    self = route
  }

  /// The answer to a path that the contract does not have.
  static func unknownPath(_ request: TransportRequest) -> APIError {
    APIError("Unknown path \(request.path)")
  }

  /// The calls at a path that begins with `/1/indexes`.
  private static func indexRoutes(
    _ request: TransportRequest
  ) throws(APIError) -> [TransportRequest.Method: Route] {
    let path = request.pathComponents
    if path.count > 2 && path[2].isEmpty { throw APIError("Invalid index name \"\"") }
    guard path.allSatisfy({ !$0.isEmpty }) else {
      throw APIError("Invalid request: an objectID or a facet name is empty")
    }
    let routes = routes(Array(path[2...]))
    guard !routes.isEmpty else {
      throw path[2] == "*" ? APIError("Invalid index name \"*\"") : unknownPath(request)
    }
    return routes
  }

  /// The calls at a path that begins with `/1/places`: those of the contract, else those of a
  /// place.
  private static func placeRoutes(
    _ request: TransportRequest
  ) throws(APIError) -> [TransportRequest.Method: Route] {
    guard request.pathComponents.count == 3, let name = request.pathComponents.last else {
      throw unknownPath(request)
    }
    switch name {
    case "": throw APIError("Invalid request: an objectID is empty")
    case "query": return [.post: .placesQuery]
    case "reverse": return [.get: .placesReverse]
    default: return [.get: .place(objectID: name)]
    }
  }

  /// The calls at a path, by method; the path begins after `/1/indexes`.
  private static func routes(_ path: [String]) -> [TransportRequest.Method: Route] {
    guard let index = path.first else { return [.get: .listIndices] }
    if index == "*" {
      switch path.dropFirst() {
      case ["queries"]: return [.post: .queries]
      case ["objects"]: return [.post: .objects]
      case ["batch"]: return [.post: .batchOfIndices]
      default: return [:]
      }
    }
    switch path.count {
    case 1: return [.post: .addObject(index: index), .delete: .deleteIndex(index: index)]
    case 2: return routes(index, path[1])
    case 3 where path[1] == "task": return [.get: .task(index: index, taskID: path[2])]
    case 3 where path[2] == "partial":
      return [.post: .partialUpdate(index: index, objectID: path[1])]
    case 4 where path[1] == "facets" && path[3] == "query":
      return [.post: .facetQuery(index: index, facet: path[2])]
    default: return [:]
    }
  }

  /// The calls at `/1/indexes/{index}/{name}`: those of the contract, else those of a record.
  private static func routes(
    _ index: String, _ name: String
  ) -> [TransportRequest.Method: Route] {
    var routes: [TransportRequest.Method: Route] = [
      .get: .object(index: index, objectID: name),
      .put: .saveObject(index: index, objectID: name),
      .delete: .deleteObject(index: index, objectID: name),
    ]
    switch name {
    case "query": routes[.post] = .query(index: index)
    case "browse": routes[.post] = .browse(index: index)
    case "batch": routes[.post] = .batch(index: index)
    case "clear": routes[.post] = .clear(index: index)
    case "deleteByQuery": routes[.post] = .deleteByQuery(index: index)
    case "settings":
      routes[.get] = .settings(index: index)
      routes[.put] = .setSettings(index: index)
    default: break
    }
    return routes
  }
}
