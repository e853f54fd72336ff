@testable import AsyncInstantSearch
@testable import InstantSearchClient
@testable import InstantSearchAPI
@testable import InstantSearchJSON

extension IndexResults {
  /// Merges responses to the queries of a search, as a searcher does. Those without hits get none.
  init(merging responses: [JSON], of plan: SearchPlan) throws {
    let call = EndpointCall(.multiQuery, indexNames: responses.map { _ in plan.indexName })
    let responses = responses.map { json in
      var members = json.objectValue ?? [:]
      if members["hits"] == nil { members["hits"] = [] }
      return JSON.object(members)
    }
    let document = try JSONDocument(JSONValueEncoder().encode(JSON.array(responses)))
    let results = MultiQueryResponses(
      nodes: Array(document.root.elements), options: JSONDecodingOptions(),
      context: CallContext(call))
    self.init(try results.answer(to: plan, at: 0))
  }

  /// The same response to all queries of a search.
  init(_ response: JSON, to plan: SearchPlan) throws {
    try self.init(merging: plan.queries.map { _ in response }, of: plan)
  }
}
