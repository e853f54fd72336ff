import InstantSearchJSON

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
