import AsyncInstantSearch

/// Decodes responses with a client, whose transport returns them at once.
///
/// All of it runs on the calling thread. What a call takes without a page can be measured too, and
/// subtracted: ``emptyCall()``.
enum Pages {
  /// The page of one search.
  static func hits(_ bytes: [UInt8]) throws -> HitsPage<Hit<Product>> { try page(bytes) }

  /// The page of one search, of any record type.
  static func page<Record: Decodable & Sendable>(_ bytes: [UInt8]) throws -> HitsPage<Record> {
    let request = SearchRequest<Record>("products")
    return try answer(bytes) { try await $0.search(request) }
  }

  /// Makes the call of one search whose answer has no hits.
  static func emptyCall() throws {
    use(try page(FixedAnswer.withoutHits) as HitsPage<Hit<Product>>)
  }

  /// The pages of several searches in one call.
  static func multi(_ bytes: [UInt8], count: Int) throws -> [HitsPage<Hit<Product>>] {
    let request = SearchRequest<Hit<Product>>("products")
    let requests = [SearchRequest](repeating: request, count: count)
    return try answer(bytes) { try await $0.search(requests) }
  }

  /// A value of any type, by its conformance to `Decodable`, from an answer of
  /// ``object(_:)``.
  static func decode<Value: Decodable & Sendable>(
    _ type: Value.Type, _ bytes: [UInt8]
  ) throws -> Value {
    let values = try answer(bytes) { try await $0.getObjects(["1"], in: "products", of: type) }
    guard let value = values[0] else { throw Mismatch(description: "the object is missing") }
    return value
  }

  /// The answer to a call for one object.
  static func object(_ bytes: [UInt8]) -> [UInt8] {
    Array(#"{"results":["#.utf8) + bytes + Array("]}".utf8)
  }

  /// The task of an answer of ``write(_:)``, whose other members are parsed, but not read.
  static func task(_ bytes: [UInt8]) throws -> IndexTask {
    try answer(bytes) { try await $0.clear("products") }
  }

  /// The answer to a write, with the members of a page.
  static func write(_ page: [UInt8]) -> [UInt8] {
    Array(#"{"taskID":1,"#.utf8) + page.dropFirst()
  }

  private static func answer<Value: Sendable>(
    _ bytes: [UInt8], _ call: @escaping @Sendable (SearchClient) async throws -> Value
  ) throws -> Value {
    let executor = CallingThreadExecutor()
    let client = SearchClient(answer: bytes, on: executor)
    return try executor.value { try await call(client) }
  }
}
