import InstantSearchJSON

/// The response to a write, with the number of its task.
struct WriteResponse {
  let taskID: Int64

  /// Reads the response to a call.
  ///
  /// - Throws: The error of the response, or `decoding` if it has no task.
  init(_ response: TransportResponse, to call: EndpointCall) throws(SearchError) {
    let context = CallContext(call)
    guard (200..<300).contains(response.status) else { throw context.error(from: response) }
    guard let root = try? JSONDocument(response.body).root, let taskID = root["taskID"]?.int else {
      throw context.error(
        .decoding, "The response has no taskID, so the write cannot be awaited.",
        status: response.status)
    }
    self.taskID = Int64(taskID)
  }
}

extension SearchClient {
  /// Sends a write to one index, and returns its task.
  @concurrent
  func write(
    _ endpoint: Endpoint, to indexName: String, body: [UInt8] = [],
    queryItems: [QueryItem] = [], also names: [String] = [], options: RequestOptions
  ) async throws(SearchError) -> IndexTask {
    try EndpointCall.check(indexName: indexName)
    var sent = options
    sent.queryItems += queryItems
    let call = EndpointCall(endpoint, body: body, indexNames: [indexName] + names)
    let response = try await rawResponse(to: call, options: sent)
    let taskID = try WriteResponse(response, to: call).taskID
    return IndexTask(indexName: indexName, taskID: taskID, client: self, options: options)
  }
}

extension EndpointCall {
  /// Rejects a name that would turn the path into the path of another call.
  static func check(indexName: String) throws(SearchError) {
    guard indexName.isEmpty || indexName == "*" else { return }
    throw SearchError(
      .invalidRequest,
      indexName.isEmpty
        ? "The name of the index is empty." : "\"*\" is not the name of an index.",
      indexName: indexName)
  }

  /// Rejects an empty ID, which would address all entries or the index.
  static func check(objectID: String, in indexName: String) throws(SearchError) {
    guard objectID.isEmpty else { return }
    throw SearchError(.invalidRequest, "The objectID is empty.", indexName: indexName)
  }
}
