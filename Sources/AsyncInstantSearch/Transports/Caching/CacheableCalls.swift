import InstantSearchJSON

extension TransportRequest {
  /// Whether a cache may answer the call: searches, facet values, lists of records, recommendations
  /// and places are asked for by many and may be a little old.
  ///
  /// Other reads are not: the state of a task, settings and keys must be current, and a list that
  /// is browsed is read once.
  var isCacheable: Bool {
    let path = pathComponents
    guard callType == .read, method == .post, path.first == "1" else { return false }
    if path == ["1", "places", "query"] { return true }
    guard path.count > 3, path[1] == "indexes" else { return false }
    if path[2] == "*" {
      return path.count == 4 && ["queries", "objects", "recommendations"].contains(path[3])
    }
    return path.count == 4 && path[3] == "query"
      || path.count == 6 && path[3] == "facets" && path[5] == "query"
  }
}

extension TransportResponse {
  /// Whether the answer to a cacheable call is a success by the contract.
  ///
  /// Errors come with status 200 as well: a query of several has its own, and some proxies answer
  /// with a page of theirs or change the status. None of them is to be given again.
  var isSuccess: Bool {
    guard (200..<300).contains(status), let root = try? JSONDocument(body).root,
      root.kind == .object, !Self.isError(root)
    else { return false }
    // A list of records has results, too, whose members are those of the records.
    return root["results"]?.elements.allSatisfy { result in
      result["objectID"] != nil || !Self.isError(result)
    } ?? true
  }

  /// Whether a result is an error: its status says so, or it is a message and nothing else. A
  /// result without hits may have a message as well.
  private static func isError(_ result: JSONNode) -> Bool {
    guard CallContext.isError(result, lacking: ["results", "hits", "facetHits"]) else {
      return false
    }
    return result["status"].map { ($0.int ?? 0) >= 400 } == true
      || result.members.allSatisfy { $0.hasKey("message") || $0.hasKey("status") }
  }
}
