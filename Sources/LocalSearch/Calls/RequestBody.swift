package import InstantSearchAPI
package import InstantSearchJSON

/// The body of a call as JSON.
package struct RequestBody: Sendable {
  /// The body's object.
  package let root: JSONNode

  /// Parses a body. An empty one counts as an empty object.
  package init(_ bytes: [UInt8], _ cancellation: CancellationCheck) throws {
    root = try Self.parse(bytes.isEmpty ? Array("{}".utf8) : bytes, cancellation)
    guard root.kind == .object else { throw APIError("Malformed body: expected a JSON object") }
  }

  /// Parses a body that is a list.
  package static func list(_ bytes: [UInt8], _ cancellation: CancellationCheck) throws -> [JSONNode]
  {
    let root = try parse(bytes, cancellation)
    guard root.kind == .array else { throw APIError("Malformed body: expected a JSON array") }
    var elements: [JSONNode] = []
    for element in root.elements {
      try cancellation.count()
      elements.append(element)
    }
    return elements
  }

  private static func parse(
    _ bytes: [UInt8], _ cancellation: CancellationCheck
  ) throws -> JSONNode {
    do {
      return try cancellation.document(bytes[...]).root
    } catch let error as JSONError {
      throw APIError(
        "Malformed JSON: \(error.message) at line \(error.line) column \(error.column)")
    }
  }

  /// Returns the elements of a required array of objects.
  package func objects(_ name: String, _ cancellation: CancellationCheck) throws -> [JSONNode] {
    guard let node = root[name], node.kind == .array else {
      throw APIError("Malformed body: expected an array \"\(name)\"")
    }
    var objects: [JSONNode] = []
    for (index, element) in node.elements.enumerated() {
      try cancellation.count()
      guard element.kind == .object else {
        throw APIError("Malformed body: expected an object at \(name)[\(index)]")
      }
      objects.append(element)
    }
    return objects
  }

  /// Returns the text of a required member.
  package static func string(_ name: String, in node: JSONNode) throws(APIError) -> String {
    guard let text = node[name]?.string else {
      throw APIError("Malformed body: expected a string \"\(name)\"")
    }
    return text
  }

  /// Returns the search parameters of an object: its `params` text, overridden by its other
  /// members.
  ///
  /// - Parameter names: Members that are not search parameters.
  package static func query(
    in node: JSONNode, except names: Set<String> = [], _ cancellation: CancellationCheck
  ) throws -> SearchQuery {
    var reader = ParameterReader(cancellation)
    let inline = try reader.query(in: node, except: names.union(["params"]))
    guard let params = node["params"], !params.isNull else { return inline }
    guard params.kind == .string else {
      throw APIError("Malformed body: expected a string \"params\"")
    }
    // A byte of the text is written with at most six bytes, as an escape.
    let length = params.sourceRange.count - 2
    guard length <= 6 * ParameterLimits.maximumParamsLength, let text = params.string else {
      throw APIError.invalidValue(
        of: "params", expected: "at most \(ParameterLimits.maximumParamsLength) bytes",
        got: "\(length) bytes of JSON")
    }
    try cancellation.count(bytes: length)
    return try reader.query(urlEncoded: text, of: "params").merging(inline)
  }
}

extension JSONNode {
  /// The start of the value as written, for messages.
  var excerpt: String { String(decoding: source.prefix(80), as: UTF8.self) }
}

/// One query of a call with several, and its result.
struct BatchedQuery {
  /// The kind of the query.
  enum Kind {
    case hits(ResolvedSearch)
    case facet(FacetSearchRequest, ResolvedSearch)
  }

  let kind: Kind
  let snapshot: IndexSnapshot
  /// The result, or `nil` before the search and for facet values.
  var result: SearchResult?
  /// The parameters without an effect.
  var mistakes = Mistakes()
  /// Whether the query is skipped, because an earlier one found enough.
  var isSkipped = false
  var processingTime = 0

  /// Reads a query, so that every error is found before the first search runs.
  init(
    _ node: JSONNode, indexName: String, snapshot: IndexSnapshot, _ cancellation: CancellationCheck
  ) throws {
    self.snapshot = snapshot
    let type = node["type"]
    switch type?.isNull ?? true ? "default" : type?.string {
    case "default":
      let query = try RequestBody.query(
        in: node, except: ["indexName", "type", "extensions"], cancellation)
      kind = .hits(
        try ResolvedSearch(
          query, indexName: indexName, settings: snapshot.settings, cancellation))
    case "facet":
      let facet = try RequestBody.string("facet", in: node)
      let request = try FacetSearchRequest(
        node, indexName: indexName, facet: facet, cancellation)
      kind = .facet(request, try request.search(in: snapshot, cancellation))
    default:
      throw APIError.invalidValue(
        of: "type", expected: "\"default\" or \"facet\"", got: type?.excerpt ?? "")
    }
  }
}

/// The parameters of a search for facet values.
struct FacetSearchRequest {
  let indexName: String
  let facet: String
  let facetQuery: String
  let maxFacetHits: Int?
  /// The query whose records are counted.
  let query: SearchQuery

  /// Returns the search whose records are counted.
  func search(in snapshot: IndexSnapshot, _ cancellation: CancellationCheck) throws
    -> ResolvedSearch
  {
    try ResolvedSearch(query, indexName: indexName, settings: snapshot.settings, cancellation)
  }

  /// Reads the parameters.
  init(
    _ node: JSONNode, indexName: String, facet: String, _ cancellation: CancellationCheck
  ) throws {
    self.indexName = indexName
    self.facet = facet
    query = try RequestBody.query(in: node, except: SearchQuery.multiQueryMembers, cancellation)
    switch node["facetQuery"].map({ ($0.isNull, $0.string) }) {
    case nil, (true, _)?: facetQuery = ""
    case (_, let text?)?: facetQuery = text
    default:
      throw APIError.invalidValue(
        of: "facetQuery", expected: "string", got: node["facetQuery"]?.excerpt ?? "")
    }
    if let value = node["maxFacetHits"], !value.isNull {
      guard let limit = value.int else {
        throw APIError.invalidValue(
          of: "maxFacetHits", expected: "integer", got: value.excerpt)
      }
      maxFacetHits = limit
    } else {
      maxFacetHits = nil
    }
  }
}

extension SearchResult {
  /// Returns the result of a query that was not run.
  static func empty(_ search: ResolvedSearch, _ cancellation: CancellationCheck) throws
    -> SearchResult
  {
    SearchResult(
      plan: try QueryPlan(
        query: search.query, settings: search.settings, cancellation: cancellation))
  }
}
