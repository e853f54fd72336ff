import InstantSearchJSON

/// One question of a call for recommendations, without the type of its records.
struct RecommendQuery {
  var indexName: String
  /// The model's name on the wire.
  var model: String
  /// What the model needs to know, by name, in the order in which it is written.
  var members: [(name: String, value: String)] = []
  var threshold: Double
  var maxRecommendations: Int?
  var queryParameters = SearchQuery()
  var fallbackParameters = SearchQuery()

  func validate() throws(SearchError) {
    if indexName.isEmpty { throw error("needs the name of an index") }
    for member in members where member.value.isEmpty {
      throw error("needs a value for \(member.name)")
    }
    guard (0...100).contains(threshold) else {
      throw error("has the threshold \(threshold), which is not in 0...100")
    }
    if let maxRecommendations, !(1...30).contains(maxRecommendations) {
      throw error("has the maxRecommendations \(maxRecommendations), which is not in 1...30")
    }
    try check(queryParameters, "queryParameters", against: Self.refusedParameters)
    try check(
      fallbackParameters, "fallbackParameters",
      against: Self.refusedParameters.subtracting(["facetFilters"]))
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("indexName")
    writer.string(indexName)
    writer.key("model")
    writer.string(model)
    for member in members {
      writer.key(member.name)
      writer.string(member.value)
    }
    writer.key("threshold")
    writer.double(threshold)
    if let maxRecommendations {
      writer.key("maxRecommendations")
      writer.int(maxRecommendations)
    }
    for (name, query) in [
      ("queryParameters", queryParameters), ("fallbackParameters", fallbackParameters),
    ] where !query.isEmpty {
      writer.key(name)
      query.write(to: &writer)
    }
    writer.endObject()
  }

  /// What cannot be asked of recommended records.
  private static let refusedParameters: Set<String> = [
    "page", "hitsPerPage", "offset", "length", "facetFilters", "ranking", "enableABTest", "mode",
    "semanticSearch",
  ]

  private func check(
    _ query: SearchQuery, _ member: String, against refused: Set<String>
  ) throws(SearchError) {
    let names = query.parameterNames.filter(refused.contains)
    guard names.isEmpty else {
      throw error("cannot have \(names.joined(separator: ", ")) in its \(member)")
    }
  }

  private func error(_ problem: String) -> SearchError {
    SearchError(
      .invalidRequest, "The request for \(model) \(problem).",
      indexName: indexName.isEmpty ? nil : indexName)
  }
}
