import InstantSearchClient
import TypesenseTransport

/// Answers as servers from 30 on are documented to answer, with a server of 0.24.1 behind it.
///
/// A later server cannot be had for tests, so what is recorded with it has not run on one.
enum LaterServer {
  private static let version = "30.2"

  /// The exchange for a session.
  static func exchange(_ session: Session.Recorded) -> HTTPExchange {
    if session == .later { return { request in try await send(request) } }
    return { request in try await SystemExchange.send(request) }
  }

  private static func send(_ request: HTTPExchangeRequest) async throws -> HTTPExchangeResponse {
    let target = Recording.target(of: request.url)
    let path = target.prefix { $0 != "?" }.split(separator: "/")
    let server = Synonyms(request: request, origin: String(request.url.dropLast(target.count)))
    switch path.first {
    case "debug":
      return response(["state": 1, "version": .string(version)])
    case "synonym_sets":
      let collection = Hexadecimal.text(of: String(path[1]))
      if request.method == .get {
        let items = try await server.all(in: collection)
        return response(["items": .array(items), "name": .string(String(path[1]))])
      }
      guard request.method == .put else { return response(["name": .string(String(path[1]))]) }
      let items = try JSON(parsing: request.body)["items"]?.arrayValue ?? []
      try await server.replace(items, in: collection)
      return response(["items": .array(items), "name": .string(String(path[1]))])
    case "multi_search":
      return try await search(request, server)
    default:
      return try await SystemExchange.send(request)
    }
  }

  private static func response(_ body: JSON) -> HTTPExchangeResponse {
    HTTPExchangeResponse(status: 200, body: Array(body.text.utf8))
  }

  private static func search(
    _ request: HTTPExchangeRequest, _ server: Synonyms
  ) async throws -> HTTPExchangeResponse {
    guard let searches = try JSON(parsing: request.body)["searches"]?.arrayValue else {
      return try await SystemExchange.send(request)
    }
    var hidden: [String: [JSON]] = [:]
    let translated = searches.map { search -> JSON in
      var members = search.objectValue ?? [:]
      let collection = members["collection"]?.stringValue ?? ""
      members["enable_synonyms"] = nil
      // A search without a set has no synonyms, one of 0.24.1 has them all.
      if members.removeValue(forKey: "synonym_sets") == nil { hidden[collection] = [] }
      return .object(members)
    }
    for collection in hidden.keys {
      let items = try await server.all(in: collection)
      hidden[collection] = items.isEmpty ? nil : items
      if !items.isEmpty { try await server.replace([], in: collection) }
    }
    var own = request
    own.body = Array(JSON.object(["searches": .array(translated)]).text.utf8)
    let answer = try await SystemExchange.send(own)
    for (collection, items) in hidden { try await server.replace(items, in: collection) }
    return answer
  }

  /// The synonyms of the collections of a server of 0.24.1.
  private struct Synonyms {
    let request: HTTPExchangeRequest
    let origin: String

    private func send(
      _ method: Endpoint.Method, _ collection: String, _ id: String = "", _ body: JSON? = nil
    ) async throws -> JSON {
      var own = request
      own.method = method
      own.url = "\(origin)/collections/\(collection)/synonyms" + (id.isEmpty ? "" : "/\(id)")
      own.body = body.map { Array($0.text.utf8) } ?? []
      return try JSON(parsing: await SystemExchange.send(own).body)
    }

    func all(in collection: String) async throws -> [JSON] {
      try await send(.get, collection)["synonyms"]?.arrayValue ?? []
    }

    func replace(_ items: [JSON], in collection: String) async throws {
      for item in try await all(in: collection) {
        _ = try await send(.delete, collection, item["id"]?.stringValue ?? "")
      }
      for item in items {
        var members = item.objectValue ?? [:]
        let id = members.removeValue(forKey: "id")?.stringValue ?? ""
        _ = try await send(.put, collection, id, .object(members))
      }
    }
  }

  private enum Hexadecimal {
    static func text(of digits: String) -> String {
      let digits = Array(digits)
      let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
