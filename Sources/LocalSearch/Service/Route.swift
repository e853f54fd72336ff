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

  /// Finds the call; 404 for a path the contract does not have, 405 for another method.
  init(_ request: TransportRequest) throws(APIError) {
    let path = request.pathComponents
    guard path.count >= 2, path[0] == "1", path[1] == "indexes", path.count <= 6,
      path.allSatisfy({ !$0.isEmpty })
    else { throw Self.notFound(request) }
    let routes = Self.routes(Array(path[2...]))
    guard !routes.isEmpty else { throw Self.notFound(request) }
    guard let route = routes[request.method] else {
      throw APIError(
        status: 405, "Method \(request.method.rawValue) not allowed for \(request.path)")
    }
    self = route
  }

  private static func notFound(_ request: TransportRequest) -> APIError {
    APIError(status: 404, "Path \(request.path) not found")
  }

  /// The calls at a path, by method; the path begins after `/1/indexes`.
  private static func routes(_ path: [String]) -> [TransportRequest.Method: Route] {
    switch (path.count, path.first, path.dropFirst().first, path.dropFirst(2).first) {
    case (0, _, _, _): [.get: .listIndices]
    case (2, "*", "queries", _): [.post: .queries]
    case (2, "*", "objects", _): [.post: .objects]
    case (2, "*", "batch", _): [.post: .batchOfIndices]
    case (_, "*", _, _): [:]
    case (1, let index?, _, _):
      [.post: .addObject(index: index), .delete: .deleteIndex(index: index)]
    case (2, let index?, "query", _): [.post: .query(index: index)]
    case (2, let index?, "browse", _): [.post: .browse(index: index)]
    case (2, let index?, "batch", _): [.post: .batch(index: index)]
    case (2, let index?, "clear", _): [.post: .clear(index: index)]
    case (2, let index?, "deleteByQuery", _): [.post: .deleteByQuery(index: index)]
    case (2, let index?, "settings", _):
      [.get: .settings(index: index), .put: .setSettings(index: index)]
    case (2, let index?, let objectID?, _):
      [
        .get: .object(index: index, objectID: objectID),
        .put: .saveObject(index: index, objectID: objectID),
        .delete: .deleteObject(index: index, objectID: objectID),
      ]
    case (3, let index?, "task", let taskID?): [.get: .task(index: index, taskID: taskID)]
    case (3, let index?, let objectID?, "partial"):
      [.post: .partialUpdate(index: index, objectID: objectID)]
    case (4, let index?, "facets", let facet?) where path[3] == "query":
      [.post: .facetQuery(index: index, facet: facet)]
    default: [:]
    }
  }
}
